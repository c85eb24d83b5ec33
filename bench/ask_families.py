"""Record what each family of transformers does with positions in its default configuration.

A family's model is built without weights. Its own modules, not those of other families in it, are
examined: rotary modules are called as their signatures want it, tables are described by their
numbers, and learned ones are known by the names of their parameters.
"""

import importlib
import inspect
import re
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import version

import numpy as np
import torch
import transformers
from torch.overrides import TorchFunctionMode
from tqdm import tqdm
from transformers import PreTrainedConfig
from transformers.initialization import no_init_weights
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc.layouts import describe, probe_rotary

LONGEST = ("max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length")
LONGEST += ("seq_length", "n_ctx", "max_source_positions")
TURNING = r"\b((?:vision_)?apply_\w*(?:rot|rope)\w*)\("
# A rotation under a condition, which is then evaluated for the layer itself.
CONDITION = re.compile(rf"\n +if (self\.[^\n:#]+):[^\n]*\n(?:[^\n]*\n){{0,2}}?[^\n]*{TURNING}")
OTHERWISE = rf"\n +else:\n(?:[^\n]*\n){{0,2}}?[^\n]*{TURNING}"
# Where a layer puts the rotated columns, if it rotates a part of the head.
LAST = re.compile(r"cat\(\s*[\[(]\s*\w*(?:pass|nope)\w*,\s*\w*(?:rot|pe|rope)\w*")
FIRST = re.compile(r"cat\(\s*[\[(]\s*\w*(?:rot|pe|rope|embed)\w*,\s*\w*(?:pass|nope)\w*")
# What the names of parameters and buffers mean; the first match counts, and None is no table.
PARTS = {
    None: r"post|pos_conv|query_pos|_proj\.|_ids|_index|gate|alpha|memory|scaling|coords|inv"
    r"|compress|indexer|projector\.weight|projection|shared|conv_up",
    "relative buckets": r"relative_attention_bias|rel_attn_embed|rel_pos_bias|rel_pos_._bias",
    "biased": r"bias_table|rel_pos|distance_emb|rel_emb|pe_k|emb_rel|r_r_bias|pos_bias_u|bias_mlp",
    "added learned": r"pos\w*emb|position|wpe|pos_enc|embed_pos",
}
# How modules take n positions, by the number of axes.
FORMS = {3: (lambda t: t.T[:, None], lambda t: t), 2: (lambda t: t[None], lambda t: t)}
FORMS[1] = (lambda t: t.T, lambda t: t[:, 0])
# How functions that rotate take n rows: as batch, heads and tokens, or with fewer axes.
ARRANGEMENTS = (lambda x: x[None, None], lambda x: x[:, None], lambda x: x[None, :, None])
AXIS_NAMES = {1: "t", 2: "yx", 3: "tyx"}
# What a call raises if its arguments don't fit.
MISFITS = (AttributeError, IndexError, RuntimeError, TypeError, ValueError)
ROTARY = re.compile(r"Rotary|R[oO][pP][eE](?!\w*Attention)")


@cache
def source(cls):
    """Return the source code of a class, or nothing if it has none."""
    with suppress(OSError, TypeError):
        return inspect.getsource(cls)
    return ""


def rounded(number, digits=6):
    """Return a number rounded to significant digits."""
    return float(f"{number:.{digits}g}")


class Weightless(TorchFunctionMode):
    """Gives uninitialized and large tensors a shape and no memory."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        """Call `function`, on the device `meta` where it would fill memory."""
        kwargs = kwargs or {}
        filled = function in (torch.zeros, torch.ones, torch.randn, torch.rand)
        size = args[0] if args and isinstance(args[0], (tuple, list)) else args
        large = filled and np.prod([int(n) for n in size]) > 1e7
        if (function is torch.empty or large) and kwargs.get("device") is None:
            kwargs["device"] = "meta"
        return function(*args, **kwargs)


def build_model(config_class):
    """Return a family's model in its default configuration, without weights."""
    config, classes = config_class(), transformers.MODEL_MAPPING.get(config_class, [])
    classes = classes if isinstance(classes, (tuple, list)) else [classes]
    if not classes:
        file = config_class.__module__.replace("configuration_", "modeling_")
        with suppress(ModuleNotFoundError):
            members = vars(importlib.import_module(file)).values()
            models = [cls for cls in members if getattr(cls, "config_class", None) is config_class]
            classes = [cls for cls in models if not cls.__name__.endswith("PreTrainedModel")]
    if not classes:
        raise LookupError("no model is made from this configuration alone")
    with Weightless(), no_init_weights():
        return classes[0](config).eval()


