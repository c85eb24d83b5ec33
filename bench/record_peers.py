"""Record what other people's programs compute, as small arrays: `make peers`, in some minutes.

The programs are called as they are; three that no package holds are written from their source.
Their results go to `tests/peers`, in their own types, one file for each package, beside
`tables.json`, which says what each array means, and a page of versions and checksums. The tests
compare the course's functions with them. Into the package go six tables, for notebook 12 to show
unnamed, and `programs.json`, the meanings alone, one for each program.
"""

import hashlib
import json
from contextlib import chdir, redirect_stdout
from copy import deepcopy
from functools import partial
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import ask_families
import numpy as np
import recipes
import torch
from contenders import resolve
from programs import HEAD, LENGTH, RECORDED, WIDTH
from tqdm import tqdm
from transformers import AutoConfig, PretrainedConfig, PreTrainedModel
from transformers.models.deepseek_v2.modeling_deepseek_v2 import yarn_apply_mscale
from transformers.models.llama import modeling_llama as llama

from posenc.data.torch_positions import Positions
from posenc.data.torch_rotary import Rotary
from posenc.encodings import sinusoidal

ROOT = Path(__file__).resolve().parents[1]
FOLDER, DATA = ROOT / "tests" / "peers", ROOT / "src" / "posenc" / "data"
TEXT = 6  # tokens in a text
YARN = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 4096}
LLAMA_3 = {"rope_theta": 500_000.0}
GPT_OSS = YARN | {"rope_theta": 150_000.0, "factor": 32.0, "truncate": False}
DEEPSEEK = YARN | {"factor": 40.0, "mscale": 0.707, "mscale_all_dim": 0.707}
LONGROPE = {"rope_type": "longrope", "factor": 8.0, "original_max_position_embeddings": 4096}
LONGROPE |= {"short_factor": [1 + k / 64 for k in range(64)], "long_factor": [*range(1, 65)]}
ROTARY = {  # configurations, where they differ from that of Llama 2
    "default": {},
    "llama3_default": LLAMA_3,
    "linear": {"rope_type": "linear", "factor": 8.0},
    # For 8 times its length, it stretches by 8 · factor − (factor − 1): here 8, and 57.
    "dynamic_factor_1": {"rope_type": "dynamic", "factor": 1.0},
    "dynamic_factor_8": {"rope_type": "dynamic", "factor": 8.0},
    "yarn": YARN,
    "yarn_not_truncated": YARN | {"truncate": False},
    "yarn_gpt_oss": GPT_OSS,
    "yarn_deepseek": DEEPSEEK,
    "yarn_two_mscales": DEEPSEEK | {"mscale": 1.0},
    "yarn_one_mscale": YARN | {"mscale": 0.5},
    "longrope_short": LONGROPE,
    "longrope_long": LONGROPE,
    "proportional": {"rope_type": "proportional", "partial_rotary_factor": 0.3, "factor": 2.0},
    "llama3": LLAMA_3
    | {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}
    | {"low_freq_factor": 1.0, "high_freq_factor": 4.0},
}
# Lets programs that name `torch.float` compute in double precision.
doubles = partial(mock.patch.object, torch, "float", torch.float64)


def rotary_frequencies():
    """Return the frequencies of each configuration of `ROTARY`, and the factors of its tables."""
    default = llama.LlamaRotaryEmbedding.compute_default_rope_parameters
    functions, arrays = llama.ROPE_INIT_FUNCTIONS | {"default": default}, {}
    for name, parameters in ROTARY.items():
        rope = {"rope_type": "default", "rope_theta": 10_000.0} | parameters
        width = 64 if name == "yarn_gpt_oss" else 128
        config = llama.LlamaConfig(
            max_position_embeddings=8 * 4096, head_dim=width, rope_parameters=rope
        )
        length = 4096 if name == "longrope_short" else 8 * 8 * 4096
        compute = partial(functions[rope["rope_type"]], config, seq_len=length)
        arrays[f"frequencies_{name}"], factor = compute()
        with doubles():
            arrays[f"frequencies_{name}_double"], _ = compute()
        arrays[f"factor_{name}"] = np.float64(factor)
    # The factor of the scores in DeepSeek's attention, besides the square of that of its tables.
    return arrays | {"scores_deepseek": np.float64(yarn_apply_mscale(DEEPSEEK, 1.0))}


def check_positions():
    """Check the module that adds positions, and return what it adds."""
    module = Positions(WIDTH)
    ones, zeros = torch.ones(2, TEXT, WIDTH), torch.zeros(2, TEXT, WIDTH)
    assert (module(ones) == 0).any()  # some are dropped
    module.eval()
    for start in (0, 1_000_000):
        expected = torch.from_numpy(WIDTH**0.5 + sinusoidal(TEXT, WIDTH, start=start)).float()
        torch.testing.assert_close(module(ones, start), expected.expand(2, -1, -1))
    for wrong in (ones[0], ones[..., 1:]):
        np.testing.assert_raises_regex(ValueError, f"tokens, {WIDTH}.*, got ", module, wrong)
    for wrong in (0, 7, -2):
        np.testing.assert_raises_regex(ValueError, f"even .* got {wrong}$", Positions, wrong)
    half = module(zeros.bfloat16(), start=5)
    assert half.dtype == torch.bfloat16
    return {"added": module(zeros, start=5), "added_in_bfloat16": half.float()}


