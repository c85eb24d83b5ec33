"""Check what the page *Symptoms and recipes* says of transformers, and record its numbers.

Each check calls the library as people do; `numbers` returns the results that recipes must match.
"""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import torch
import transformers as library
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.swin.modeling_swin import SwinModel
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.vit.modeling_vit import ViTEmbeddings

PAGE = Path(__file__).resolve().parents[1] / "book" / "recipes.md"
SMALL = {"vocab_size": 40, "num_attention_heads": 2, "hidden_size": 32, "intermediate_size": 32}
SMALL |= {"num_hidden_layers": 2, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 39}
IDS = torch.arange(2, 14)[None]
same = partial(torch.testing.assert_close, rtol=0, atol=1e-5)


def differ(result, other):
    """Return whether two results differ by more than rounding."""
    return (result - other).abs().max() > 1e-3


def small_model(family, **settings):
    """Return a small model of a family, its random weights large enough for scores to matter."""
    torch.manual_seed(0)
    model = library.AutoModelForCausalLM.from_config(
        library.AutoConfig.for_model(family, **SMALL | settings)
    ).eval()
    for weight in model.parameters():
        weight.data *= 5 if weight.ndim > 1 else 1
    return model


class Adds(library.PreTrainedModel):
    """A model that adds a table, which isn't saved."""

    config_class = library.PretrainedConfig

    def __init__(self, config):
        super().__init__(config)
        self.linear = torch.nn.Linear(8, 8)
        self.register_buffer("table", torch.arange(64.0).reshape(8, 8), persistent=False)
        self.post_init()

    def forward(self, x):
        """Return the sum, through a matrix that is saved."""
        return self.linear(x + self.table)


class Refills(Adds):
    """The same, but its table is filled when weights are initialized."""

    def _init_weights(self, module):
        super()._init_weights(module)
        if module is self:
            library.initialization.copy_(self.table, torch.arange(64.0).reshape(8, 8))


def check_missing_table():
    """Load a model from a file without its table, and restore that by the page's lines."""
    lines = PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    first, *lines = lines.splitlines(keepends=True)
    # Memory that was used before may hold NaN.
    dirty = mock.patch.object(torch, "empty_like", partial(torch.full_like, fill_value=torch.nan))
    with TemporaryDirectory() as folder:
        torch.manual_seed(0)
        names = {"Model": Adds, "folder": folder, "model": Adds(library.PretrainedConfig())}
        names |= {"torch": torch, "x": torch.ones(8, 8)}
        names["model"].save_pretrained(folder)
        with dirty:
            exec(first, names)
            refilled = Refills.from_pretrained(folder)
        assert names["loaded"].table.isnan().all()
        assert torch.equal(refilled(names["x"]), names["model"](names["x"]))
        exec("".join(lines), names)
        # The library's own classes fill theirs.
        llama = small_model("llama")
        llama.save_pretrained(folder)
        with dirty:
            loaded = type(llama).from_pretrained(folder)
        same(loaded.eval()(IDS).logits, llama(IDS).logits)


def check_left_padding():
    """Let GPT-2 read a text with and without padding, which it counts unless it generates."""
    model, positions = small_model("gpt2", n_embd=32, n_layer=2, n_head=2), []
    mask = torch.tensor([[0, 0, 0, 1, 1, 1, 1, 1]])
    padded = mask * IDS[:, :8]
    alone = model(padded[:, 3:]).logits
    assert differ(model(padded, attention_mask=mask).logits[:, 3:], alone)
    counted = (mask.cumsum(1) - 1).clamp(0)
    same(model(padded, attention_mask=mask, position_ids=counted).logits[:, 3:], alone)
    model.transformer.wpe.register_forward_pre_hook(lambda _, inputs: positions.append(inputs[0]))
    model.generate(padded, attention_mask=mask, max_new_tokens=2, do_sample=False)
    assert [row.flatten().tolist() for row in positions] == [counted[0].tolist(), [5]]
    # A rotary model does not care.
    llama = small_model("llama")
    same(llama(padded, attention_mask=mask).logits[:, 3:], llama(padded[:, 3:]).logits)


def check_packed_samples():
    """See that restarted positions separate samples, unless a mask or a cache is given."""
    model = small_model("llama")
    alone = model(IDS[:, 5:8]).logits
    positions = torch.tensor([[0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 3]])
    read = partial(model, IDS, position_ids=positions, use_cache=False)
    same(read().logits[:, 5:8], alone)
    assert differ(model(IDS, position_ids=positions).logits[:, 5:8], alone)  # makes a cache
    assert differ(read(attention_mask=torch.ones_like(IDS)).logits[:, 5:8], alone)
    assert differ(read(past_key_values=library.DynamicCache()).logits[:, 5:8], alone)