def own_modules(module, config_class, path=""):
    """Yield paths and modules, without those configured by another family."""
    yield path, module
    for name, child in module.named_children():
        config = getattr(child, "config", None)
        if not isinstance(config, PreTrainedConfig) or type(config) is config_class:
            yield from own_modules(child, config_class, f"{path}.{name}")


# --- rotations ---


def angles(rotary, positions, **options):
    """Return what a module computes for n positions: cosines and sines, or complex numbers."""
    n, axes = positions.shape
    if axes == 2 and "pixel_values" in inspect.signature(rotary.forward).parameters:
        size, patch = rotary.config.image_size, rotary.config.patch_size
        patches = positions @ torch.tensor([size // patch, 1])
        tables = rotary(torch.empty(1, 3, size, size, dtype=torch.float32))
        return [table[patches] for table in tables]
    for form in FORMS[axes]:
        with suppress(*MISFITS):
            tables = rotary(torch.zeros(1, n, 8), form(positions), **options)
            tables = tables if isinstance(tables, tuple) else (tables,)
            if all(table.shape[:-1].numel() == n and n in table.shape[:2] for table in tables):
                return tables
    raise ValueError(f"its angles are not those of {n} places on {axes} axes")


def turn_by(apply, angles_at, permute, arrange, x, positions):
    """Return the rows of x, rotated by a program's function as its parameters want it."""
    names, x = list(inspect.signature(apply).parameters), torch.from_numpy(x).float()
    tables = angles_at(torch.from_numpy(positions.reshape(len(x), -1)))
    rows = arrange(permute(x))
    if names[1:3] == ["sin", "cos"]:
        result = apply(rows, *[table[None] for table in tables[::-1]])
    elif names[0] == "sinusoidal_pos":
        result = apply(torch.cat(tables[::-1], dim=-1), rows, rows)
    elif names[:4] == ["x", "cos", "sin", "position_ids"]:  # told by their shape to be a picture's
        result = apply(rows, *tables, torch.zeros(1, 1, 2))
    else:
        others = [rows] * sum(name in names for name in ("k", "xk", "v"))
        result = apply(rows, *others, *tables)
    result = result[0] if isinstance(result, tuple) else result
    if result.shape != rows.shape:
        raise ValueError(f"{apply.__name__} does not turn {x.shape[1]} columns")
    return result.reshape(x.shape).double().numpy()


def turn_function(apply, angles_at, permute, head, axes):
    """Return a function that rotates rows, by the first arrangement that `apply` takes."""
    for arrange in ARRANGEMENTS:
        turn = partial(turn_by, apply, angles_at, permute, arrange)
        try:  # with few rows, since a wrong arrangement may make rows times rows
            turn(np.ones((5, head)), np.arange(5 * axes).reshape(5, axes) % 5)
            return turn
        except MISFITS as error:
            misfit = error
    raise misfit


class TableRotary(torch.nn.Module):
    """Reads angles from a table, half sines and half cosines, with which some models rotate."""

    def __init__(self, table):
        super().__init__()
        self.table = table.detach().squeeze()

    def forward(self, x, position_ids):
        """Return cosines and sines, as rotary modules do."""
        return self.table[position_ids[0]].chunk(2, dim=-1)[::-1]


def head_width(attention):
    """Return the width of a head by any of its usual names, or 0."""
    for name in ("qk_head_dim", "head_dim", "head_size", "attention_head_size"):
        if isinstance(width := getattr(attention, name, None), int):
            return width
    return 0


def describe_rotary(modules, rotary, **options):
    """Return what a rotary module, and the function that applies it, do to a head."""
    file = inspect.getmodule(type(modules[0][1]))
    angles_at = partial(angles, rotary, **options)
    layers = [module for _, module in modules if re.search(TURNING, source(type(module)))]
    main = [layer for layer in layers if not re.search("Indexer|Compressor", type(layer).__name__)]
    layers = main or layers
    users = {name: layer for layer in layers for name in re.findall(TURNING, source(type(layer)))}
    if not getattr(modules[0][1].config, "rope_interleave", True):
        users = {name: layer for name, layer in users.items() if "interleave" not in name}
    heads = {head_width(layer) for layer in layers if "Indexer" not in type(layer).__name__} - {0}
    length = len(getattr(rotary, "table", range(4096)))  # or the patches in a row of a picture
    if "pixel_values" in inspect.signature(rotary.forward).parameters:
        length = rotary.config.image_size // rotary.config.patch_size
    failure = "no layer of the default configuration applies its angles"
    for axes in FORMS:  # as many as possible, if all of them rotate something within the head
        try:
            tables = angles_at(torch.zeros(5, axes, dtype=torch.long))
        except MISFITS as error:
            failure = str(error)
            continue
        width = tables[0].shape[-1] * (1 + tables[0].is_complex())
        for name, layer in users.items():
            apply = getattr(file, name, getattr(layer, name, None))
            # Some reorder the head's columns first.
            reorder = re.search(rf"{name}\(\s*(\w+)\(query", source(type(layer)))
            permute = getattr(file, reorder[1]) if reorder else lambda rows: rows
            for head in sorted(heads | {width, 2 * width}) if apply else ():
                if not width <= head <= max(heads, default=head):
                    continue
                try:
                    turn = turn_function(apply, angles_at, permute, head, axes)
                    description = probe(turn, head, axes, length)
                except MISFITS as error:
                    failure = str(error)
                    continue
                head = min((other for other in heads if other >= head), default=head)
                if description.width < head and not LAST.search(source(type(layer))):
                    with suppress(*MISFITS):  # some take the whole head and rotate a part of it
                        whole = probe(turn, head, axes, length)
                        if whole.pairs.size == description.pairs.size:
                            description = whole
                return turn_entry(description, head, source(type(layer)))
    raise ValueError(failure)


def probe(turn, head, axes, length):
    """Call `probe_rotary`; if position 0 rotates as well, undo that rotation everywhere first."""

    def turn_several(x, positions):
        # A picture's module may refuse a single position, or read it as two on two axes.
        times = 5 if len(x) == 1 else 1
        return turn(np.repeat(x, times, axis=0), np.repeat(positions, times, axis=0))[: len(x)]

    try:
        return probe_rotary(turn_several, head, axes=axes, length=length)
    except ValueError:
        undo = np.linalg.inv(turn(np.eye(head), np.zeros((head, axes), int)))
        from_zero = lambda x, positions: np.float32(turn_several(x, positions) @ undo)  # noqa: E731
        return probe_rotary(from_zero, head, axes=axes, length=length)


def turn_entry(description, head, code):
    """Return the entry of a rotation, by its description and a layer's code."""
    pairs = description.pairs
    entry = {"layout": description.layout, "sense": description.sense}
    entry |= {"head": head, "turned": pairs.size}
    if len(axes := set(description.axes)) > 1:
        entry["axes"] = "".join(AXIS_NAMES[len(axes)][axis] for axis in description.axes)
    gaps = set((pairs[:, 1] - pairs[:, 0]).tolist())
    if pairs.size < head and len(gaps) == 1:
        entry["partner"] = gaps.pop()
        if LAST.search(code) and description.width < head:
            entry["from"] = head - description.width + int(pairs.min())
        elif FIRST.search(code) or description.width == head:
            entry["from"] = int(pairs.min())
    if some_heads := re.search(r"query\[:, :(\d+)\], key\[:, :\1\] =", code):
        entry["heads"] = int(some_heads[1])
    entry["speeds"] = [rounded(speed) for speed in description.speeds]
    if not np.isclose(description.factor, 1):
        entry["attention_factor"] = rounded(description.factor)
    return entry


def base_and_rule(entry, rule):
    """Return the base of an entry's speeds, and how its rule slows them.

    Pair k should have the speed base ** (-k / P), and the two fastest speeds show the base. P is
    the number of pairs, or of an axis's pairs if each axis has its own speeds, or half the head's
    width under `proportional`. For an odd number of columns it's half less; a rounder base tells.
    """
    axes, speeds = entry.get("axes", ""), np.array(entry["speeds"])
    steps = np.diff(np.log(speeds))
    if axes and np.ptp(steps) > 1e-3:
        speeds = speeds[[axis == axes[0] for axis in axes]]
        steps = np.diff(np.log(speeds))
    slope = steps.mean() if np.ptp(steps) < 1e-3 else steps[0]
    P = entry["head"] // 2 if rule == "proportional" else len(speeds)
    for candidate in (P - 0.5, P):
        base = np.exp(-candidate * slope)
        if abs(base / rounded(base, 1) - 1) < 1e-4:
            P = candidate
    result = {"base": rounded(np.exp(-P * slope), 4), "P": P, "rule": rule}
    slowed = np.exp(slope * np.arange(len(speeds))) / speeds
    if rule not in ("default", "axial", None) and slowed.max() > 1.001:
        result["slowed"] = [rounded(slowed[0], 4), rounded(slowed[-1], 4)]
        result["kept"] = int((slowed < 1.001).sum())
    return result


def describe_rotations(modules, rotaries):
    """Return an entry for each rotary module and type of layer, and what failed."""
    entries, errors = [], []
    for rotary in rotaries:
        types, rules = [None], getattr(rotary, "rope_type", None)
        if "layer_type" in inspect.signature(rotary.forward).parameters:
            types = sorted(set(getattr(rotary, "layer_types", rules)))
            types.sort(key=lambda name: name not in ("full_attention", "main"))
        for layer_type in types:
            options = {"layer_type": layer_type} if layer_type else {}
            try:
                entry = describe_rotary(modules, rotary, **options)
            except (*MISFITS, KeyError) as error:
                errors.append(f"could not be turned: {type(rotary).__name__}, {error}")
            else:
                rule = rules[layer_type] if isinstance(rules, dict) else rules
                layers = {"layers": layer_type} if layer_type else {}
                entries.append(layers | base_and_rule(entry, rule) | entry)
    return entries, errors


def count_still_layers(config, modules, rotations):
    """Return how many layers don't rotate, of how many: by base, by type or by a condition."""
    bases = getattr(config, "layer_rope_theta", None) or []
    types = [name for name in getattr(config, "layer_types", None) or [] if "attention" in name]
    rotating = {entry["layers"] for entry in rotations if entry.get("layers") in types}
    if 0 in bases or len({*rotating, *types}) > len(rotating) > 0:
        still = bases.count(0) or sum(name not in rotating for name in types)
        return {"still": [still, len(bases or types)]}
    results = []
    for layer in {module for _, module in modules}:
        code = source(type(layer))
        condition = CONDITION.search(code)
        if condition and not re.search(OTHERWISE, code[condition.end() :][:300]):
            with suppress(NameError, *MISFITS):
                results.append(bool(eval(condition[1], {"self": layer})))
    still = results.count(False)
    return {"still": [still, len(results)]} if 0 < still < len(results) else {}


def refused_rotations(modules):
    """Return what `probe_rotary` refuses of a layer that rotates by its own method, on axes."""
    for _, layer in modules:
        method = getattr(layer, "apply_rotary_embeddings", None)
        if method and list(inspect.signature(method).parameters) == ["qk", "pos_ids"]:

            def turn(x, positions, method=method):
                x = torch.from_numpy(x).float()[None, None]
                return method(x, [*torch.from_numpy(positions.T).float()])[0, 0].double().numpy()

            with suppress(RuntimeError):
                try:
                    probe_rotary(turn, layer.attention_head_size, axes=3)
                except ValueError as error:
                    return [{"head": layer.attention_head_size, "refused": str(error)}]
    return []


# --- added tables and biases ---


def position_tables(model, modules):
    """Return the tables of positions by kind, each with its name, its size and its sinusoids."""
    tables = {}
    for path, module in modules:
        plain = [(name, value) for name, value in vars(module).items() if torch.is_tensor(value)]
        for name, table in [*module._parameters.items(), *module._buffers.items(), *plain]:
            full = f"{path}.{name}"
            end = ".".join(full.split(".")[-3:])
            kind = next((kind for kind, names in PARTS.items() if re.search(names, end)), None)
            if table is None or not table.is_floating_point() or table.dim() < 2 or not kind:
                continue
            size = [n for n in table.shape if n > 1]
            entry = {"part": re.sub(r"^\.|\.weight$", "", full), "size": size}
            if kind == "added learned" and "Rel" in type(module).__name__:
                kind = "biased"
            elif kind == "added learned" and len(size) == 2 and table.numel() < 5e7:
                with suppress(*MISFITS):
                    entry |= describe_sinusoids(initialized(model, path, module, name))
                    kind = "added sinusoids"
                if kind == "added learned" and not getattr(module, name).requires_grad:
                    kind = None  # fixed, and no plain table of sinusoids
            entries = tables.setdefault(kind, [])
            if size not in [other["size"] for other in entries]:
                entries.append(entry)
    return tables


def initialized(model, path, module, name):
    """Return a table as the model initializes it, which may need the modules around it."""
    table = getattr(module, name)
    if table.device.type != "meta" and table.any():
        return table
    setattr(module, name, torch.nn.Parameter(torch.zeros(table.shape), table.requires_grad))
    owners = path.split(".")[1:]
    for depth in range(len(owners), -1, -1):
        with suppress(*MISFITS, NotImplementedError):
            model._init_weights(model.get_submodule(".".join(owners[:depth])))
    return getattr(module, name)


def describe_sinusoids(table):
    """Return what `describe` says of a table, row by row or as that of a square picture."""
    rows, errors = table.detach().squeeze().float().numpy(), []
    side = int(np.sqrt(np.count_nonzero(rows.any(axis=1))))
    for grid in (None, (side, side)):
        try:
            description = describe(rows if grid else rows[:4096], grid=grid)
        except ValueError as error:
            errors.append(error)
            continue
        axis = description.axes["x"] if description.axes else description
        bases = {P: base for P, (base, _) in axis.bases().items()}
        P = min(bases, key=lambda P: abs(bases[P] - rounded(bases[P], 1)) / bases[P])
        return {
            "layout": axis.layout,
            "first": axis.first,
            "columns": description.arrangement(),
            "base": rounded(bases[P], 4),
            "P": P,
            "start": None if axis.start is None else round(axis.start, 3) + 0.0,  # no negative zero
            "blank": len(description.blank),
        }
    raise errors[0]


def alibi_slopes(config, modules):
    """Return ALiBi's slopes, where a program has a function for them and uses it."""
    file = inspect.getmodule(type(modules[0][1]))
    names = [name for name in vars(file) if re.fullmatch(r"build_\w*alibi_tensor", name)]
    used = getattr(config, "alibi", getattr(getattr(config, "attn_config", None), "alibi", True))
    if not names or not used:
        return {}
    build, heads = getattr(file, names[0]), getattr(config, "n_heads", None) or config.n_head
    if "attention_mask" in inspect.signature(build).parameters:
        bias = build(torch.ones(1, 5), heads, torch.float32)
    else:
        bias = build(heads, 5)
    slopes = bias.reshape(heads, 5).diff()[:, 0]
    return {"biased": [{"part": names[0], "slopes": [rounded(slope) for slope in slopes]}]}


# --- a family ---

ORDER = ("turned", "no rotation", "biased", "relative buckets")
ORDER += ("added sinusoids", "added learned", "convolution")


def row_of(name, config_class):
    """Return what a family does with positions, or raise a LookupError that says why not."""
    model = build_model(config_class)
    config, modules = model.config, list(own_modules(model, config_class))
    classes = {type(module).__name__ for _, module in modules}
    rotaries = {type(m): m for _, m in modules if ROTARY.search(type(m).__name__)}
    rotations, errors = describe_rotations(modules, rotaries.values())
    parts = {"turned": rotations} if rotations else {}
    parts |= position_tables(model, modules) | alibi_slopes(config, modules)
    for added in [] if rotations else parts.get("added sinusoids", []):
        path, _, attribute = added["part"].rpartition(".")
        with suppress(AttributeError):
            table = getattr(model.get_submodule(path), attribute)
            table = getattr(table, "weight", table)
            if rotations := describe_rotations(modules, [TableRotary(table)])[0]:
                parts = {"turned": rotations}
    if any("PositionalConv" in cls for cls in classes):
        parts["convolution"] = []
    if parts.pop(None, None) and not parts:
        raise LookupError("adds a fixed table that is no plain table of sinusoids")
    if refused := refused_rotations(modules):
        parts["no rotation"] = refused
    if errors and not parts.get("turned"):
        raise LookupError(errors[0])
    if not parts:
        if len(modules) < len(list(model.modules())):
            raise LookupError("made of other families")
        encoders = {cls for cls in vars(inspect.getmodule(type(model))) if "nEncod" in cls}
        if any(re.search("Rel|Sin|Pos(?!t)", cls) for cls in classes | encoders):
            raise LookupError("makes positions where it uses them, in no part of its own")
        mixes = any(re.search("Att|Mix|Mamba|LSTM|Rwkv", cls) for cls in classes)
        if not mixes or not hasattr(config, "vocab_size"):
            raise LookupError("reads no text, and no part for positions was found")
    kinds = [kind for kind in ORDER if kind in parts]
    lengths = [getattr(config, attribute, None) for attribute in LONGEST]
    longest = next((n for n in lengths if isinstance(n, int) and n > 1), None)
    file = inspect.getmodule(type(model)).__name__.replace(".", "/") + ".py"
    row = {"name": name, "kind": kinds[0] if kinds else "none", "longest": longest, "file": file}
    row |= {"also": kinds[1:]} if kinds[1:] else {}
    row |= count_still_layers(config, modules, parts.get("turned", ()))
    return row | {kind: parts[kind] for kind in kinds if parts[kind]}


def reason_of(error):
    """Return in a line why a family has no row."""
    if isinstance(error, LookupError) and not isinstance(error, (KeyError, IndexError)):
        return str(error)
    if isinstance(error, ImportError):
        missing = re.search(r"requires the (\S+) library|No module named '([^']+)'", str(error))
        return f"needs what is not here: {missing[1] or missing[2].rpartition('.')[2]}"
    message = re.sub(r"<module [^>]*>", "a module", " ".join(str(error).split()))[:100]
    return f"its own default fails: {type(error).__name__}: {message}"


def rows_of_other_packages(programs):
    """Return a row for each program of other packages among the entries of `tables.json`."""
    rows = {}
    for kind, key in (("added sinusoids", "tables"), ("turned", "turns")):
        for entry in programs[key]:
            file, _, part = entry["called"].partition(":")
            of_text = part != "get_timestep_embedding"  # whose positions are steps of diffusion
            if file.split(".")[0] not in ("diffusers", "timm", "x_transformers") or not of_text:
                continue
            detail = {"part": part, "size": entry["shape"]}
            for name in ("layout", "first", "columns", "base", "P", "turned", "speeds"):
                detail |= {name: entry[name]} if name in entry else {}
            if kind == "turned":
                axes = entry["axes"]
                detail |= {"sense": 1, "head": entry["width"], "rule": "default"}
                detail |= {"axes": axes} if len(set(axes)) > 1 else {}
                detail["P"] = axes.count(axes[0])
            row = {"name": entry["name"], "kind": kind, "longest": None}
            row |= {"file": file.replace(".", "/") + ".py", kind: [detail]}
            rows.setdefault(entry["name"], row)
    return list(rows.values())


def record(rows=()):
    """Return the versions, a row for each family after the given ones, and who has none."""
    rows, reasons = list(rows), []
    for name in tqdm(CONFIG_MAPPING, "families"):
        try:
            rows.append(row_of(name, CONFIG_MAPPING[name]))
        except Exception as error:  # any, since the guide says of each family why it has no row
            reasons.append({"name": name, "reason": reason_of(error)})
    packages = {row["file"].partition("/")[0] for row in rows}
    versions = {package: version(package.replace("_", "-")) for package in sorted(packages)}
    rows = [row | {"version": versions[row["file"].partition("/")[0]]} for row in rows]
    return {"versions": [versions], "rows": rows, "not asked": reasons}