def check_rotary():
    """Check the module that rotates, and return its results for two texts in three heads."""
    x = torch.from_numpy(np.random.default_rng(0).normal(size=(2, 3, 4, HEAD)))
    # The first text is padded on the left, the second continues a cache.
    places = torch.tensor([[0, 0, 1, 2], [100_000, 100_001, 100_002, 100_003]])
    rotary, model = Rotary(HEAD), llama.LlamaRotaryEmbedding(llama.LlamaConfig(head_dim=HEAD))
    assert not rotary.state_dict()
    assert torch.equal(rotary(x, places)[1], rotary(x[1], places[1]))
    for dtype in (torch.float16, torch.bfloat16):
        low, ours = x.to(dtype), rotary.to(dtype)(x.to(dtype), places)
        assert torch.equal(ours, rotary(low.float(), places).to(dtype))  # rounded once, at the end
        theirs = llama.apply_rotary_pos_emb(low, low, *model.to(dtype)(low, places))[0]
        atol = 8 * torch.finfo(dtype).eps  # Llama rounds sines, products and sums of up to 4
        torch.testing.assert_close(ours[0], theirs[0], rtol=0, atol=atol)
    for wrong in ((x[..., 1:], places), (x, places[:, 1:]), (x, places.float())):
        np.testing.assert_raises(ValueError, rotary, *wrong)
    for wrong in ({"layout": "half"}, {"turned": 3}, {"turned": 2 * HEAD}):
        np.testing.assert_raises(ValueError, partial(Rotary, HEAD, **wrong))
    arrays = {"x": x, "positions": places, "turned": rotary(x, places)}
    return arrays | {"turned_in_bfloat16": rotary(x.bfloat16(), places).float()}


class OurModel(PreTrainedModel):
    """A model of our two modules, and of a matrix, without which there is nothing to save."""

    config_class = PretrainedConfig

    def __init__(self, config):
        super().__init__(config)
        self.positions, self.rotary = Positions(HEAD), Rotary(HEAD)
        self.matrix = torch.nn.Linear(HEAD, HEAD)
        self.post_init()

    def forward(self, x, start=0):
        """Return the results of both modules."""
        places = start + torch.arange(x.shape[1], device=x.device)
        return self.positions(x, start), self.rotary(x, places)


def check_our_model():
    """Load, cast and compile our modules, and check that their results stay the same."""
    x = torch.from_numpy(np.random.default_rng(1).normal(size=(2, TEXT, HEAD))).float()
    model = OurModel(PretrainedConfig()).eval()

    def check(model, dtype, start=1_000, rounding=0):
        low = x.to(dtype)
        added = low * HEAD**0.5 + torch.from_numpy(sinusoidal(TEXT, HEAD, start=start)).to(dtype)
        turned = Rotary(HEAD)(low.float(), start + torch.arange(TEXT)).to(dtype)
        for ours, expected in zip(model(low, start), (added, turned), strict=True):
            torch.testing.assert_close(ours, expected, rtol=rounding, atol=rounding)

    check(model, torch.float32)
    assert not [*model.buffers()]
    assert model.state_dict().keys() == {"matrix.weight", "matrix.bias"}
    # Models are built without memory, and whatever no file holds keeps what the memory had.
    with TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            loaded = OurModel.from_pretrained(folder, dtype=dtype)
            assert loaded.matrix.weight.dtype == dtype
            check(loaded, dtype)
    with torch.device("meta"):
        empty = OurModel(PretrainedConfig()).eval()
    assert empty(x.to("meta"))[0].device.type == "meta"
    empty.load_state_dict(model.state_dict(), assign=True)
    check(empty, torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        check(model, torch.float32)
    # Compiled code may round in another order.
    compiled = torch.compile(model, fullgraph=True)
    for start in (0, 1_000, 1_000_000):
        check(compiled, torch.float32, start, rounding=2.0**-20)
    check(deepcopy(model).half(), torch.float16)
    check(deepcopy(model).to(torch.bfloat16), torch.bfloat16)
    check(deepcopy(model).half().float(), torch.float32)


def check_field_guide():
    """Run the field guide's lines that read a config.json, and check what they print."""
    text = (ROOT / "book" / "field_guide.md").read_text(encoding="utf-8")
    lines = text.partition("```python\n")[2].partition("```")[0]
    llama_3 = {"rope_parameters": ROTARY["llama3"], "max_position_embeddings": 131_072}
    for family, settings, expected in (
        ("gptj", {}, ["all layers: 11 of 32", "default: rope_theta 10000.0"]),
        ("codegen", {}, ["all layers: 11 of 32", "default: rope_theta 10000.0"]),
        ("roformer", {}, ["all layers: 12 of 32", "default: rope_theta 10000.0"]),
        ("gemma3_text", {}, ["full_attention: 35 of 128", "sliding_attention: 0 of 128"]),
        ("gpt_oss", {}, ["yarn: rope_theta 150000.0", "truncate False, factor 32.0"]),
        ("llama", llama_3, ["llama3: rope_theta 500000.0", "factor 8.0, high_freq_factor 4.0"]),
    ):
        with TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()) as output:
            AutoConfig.for_model(family, **settings).save_pretrained(folder)
            exec(lines, {})
        assert all(words in output.getvalue() for words in expected), output.getvalue()


