"""Whose tables and rotations are recorded, how they are called, and what their settings mean.

Row p of a table stands for the angles ``scale * (start + p) * base ** (-k / P)``, with k from 0 to
m - 1 for its m pairs. If P is m - 1 and not m, the last hand is `base` times as slow as the first.
A row of zeros takes the place of a position in a text; in a picture such rows come before the first
patch. What a picture has for each axis is given for its rows and its columns, in this order.
"""

import math
import sys
from functools import partial

import torch
import transformers

LENGTH, WIDTH, HEAD, GRID = 40, 32, 16, [4, 6]  # of tables, of heads and of pictures
STEPS, TOKENS, MOMENTS = torch.arange(LENGTH), torch.arange(8), torch.linspace(0, 1, 11)
YX, XY, PAIRS = "sin y, cos y, sin x, cos x", "sin x, cos x, sin y, cos y", "pairs y, pairs x"
PATCHES = [[y, x] for y in range(4) for x in range(6)]
# Three words, a picture of 2 x 3 patches, a word: their positions in time, in rows, in columns.
MIXED = [3 * [t] for t in range(3)] + [[3, 3 + y, 3 + x] for y in range(2) for x in range(3)]
MIXED += [[6, 6, 6]]
PIXELS, PLACES = torch.empty(1, 3, 64, 96), torch.tensor(MIXED).T[:, None]
# The settings of rotations by the axes of a picture, and of a film.
AXIAL = {"axes": "yyyyxxxx", "positions": PATCHES, "speeds": [10.0**-k for k in (0, 1, 2, 3)] * 2}
CENTERED = AXIAL | {"base": 100, "speeds": [100 ** (-k / 4) for k in range(4)] * 2}
CENTERED |= {"start": [(1 - n) / 2 for n in GRID], "scale": [4 * math.pi / n for n in GRID]}
THREE = {"base": 1e6, "axes": "ttyyyxxx", "positions": MIXED}
AROUND = [2 * math.pi / (n + 1e-6) for n in GRID]  # of DETR: n positions and one make a turn
NEOX = transformers.GPTNeoXConfig(hidden_size=WIDTH, num_attention_heads=1)
COHERE = transformers.CohereConfig(hidden_size=HEAD, num_attention_heads=1)
VIT = transformers.DINOv3ViTConfig(hidden_size=HEAD, num_attention_heads=1, image_size=(64, 96))
GLM = transformers.GlmConfig(head_dim=HEAD)
ROPE = {"rope_theta": 1e6, "rope_type": "default", "mrope_section": [2, 3, 3]}
QWEN = transformers.Qwen2VLTextConfig(hidden_size=HEAD, num_attention_heads=1, rope_parameters=ROPE)


def table(name, columns, last="m", **settings):
    """Return a function of a program's address and a call, which makes an entry of `RECORDED`."""

    def meaning(width):
        entry = {"base": 10_000, "start": 0, "scale": 1, "amplitude": 1, "grid": None}
        entry |= {"order": "rows", "blank_rows": [], "blank_columns": []} | settings
        m = (width - len(entry["blank_columns"])) // (4 if entry["grid"] else 2)
        layout = "pairs" if "pairs" in columns else "halves"
        first = "cosine" if columns.startswith("cos") else "sine"
        arrangement = {"layout": layout, "first": first, "columns": columns, "width": width}
        return arrangement | {"m": m, "last": last, "P": m - (last == "m - 1")} | entry

    return lambda address, call: (name, address, call, meaning)


