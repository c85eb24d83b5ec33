"""What the page *Symptoms and recipes* says of transformers: tried, and recorded.

Each function calls the library as people do. What a recipe is to agree with is returned.
"""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
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


def differ(one, other):
    """Return whether two results differ by more than rounding."""
    return (one - other).abs().max() > 1e-3


def made(family, **settings):
    """Return a small model of a family, its random weights large enough for scores to count."""
    torch.manual_seed(0)
    model = library.AutoModelForCausalLM.from_config(
        library.AutoConfig.for_model(family, **SMALL | settings)
    ).eval()
    for weight in model.parameters():
        weight.data *= 5 if weight.ndim > 1 else 1
    return model


class Adds(library.PreTrainedModel):
    """A model that adds a table, which no file holds."""

    config_class = library.PretrainedConfig

    def __init__(self, config):
        super().__init__(config)
        self.linear = torch.nn.Linear(8, 8)
        self.register_buffer("table", torch.arange(64.0).reshape(8, 8), persistent=False)
        self.post_init()

    def forward(self, x):
        """Return the sum, through a matrix that a file does hold."""
        return self.linear(x + self.table)


class Refills(Adds):
    """The same, which fills its table when weights are initialized."""

    def _init_weights(self, module):
        super()._init_weights(module)
        if module is self:
            library.initialization.copy_(self.table, torch.arange(64.0).reshape(8, 8))


def refills_what_no_file_holds():
    """Load a table from a file without it, and see the page's lines bring it back."""
    lines = PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    first, *lines = lines.splitlines(keepends=True)
    # Memory that was used before, in which NaN may lie.
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
        # The library's own classes are made anew.
        llama = made("llama")
        llama.save_pretrained(folder)
        with dirty:
            loaded = type(llama).from_pretrained(folder)
        same(loaded.eval()(IDS).logits, llama(IDS).logits)


def pads_on_the_left():
    """Let GPT-2 read a text alone and behind padding, which it counts unless it generates."""
    model, places = made("gpt2", n_embd=32, n_layer=2, n_head=2), []
    mask = torch.tensor([[0, 0, 0, 1, 1, 1, 1, 1]])
    padded = mask * IDS[:, :8]
    alone = model(padded[:, 3:]).logits
    assert differ(model(padded, attention_mask=mask).logits[:, 3:], alone)
    counted = (mask.cumsum(1) - 1).clamp(0)
    same(model(padded, attention_mask=mask, position_ids=counted).logits[:, 3:], alone)
    model.transformer.wpe.register_forward_pre_hook(lambda _, given: places.append(given[0]))
    model.generate(padded, attention_mask=mask, max_new_tokens=2, do_sample=False)
    assert [it.flatten().tolist() for it in places] == [counted[0].tolist(), [5]]
    # A rotary model does not care.
    llama = made("llama")
    same(llama(padded, attention_mask=mask).logits[:, 3:], llama(padded[:, 3:]).logits)


def packs_samples():
    """Let restarted positions make the mask, which a mask or a cache prevents."""
    model = made("llama")
    alone = model(IDS[:, 5:8]).logits
    places = torch.tensor([[0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 3]])
    read = partial(model, IDS, position_ids=places, use_cache=False)
    same(read().logits[:, 5:8], alone)
    assert differ(model(IDS, position_ids=places).logits[:, 5:8], alone)  # makes a cache
    assert differ(read(attention_mask=torch.ones_like(IDS)).logits[:, 5:8], alone)
    assert differ(read(past_key_values=library.DynamicCache()).logits[:, 5:8], alone)