def call_programs():
    """Call all programs; return arrays by file, and entries of tables and rotations."""
    rows = resolve(RECORDED["m2m100"][1])(LENGTH - 2, WIDTH, padding_idx=1)
    rows = rows(torch.tensor([[7, 8, 9, 1, 1], [5, 6, 7, 8, 9]]))  # 1 stands for padding
    arrays = {"transformers": rotary_frequencies() | recipes.check() | {"m2m100_rows": rows}}
    entries = {"tables": [], "turns": []}
    for key, (name, address, call, meaning) in tqdm(RECORDED.items(), "programs"):
        package = address.replace(":", ".").partition(".")[0].replace("_", "-")
        from_source = "@" in address
        array = call() if from_source else call(resolve(address))
        kind = "turns" if key.startswith("turn_") else "tables"
        array = array[0].transpose(0, 1) if kind == "turns" else array
        dtype = str(array.dtype).removeprefix("torch.")
        array = (array.float() if dtype == "bfloat16" else array).detach().numpy()
        if from_source:
            origin, file, number = "from source", "source", address.split("@")[1].split(":")[0]
        else:
            origin, file, number = "run", package, version(package)
            name += f" ({package})" if name != package else ""
        entry = {"name": name, "origin": origin, "version": number, "called": address}
        entry |= {"file": f"{file}.npz", "array": key, "dtype": dtype, "shape": array.shape}
        entries[kind].append(entry | meaning(array.shape[-1]))
        arrays.setdefault(file, {})[key] = array
    return arrays, entries


def write(path, entries, left_out=()):
    """Write entries, one a line."""
    blocks = []
    for kind, rows in entries.items():
        rows = [{key: row[key] for key in row if key not in left_out} for row in rows]
        blocks.append(f'"{kind}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]")
    path.write_text("{" + ",\n".join(blocks) + "}\n", encoding="utf-8")


PAGE = """# What other people's programs compute

Written by `make peers`, with {}.

`tables.json` says of each table, and of each turn of unit vectors, whose it is, what was called and
what its settings say; `bench/programs.py` explains the words, and `bench/record_peers.py` says what
the other arrays are. `source.npz` was made by a few lines written from the source of programs that
no package holds. `torch.npz` and `posenc.npz` come from the two modules, tested on the way.
`tables.npz` has the six tables of notebook 12.

| file | SHA-256 |
|---|---|
"""


def main():
    """Check our modules, call the programs, and write the files and the page about them."""
    arrays, entries = call_programs()
    numbers = np.random.default_rng(0).normal(size=200) * 10.0 ** np.linspace(-20, 20, 200)
    numbers = torch.from_numpy(np.r_[numbers, 250:310, 4990:5050]).float()
    numbers = {"numbers": numbers, "numbers_in_bfloat16": numbers.bfloat16().float()}
    check_our_model()
    check_field_guide()
    arrays["torch"] = check_positions() | check_rotary() | numbers
    for package, content in arrays.items():
        np.savez_compressed(FOLDER / f"{package}.npz", **content)
    unnamed = ("whisper_384_half", "mae", "distilbert", "scaled", "steps_from_1", "timm")
    by_name = {name: array for content in arrays.values() for name, array in content.items()}
    tables = {letter: by_name[name] for letter, name in zip("ABCDEF", unnamed)}
    np.savez_compressed(DATA / "tables.npz", **tables)
    packages = ["numpy", *sorted(arrays.keys() - {"source"})]
    page = PAGE.format(", ".join(f"{package} {version(package)}" for package in packages))
    paths = [*sorted(FOLDER.glob("*.npz")), DATA / "tables.npz", *sorted(DATA.glob("torch_*.py"))]
    for path in paths:
        page += f"| `{path.name}` | `{hashlib.sha256(path.read_bytes()).hexdigest()}` |\n"
    (FOLDER / "README.md").write_text(page, encoding="utf-8")
    write(FOLDER / "tables.json", entries)
    rows = ask_families.rows_of_other_packages(entries)
    write(DATA / "families.json", ask_families.record(rows))
    programs = {}
    for kind, rows in entries.items():  # the first entry of each program
        first = {row["name"]: row for row in reversed(rows) if "posenc" not in row["called"]}
        programs[kind] = list(first.values())[::-1]
    left_out = {"file", "array", "dtype", "shape", "positions", "speeds"}
    write(DATA / "programs.json", programs, left_out)


if __name__ == "__main__":
    main()