def check_cached_keys():
    """Continue a cache where the base stays, and where it grows but not for cached keys."""
    for rule, changes in ({"rope_type": "default"}, False), ({"rope_type": "dynamic"}, True):
        rule |= {"rope_theta": 10_000.0} | ({"factor": 4.0} if changes else {})
        model = small_model("llama", max_position_embeddings=8, rope_parameters=rule)
        cache = model(IDS[:, :8], use_cache=True).past_key_values
        for position in range(8, 12):
            last = model(IDS[:, position : position + 1], past_key_values=cache).logits
        whole = small_model("llama", max_position_embeddings=8, rope_parameters=rule)(IDS).logits
        assert differ(last[:, -1], whole[:, -1]) == changes


def check_dropped_cache():
    """Let Phi-3 outgrow its original length, and see it read the whole text again, once."""
    rule = {"rope_type": "longrope", "rope_theta": 10_000.0}
    rule |= {"short_factor": [1.0] * 8, "long_factor": [4.0] * 8}
    rule |= {"original_max_position_embeddings": 8}
    model = small_model("phi3", max_position_embeddings=32, rope_parameters=rule)
    model.config.original_max_position_embeddings, lengths = 8, []
    model.model.embed_tokens.register_forward_pre_hook(
        lambda _, ids: lengths.append(ids[0].shape[1])
    )
    model.generate(IDS[:, :6], max_new_tokens=6, min_new_tokens=6, do_sample=False)
    assert lengths == [6, 1, 1, 9, 1, 1]


def check_cross_attention():
    """See that T5 has no bias in cross-attention, and that Moonshine doesn't rotate there."""
    config = library.T5Config(vocab_size=9, d_model=8, d_kv=4, d_ff=8, num_layers=2, num_heads=2)
    t5 = library.T5Model(config)
    tables = [name for name, _ in t5.named_parameters() if "relative_attention_bias" in name]
    assert sorted(tables) == [
        f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        for side in ("decoder", "encoder")
    ]
    assert t5.get_parameter(tables[0]).shape == (32, 2)
    config = library.MoonshineConfig(
        hidden_size=32, intermediate_size=32, decoder_num_attention_heads=2, vocab_size=40,
        encoder_num_attention_heads=2, encoder_num_hidden_layers=1, decoder_num_hidden_layers=1,
    )  # fmt: skip
    layer = library.MoonshineModel(config).eval().decoder.layers[0]
    x = torch.randn(1, 3, 32)
    cross = partial(layer.encoder_attn, x, key_value_states=torch.randn(1, 5, 32))
    turns = [(torch.full((1, 3, 8), value),) * 2 for value in (0.0, 1.0)]
    turned = [layer.self_attn(x, position_embeddings=turn)[0] for turn in turns]
    crossed = [cross(position_embeddings=turn)[0] for turn in turns]
    assert not torch.equal(*turned)
    assert torch.equal(*crossed)


def numbers():
    """Return what T5, BLOOM, MPT, Swin and ViT compute, by the arrays' names."""
    offsets = torch.arange(-600, 601)
    bucket = T5Attention._relative_position_bucket
    arrays = {"t5_encoder": bucket(-offsets, True), "t5_decoder": bucket(-offsets, False)}
    for heads in (1, 2, 3, 8, 12, 20, 32, 71, 112):
        bloom = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0, 1]
        same(bloom, -build_mpt_alibi_tensor(heads, 2)[:, 0, 0])
        arrays[f"alibi_{heads}"] = bloom
    swin = SwinModel(library.SwinConfig(image_size=56, embed_dim=24, depths=[1], num_heads=[3]))
    (arrays["swin_index"],) = (
        index for name, index in swin.named_buffers() if "position_index" in name
    )
    (table,) = (table for name, table in swin.named_parameters() if "bias_table" in name)
    assert table.shape == (169, 3)
    vit = ViTEmbeddings(library.ViTConfig(hidden_size=4, image_size=32, patch_size=4))
    table = vit.position_embeddings.data = torch.randn(1, 65, 4)
    tokens = torch.empty(1, 1 + 12 * 6, 4)
    arrays["vit_rows"] = table[0]
    arrays["vit_resized"] = vit.interpolate_pos_encoding(tokens, 48, 24)[0]
    patches = table[:, 1:].reshape(1, 8, 8, 4).permute(0, 3, 1, 2)
    for mode in ("bicubic", "bilinear"):
        resized = torch.nn.functional.interpolate(patches, size=(12, 6), mode=mode)
        arrays[f"vit_{mode}"] = resized[0].flatten(1).T
    return {f"recipes_{name}": array.detach().numpy() for name, array in arrays.items()}


@torch.no_grad()
def check():
    """Check all that the page says, and return the numbers."""
    check_missing_table()
    check_left_padding()
    check_packed_samples()
    check_cached_keys()
    check_dropped_cache()
    check_cross_attention()
    return numbers()