def keeps_cached_keys():
    """Go on with a cache where the base grows (the keys keep the old one), and where it doesn't."""
    for rule, changes in ({"rope_type": "default"}, False), ({"rope_type": "dynamic"}, True):
        rule |= {"rope_theta": 10_000.0} | ({"factor": 4.0} if changes else {})
        model = made("llama", max_position_embeddings=8, rope_parameters=rule)
        cache = model(IDS[:, :8], use_cache=True).past_key_values
        for at in range(8, 12):
            last = model(IDS[:, at : at + 1], past_key_values=cache).logits
        whole = made("llama", max_position_embeddings=8, rope_parameters=rule)(IDS).logits
        assert differ(last[:, -1], whole[:, -1]) == changes


def throws_a_cache_away():
    """Cross Phi-3's border, and see that the whole text is read again, once."""
    rule = {"rope_type": "longrope", "rope_theta": 10_000.0}
    rule |= {"short_factor": [1.0] * 8, "long_factor": [4.0] * 8}
    rule |= {"original_max_position_embeddings": 8}
    model = made("phi3", max_position_embeddings=32, rope_parameters=rule)
    model.config.original_max_position_embeddings, lengths = 8, []
    model.model.embed_tokens.register_forward_pre_hook(lambda _, it: lengths.append(it[0].shape[1]))
    model.generate(IDS[:, :6], max_new_tokens=6, min_new_tokens=6, do_sample=False)
    assert lengths == [6, 1, 1, 9, 1, 1]


def crosses():
    """Ask T5 which attention has a bias, and Moonshine whether it rotates in cross-attention."""
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
    x, keys = torch.randn(1, 3, 32), torch.randn(1, 5, 32)
    turns = [(torch.full((1, 3, 8), value),) * 2 for value in (0.0, 1.0)]
    for attention, given, same_result in (
        (layer.self_attn, {}, False),
        (layer.encoder_attn, {"key_value_states": keys}, True),
    ):
        one, other = (attention(x, position_embeddings=turn, **given)[0] for turn in turns)
        assert torch.equal(one, other) == same_result


def numbers():
    """Return what T5, BLOOM, MPT, Swin and ViT compute, by the arrays' names."""
    offsets = torch.arange(-600, 601)
    bucket = T5Attention._relative_position_bucket
    found = {"t5_encoder": bucket(-offsets, True), "t5_decoder": bucket(-offsets, False)}
    for heads in (1, 2, 3, 8, 12, 20, 32, 71, 112):
        bloom = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0, 1]
        same(bloom, -build_mpt_alibi_tensor(heads, 2)[:, 0, 0])
        found[f"alibi_{heads}"] = bloom
    swin = SwinModel(library.SwinConfig(image_size=56, embed_dim=24, depths=[1], num_heads=[3]))
    (found["swin_index"],) = (it for name, it in swin.named_buffers() if "position_index" in name)
    (table,) = (it for name, it in swin.named_parameters() if "bias_table" in name)
    assert table.shape == (169, 3)
    vit = ViTEmbeddings(library.ViTConfig(hidden_size=4, image_size=32, patch_size=4))
    table = vit.position_embeddings.data = torch.randn(1, 65, 4)
    wanted = torch.empty(1, 1 + 12 * 6, 4)
    found["vit_rows"], found["vit_resized"] = (
        table[0],
        vit.interpolate_pos_encoding(wanted, 48, 24)[0],
    )
    patches = table[:, 1:].reshape(1, 8, 8, 4).permute(0, 3, 1, 2)
    for mode in ("bicubic", "bilinear"):
        resized = torch.nn.functional.interpolate(patches, size=(12, 6), mode=mode)
        found[f"vit_{mode}"] = resized[0].flatten(1).T
    return {f"recipes_{name}": it.detach().numpy() for name, it in found.items()}


@torch.no_grad()
def ask():
    """Try all that the page says, and return the numbers."""
    for statement in (
        refills_what_no_file_holds,
        pads_on_the_left,
        packs_samples,
        keeps_cached_keys,
        throws_a_cache_away,
        crosses,
    ):
        statement()
    return numbers()


if __name__ == "__main__":
    for name, array in ask().items():
        print(name, array.dtype, np.shape(array))