def turn(name, layout, turned=HEAD, base=10_000, **settings):
    """Return the same for a rotation, each of whose pairs has an axis and a speed."""

    def meaning(width):
        speeds = [base ** (-2 * k / turned) for k in range(turned // 2)]
        entry = {"layout": layout, "width": width, "turned": turned, "base": base, "start": 0}
        entry |= {"scale": 1, "axes": "t" * (turned // 2), "speeds": speeds}
        return entry | {"positions": TOKENS[:, None].tolist()} | settings

    return lambda address, call: (name, address, call, meaning)


# --- calls that take more than a line ---


def whisper(width, rows, dtype, encoder):
    """Return the first rows of the table in Whisper's encoder."""
    settings = {"d_model": width, "encoder_layers": 0, "encoder_attention_heads": 2}
    model = encoder(transformers.WhisperConfig(**settings)).to(dtype)
    return model.embed_positions.weight[:rows]


def mae(embeddings):
    """Return MAE's table, which is all zeros until weights are initialized."""
    model = embeddings(transformers.ViTMAEConfig())
    model.initialize_weights()
    return model.position_embeddings[0]


def detr(embed, **flags):
    """Return DETR's table for a picture, a row for each patch."""
    size = torch.Size((1, 3, *GRID)), torch.device("cpu"), torch.float64
    return embed(WIDTH // 2, **flags)(*size)[0].flatten(1).T


def log_spaced(width, length=LENGTH, blank=-1):
    """Return what tensor2tensor and fairseq compute, an odd width padded with zeros."""
    speeds = torch.exp(torch.arange(width // 2).float() * (-math.log(10_000) / (width // 2 - 1)))
    angles = torch.arange(length).float()[:, None] * speeds
    rows = torch.cat([angles.sin(), angles.cos(), torch.zeros(length, width % 2)], dim=1)
    return rows * (torch.arange(length) != blank)[:, None]


def annotated():
    """Return what the Annotated Transformer computes."""
    angles = STEPS[:, None] * torch.exp(torch.arange(0, WIDTH, 2) * -(math.log(10_000) / WIDTH))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def units(tokens=8, width=HEAD):
    """Return the unit vectors as queries: in head k, every token has the k-th of them."""
    return torch.eye(width)[None, :, None].expand(1, width, tokens, width)


def neighbor(program, name):
    """Return what has this name in a program's module."""
    return getattr(sys.modules[program.__module__], name)


def gptj(create):
    """Rotate by GPT-J's table; its queries have their heads after the tokens."""
    sines, cosines = create(8, HEAD)[None].split(HEAD // 2, dim=-1)
    x = units().transpose(1, 2)
    return neighbor(create, "apply_rotary_pos_emb")(x, sines, cosines).transpose(1, 2)


def transformer(name, prefix, layout, config, *inputs, **meaning):
    """Return the rotation by a model of transformers, which in training may shift positions."""
    width, tokens = meaning.get("width", HEAD), len(meaning.get("positions", TOKENS))
    x, family = units(tokens, width), config.model_type.removesuffix("_text")
    inputs = inputs or (x, TOKENS[None])
    address = f"transformers.models.{family}.modeling_{family}:{prefix}Embedding"

    def call(rotary):
        return neighbor(rotary, "apply_rotary_pos_emb")(x, x, *rotary(config).eval()(*inputs))[0]

    return {f"turn_{family}": turn(name, layout, **meaning)(address, call)}


def patches(rotary):
    """Rotate by timm's angles for patches."""
    angles = rotary(HEAD, in_pixels=False, feat_shape=GRID).get_embed()
    return neighbor(rotary, "apply_rot_embed_cat")(units(24), angles)


# --- what is recorded: the array's name, the settings' meaning, the program, and the call ---

MODELS = "transformers.models.{0}.modeling_{0}:{1}".format
DIFFUSERS = "diffusers.models.embeddings:"
SINES = "timm.layers.pos_embed_sincos:build_sincos2d_pos_embed"
ENCODING = "positional_encodings.torch_encodings:PositionalEncoding"
FAIRSEQ = "facebookresearch/fairseq@0491f26:fairseq/modules/sinusoidal_positional_embedding.py"
OURS = "posenc.data.torch_rotary:Rotary"
T2T = "tensorflow/tensor2tensor@75b75f2:tensor2tensor/layers/common_attention.py"
ANNOTATED = "harvardnlp/annotated-transformer@0a91a25:the_annotated_transformer.py"
padded = partial(table, "fairseq", "sin, cos", "m - 1", blank_rows=[1])
RECORDED = {
    f"whisper_{width}{suffix}": table("Whisper", "sin, cos", "m - 1")(
        MODELS("whisper", "WhisperEncoder"), partial(whisper, width, rows, dtype)
    )
    for suffix, dtype, short in (("_half", torch.float16, 100), ("", torch.float32, 40))
    for width, rows in ((384, 2 * short), (768, short), (1280, short))
}
RECORDED |= {  # diffusion steps: cosine first, or not; P = m - 1, or m
    array: table(name, "cos, sin" if flip else "sin, cos", "m - 1" if shift else "m", **settings)(
        f"{DIFFUSERS}get_timestep_embedding",
        lambda embed, steps=steps, flags=(flip, shift): embed(steps, WIDTH, *flags),
    )
    for array, name, flip, shift, steps, settings in [
        ("steps", "DDPM", False, 1, STEPS, {}),
        ("steps_ernie", "ERNIE-Image", False, 0, STEPS, {}),
        ("steps_flipped", "Stable Diffusion, Flux", True, 0, STEPS, {}),
        ("moments", "Stable Diffusion, Flux", True, 0, MOMENTS, {"scale": 0.1}),
        ("steps_dit", "DiT", True, 1, STEPS, {}),
        ("steps_from_1", "DiT", True, 1, 1 + STEPS, {"start": 1}),
    ]
}
RECORDED |= {
    f"timm{suffix}": table(f"sincos2d{suffix.replace('_', ', ')}", columns, grid=GRID, order=order)(
        SINES, lambda embed, flags=flags: embed(GRID, WIDTH, **flags)
    )
    for suffix, columns, order, flags in [
        ("", "sin y, sin x, cos y, cos x", "rows", {}),
        ("_interleaved", YX, "rows", {"interleave_sin_cos": True}),
        ("_reversed", "sin x, sin y, cos x, cos y", "columns", {"reverse_coord": True}),
    ]
}
RECORDED |= {
    "m2m100": table("M2M100", "sin, cos", "m - 1", blank_rows=[1])(
        MODELS("m2m_100", "M2M100SinusoidalPositionalEmbedding"),
        lambda program: program(38, WIDTH, 1).weights,
    ),
    "distilbert": table("DistilBERT", "pairs")(
        MODELS("distilbert", "create_sinusoidal_embeddings"),
        lambda program: program(LENGTH, WIDTH, torch.empty(LENGTH, WIDTH)),
    ),
    "mae": table("MAE", XY, grid=[14, 14], blank_rows=[0])(
        MODELS("vit_mae", "ViTMAEEmbeddings"), mae
    ),
    "mae_decoder": table("MAE's decoder", XY, grid=[14, 14], blank_rows=[0])(
        MODELS("vit_mae", "ViTMAEDecoder"),
        lambda program: program(transformers.ViTMAEConfig(), 196).decoder_pos_embed[0],
    ),
    "rt_detr": table("RT-DETR", YX, grid=GRID)(
        MODELS("rt_detr", "RTDetrSinePositionEmbedding"),
        lambda program: program(WIDTH)(6, 4, torch.device("cpu"), torch.float32)[0],
    ),
    "detr": table("DETR", PAIRS, grid=GRID, start=1)(
        MODELS("detr", "DetrSinePositionEmbedding"), detr
    ),
    "detr_normalized": table("DETR, normalized", PAIRS, grid=GRID, start=1, scale=AROUND)(
        MODELS("detr", "DetrSinePositionEmbedding"), partial(detr, normalize=True)
    ),
    "stretched": table("get_2d_sincos_pos_embed, base_size 16", XY, grid=GRID, scale=[4, 16 / 6])(
        f"{DIFFUSERS}get_2d_sincos_pos_embed", lambda program: program(WIDTH, GRID, base_size=16)
    ),
    "patches": table("PixArt", XY, grid=[8, 8], scale=[0.5, 0.5])(
        f"{DIFFUSERS}PatchEmbed",
        lambda program: program(16, 16, 2, embed_dim=WIDTH, interpolation_scale=2).pos_embed[0],
    ),
    "scaled": table("ScaledSinusoidalEmbedding", "sin, cos", amplitude=WIDTH**-0.5)(
        "x_transformers.x_transformers:ScaledSinusoidalEmbedding",
        lambda program: program(WIDTH)(torch.empty(1, LENGTH)),
    ),
    "encoding": table("PositionalEncoding1D", "pairs")(
        f"{ENCODING}1D", lambda cls: cls(WIDTH)(torch.empty(1, LENGTH, WIDTH))[0]
    ),
    "encoding_2d": table("PositionalEncoding2D", PAIRS, grid=GRID)(
        f"{ENCODING}2D", lambda cls: cls(WIDTH)(torch.empty(1, *GRID, WIDTH))[0].flatten(0, 1)
    ),
    "simple_vit": table("SimpleViT", XY, "m - 1", grid=GRID)(
        "vit_pytorch.simple_vit:posemb_sincos_2d", lambda program: program(*GRID, WIDTH)
    ),
    "annotated": table("The Annotated Transformer", "pairs")(ANNOTATED, annotated),
    "tensor2tensor": table("tensor2tensor", "sin, cos", "m - 1")(T2T, lambda: log_spaced(WIDTH)),
    "fairseq": padded()(FAIRSEQ, lambda: log_spaced(WIDTH, blank=1)),
    "fairseq_odd": padded(blank_columns=[32])(FAIRSEQ, lambda: log_spaced(33, blank=1)),
    "fairseq_bfloat16": padded()(FAIRSEQ, lambda: log_spaced(512, 64, blank=1).bfloat16()),
    # rotations of unit vectors
    **transformer("Llama", "LlamaRotary", "halves", transformers.LlamaConfig(head_dim=HEAD)),
    **transformer("GPT-NeoX", "GPTNeoXRotary", "halves", NEOX, width=WIDTH, turned=8),
    **transformer("GLM", "GlmRotary", "pairs", GLM, turned=8),
    **transformer("Cohere", "CohereRotary", "pairs", COHERE, base=500_000),
    **transformer("DINOv3", "DINOv3ViTRopePosition", "halves", VIT, PIXELS, **CENTERED),
    **transformer("Qwen2-VL", "Qwen2VLRotary", "halves", QWEN, torch.empty(1), PLACES, **THREE),
    "turn_gptj": turn("GPT-J", "pairs")(MODELS("gptj", "create_sinusoidal_positions"), gptj),
    "turn_x_transformers": turn("x-transformers", "pairs", turned=8)(
        "x_transformers.x_transformers:RotaryEmbedding",
        lambda rotary: neighbor(rotary, "apply_rotary_pos_emb")(units(), rotary(8)(TOKENS)[0]),
    ),
    "turn_rotary_embedding": turn("RotaryEmbedding", "pairs")(
        "rotary_embedding_torch:RotaryEmbedding",
        lambda program: program(HEAD).rotate_queries_or_keys(units()),
    ),
    "turn_timm": turn("RotaryEmbeddingCat", "pairs", **AXIAL)(
        "timm.layers.pos_embed_sincos:RotaryEmbeddingCat", patches
    ),
    "turn_ours_halves": turn("Rotary, halves", "halves")(
        OURS, lambda program: program(HEAD)(units(), TOKENS)
    ),
    "turn_ours_pairs": turn("Rotary, pairs", "pairs", turned=8, base=500.0)(
        OURS, lambda program: program(HEAD, layout="pairs", turned=8, base=500.0)(units(), TOKENS)
    ),
}
