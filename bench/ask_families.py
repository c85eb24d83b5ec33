"""Ask every family of a library what it does with positions, one default configuration each.

A family's model is made without weights. Of what is its own, and no other family's, the parts that
make positions are asked: modules by their signatures, tables by their numbers, and the names of
parameters say what is learned. What a row says, a module said.
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
# What turns only if a condition holds, which is then asked of the module itself.
CONDITION = re.compile(rf"\n +if (self\.[^\n:#]+):[^\n]*\n(?:[^\n]*\n){{0,2}}?[^\n]*{TURNING}")
OTHERWISE = rf"\n +else:\n(?:[^\n]*\n){{0,2}}?[^\n]*{TURNING}"
# Where a layer puts what is turned, if it turns a part of the head.
LAST = re.compile(r"cat\(\s*[\[(]\s*\w*(?:pass|nope)\w*,\s*\w*(?:rot|pe|rope)\w*")
FIRST = re.compile(r"cat\(\s*[\[(]\s*\w*(?:rot|pe|rope|embed)\w*,\s*\w*(?:pass|nope)\w*")
# What the names of parameters and of buffers say; the first that fits.
PARTS = {
    None: r"post|pos_conv|query_pos|_proj\.|_ids|_index|gate|alpha|memory|scaling|coords|inv"
    r"|compress|indexer|projector\.weight|projection|shared|conv_up",
    "relative buckets": r"relative_attention_bias|rel_attn_embed|rel_pos_bias|rel_pos_._bias",
    "biased": r"bias_table|rel_pos|distance_emb|rel_emb|pe_k|emb_rel|r_r_bias|pos_bias_u|bias_mlp",
    "added learned": r"pos\w*emb|position|wpe|pos_enc|embed_pos",
}
# How a module may take n places of so many axes.
FORMS = {3: ["t.T[:, None]", "t"], 2: ["t[None]", "t"], 1: ["t.T", "t[:, 0]"]}
# How a function that turns may take n rows: of batch, heads, tokens, or of fewer.
ARRANGEMENTS = (lambda x: x[None, None], lambda x: x[:, None], lambda x: x[None, :, None])
AXES = {1: "t", 2: "yx", 3: "tyx"}
WRONG = (AttributeError, IndexError, RuntimeError, TypeError, ValueError)
ROTARY = re.compile(r"Rotary|R[oO][pP][eE](?!\w*Attention)")


@cache
def source(kind):
    """Return how a class is written, or nothing where a program made it."""
    with suppress(OSError, TypeError):
        return inspect.getsource(kind)
    return ""


class Weightless(TorchFunctionMode):
    """Makes no weights: what is left empty, or is large, has a shape and no numbers."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        """Call `function`, on no device where it would fill memory."""
        kwargs = kwargs or {}
        filled = function in (torch.zeros, torch.ones, torch.randn, torch.rand)
        size = args[0] if args and isinstance(args[0], (tuple, list)) else args
        large = filled and np.prod([int(n) for n in size]) > 1e7
        if (function is torch.empty or large) and kwargs.get("device") is None:
            kwargs["device"] = "meta"
        return function(*args, **kwargs)


def model_of(kind):
    """Return a family's model, of its default configuration, without weights."""
    config = kind()
    try:
        classes = transformers.MODEL_MAPPING[kind]
        classes = classes if isinstance(classes, (tuple, list)) else [classes]
    except KeyError:
        name, classes = kind.__module__.replace("configuration_", "modeling_"), []
        with suppress(ModuleNotFoundError):
            held = vars(importlib.import_module(name)).values()
            models = [it for it in held if getattr(it, "config_class", None) is kind]
            classes = [it for it in models if not it.__name__.endswith("PreTrainedModel")]
    if not classes:
        raise LookupError("no model is made from this configuration alone")
    with Weightless(), no_init_weights():
        return classes[0](config).eval()


def own(module, kind, path=""):
    """Yield what is not made from another family's configuration."""
    yield path, module
    for name, child in module.named_children():
        config = getattr(child, "config", None)
        if not isinstance(config, PreTrainedConfig) or type(config) is kind:
            yield from own(child, kind, f"{path}.{name}")


# --- what turns ---


def angles(rotary, places, **given):
    """Return what a module makes of n places: cosines and sines, or complex numbers."""
    n, axes = places.shape
    if "pixel_values" in inspect.signature(rotary.forward).parameters and axes == 2:
        size, patch = rotary.config.image_size, rotary.config.patch_size
        rows = places @ torch.tensor([size // patch, 1])
        return [it[rows] for it in rotary(torch.empty(1, 3, size, size, dtype=torch.float32))]
    for form in FORMS[axes]:
        with suppress(*WRONG):
            found = rotary(torch.zeros(1, n, 8), eval(form, {"t": places}), **given)
            found = found if isinstance(found, tuple) else (found,)
            if all(it.shape[:-1].numel() == n and n in it.shape[:2] for it in found):
                return found
    raise ValueError(f"its angles are not those of {n} places on {axes} axes")


def turn_by(apply, make, before, arrange, x, positions):
    """Return the rows of x, turned by a program's function as its parameters want it."""
    names, x = list(inspect.signature(apply).parameters), torch.from_numpy(x).float()
    given = make(torch.from_numpy(positions.reshape(len(x), -1)))
    rows = arrange(before(x))
    beside = [rows] * sum(name in names for name in ("k", "xk", "v"))
    if names[1:3] == ["sin", "cos"]:
        made = apply(rows, *[part[None] for part in given[::-1]])
    elif names[0] == "sinusoidal_pos":
        made = apply(torch.cat(given[::-1], dim=-1), rows, rows)
    elif names[:4] == ["x", "cos", "sin", "position_ids"]:  # of a picture, by their shape
        made = apply(rows, *given, torch.zeros(1, 1, 2))
    else:
        made = apply(rows, *beside, *given)
    made = made[0] if isinstance(made, tuple) else made
    if made.shape != rows.shape:
        raise ValueError(f"{apply.__name__} does not turn {x.shape[1]} columns")
    return made.reshape(x.shape).double().numpy()


def turning(apply, make, before, head, axes):
    """Return a function that turns rows by a program's, in the first arrangement that it takes."""
    errors = []
    for arrange in ARRANGEMENTS:
        turn = partial(turn_by, apply, make, before, arrange)
        try:  # with few rows, since a wrong arrangement may make rows times rows
            turn(np.ones((5, head)), np.arange(5 * axes).reshape(5, axes) % 5)
        except WRONG as error:
            errors.append(error)
        else:
            return turn
    raise errors[-1]


class Tabled(torch.nn.Module):
    """Gives angles from a table, half sines and half cosines, by which some turn."""

    def __init__(self, table):
        super().__init__()
        self.table = table.detach().squeeze()

    def forward(self, x, position_ids):
        """Return cosines and sines, as rotary modules do."""
        return self.table[position_ids[0]].chunk(2, dim=-1)[::-1]


def width_of(attention):
    """Return how wide a head is, as the layers call it; of some it is in two parts."""
    names = ("qk_head_dim", "head_dim", "head_size", "attention_head_size")
    held = [getattr(attention, it, None) for it in names]
    return next((it for it in held if isinstance(it, int)), 0)


def turned(modules, rotary, **given):
    """Return what a rotary module, and the function that applies it, do to a head."""
    file, asked = inspect.getmodule(type(modules[0][1])), partial(angles, rotary, **given)
    users = [it for _, it in modules if re.search(TURNING, source(type(it)))]
    users = [it for it in users if not re.search("Indexer|Compressor", type(it).__name__)] or users
    applied = {it: user for user in users for it in re.findall(TURNING, source(type(user)))}
    if not getattr(modules[0][1].config, "rope_interleave", True):
        applied = {it: user for it, user in applied.items() if "interleave" not in it}
    heads = {width_of(it) for it in users if "Indexer" not in type(it).__name__} - {0}
    errors = ["no layer of the default configuration applies its angles"]
    for axes in FORMS:  # the most that all turn something, within the head
        try:
            both = asked(torch.zeros(5, axes, dtype=torch.long))
        except WRONG as error:
            errors.append(str(error))
            continue
        width = both[0].shape[-1] * (1 + both[0].is_complex())
        for name, user in applied.items():
            apply = getattr(file, name, getattr(user, name, None))
            # Some give the columns in another order than the head has them.
            before = re.search(rf"{name}\(\s*(\w+)\(query", source(type(user)))
            before = getattr(file, before[1]) if before else lambda rows: rows
            for head in sorted(heads | {width, 2 * width}) if apply else ():
                if not width <= head <= max(heads, default=head):
                    continue
                try:
                    turn = turning(apply, asked, before, head, axes)
                    found = probed(turn, head, axes, length_of(rotary))
                except WRONG as error:
                    errors.append(str(error))
                else:
                    head = min((it for it in heads if it >= head), default=head)
                    if found.width < head and not LAST.search(source(type(user))):
                        with suppress(*WRONG):  # some take the whole head, and turn a part of it
                            whole = probed(turn, head, axes, length_of(rotary))
                            found = whole if whole.pairs.size == found.pairs.size else found
                    return told_turn(found, head, user)
    raise ValueError(errors[-1])


def length_of(rotary):
    """Return how many positions a module knows: of a picture's, those of its patches."""
    if "pixel_values" in inspect.signature(rotary.forward).parameters:
        return rotary.config.image_size // rotary.config.patch_size
    return len(getattr(rotary, "table", range(4096)))


def probed(turn, head, axes, length):
    """Return what `probe_rotary` says; of what begins elsewhere, when its beginning is undone."""

    def several(x, positions):
        # A module of pictures may take no single place, or take two for the two axes of one.
        if len(x) > 1:
            return turn(x, positions)
        return turn(np.repeat(x, 5, axis=0), np.repeat(positions, 5, axis=0))[:1]

    try:
        return probe_rotary(several, head, axes=axes, length=length)
    except ValueError:
        still = np.linalg.inv(turn(np.eye(head), np.zeros((head, axes), int)))
        later = lambda x, positions: np.float32(several(x, positions) @ still)  # noqa: E731
        return probe_rotary(later, head, axes=axes, length=length)


def told_turn(found, head, user):
    """Return what `probe_rotary` found, and which columns of the head these are."""
    told = {"layout": found.layout, "sense": found.sense, "head": head, "turned": found.pairs.size}
    if len(axes := set(found.axes)) > 1:
        told["axes"] = "".join(AXES[len(axes)][axis] for axis in found.axes)
    apart = set((found.pairs[:, 1] - found.pairs[:, 0]).tolist())
    if found.pairs.size < head and len(apart) == 1:
        told["partner"] = apart.pop()
        if LAST.search(source(type(user))) and found.width < head:
            told["from"] = head - found.width + int(found.pairs.min())
        elif FIRST.search(source(type(user))) or found.width == head:
            told["from"] = int(found.pairs.min())
    if only := re.search(r"query\[:, :(\d+)\], key\[:, :\1\] =", source(type(user))):
        told["heads"] = int(only[1])  # the others keep theirs as they are
    told["speeds"] = [float(f"{it:.6g}") for it in found.speeds]
    if not np.isclose(found.factor, 1):
        told["attention_factor"] = float(f"{found.factor:.6g}")
    return told


def rule_of(told, rule):
    """Return base and rule: what the two fastest speeds of an axis say, and what differs from it.

    Pair k is to have the speed base ** (-k / P). P is the number of pairs, or of an axis's, where
    each has speeds of its own, or, in what is called proportional, half the width of a head. An
    odd number of columns that are to turn makes it half a pair less; the rounder base decides.
    """
    axes, speeds = told.get("axes", ""), np.array(told["speeds"])
    steps = np.diff(np.log(speeds))
    if axes and np.ptp(steps) > 1e-3:
        speeds = speeds[[axis == axes[0] for axis in axes]]
        steps = np.diff(np.log(speeds))
    slope = steps.mean() if np.ptp(steps) < 1e-3 else steps[0]
    P = told["head"] // 2 if rule == "proportional" else len(speeds)
    bases = {it: np.exp(-it * slope) for it in (P, P - 0.5)}
    rounder = [it for it, base in bases.items() if abs(base / float(f"{base:.1g}") - 1) < 1e-4]
    P = [*rounder, P][0]
    found = {"base": float(f"{np.exp(-P * slope):.4g}"), "P": P, "rule": rule}
    slowed = np.exp(slope * np.arange(len(speeds))) / speeds
    if rule not in ("default", "axial", None) and slowed.max() > 1.001:
        found["slowed"] = [float(f"{it:.4g}") for it in (slowed[0], slowed[-1])]
        found["kept"] = int((slowed < 1.001).sum())
    return found


def turns_of(modules, rotaries=()):
    """Return what each rotary module does, for each type of layer, and what failed."""
    asked, errors = [], []
    rotaries = rotaries or {type(it): it for _, it in modules if ROTARY.search(type(it).__name__)}
    for rotary in rotaries.values():
        types, rules = [None], getattr(rotary, "rope_type", None)
        if "layer_type" in inspect.signature(rotary.forward).parameters:
            types = sorted(set(getattr(rotary, "layer_types", rules)))
            types.sort(key=lambda it: it not in ("full_attention", "main"))
        for layers in types:
            given = {} if layers is None else {"layer_type": layers}
            try:
                told = turned(modules, rotary, **given)
            except (*WRONG, KeyError) as error:
                errors.append(f"could not be turned: {type(rotary).__name__}, {error}")
            else:
                rule = rules[layers] if isinstance(rules, dict) else rules
                asked.append(({"layers": layers} if layers else {}) | rule_of(told, rule) | told)
    return asked, errors


def still_layers(config, modules, turns):
    """Return how many layers turn nothing, and of how many: by base, by type or by a condition."""
    bases = getattr(config, "layer_rope_theta", None) or []
    types = [it for it in getattr(config, "layer_types", None) or [] if "attention" in it]
    told = [it["layers"] for it in turns if it.get("layers") in types]
    if 0 in bases or len({*told, *types}) > len({*told}) > 0:
        still = bases.count(0) or sum(it not in told for it in types)
        return {"still": [still, len(bases or types)]}
    tests = {it: CONDITION.search(source(type(it))) for _, it in modules}
    held = []
    for layer, test in tests.items():
        if test and not re.search(OTHERWISE, source(type(layer))[test.end() :][:300]):
            with suppress(NameError, *WRONG):
                held.append(bool(eval(test[1], {"self": layer})))
    still = held.count(False)
    return {"still": [still, len(held)]} if 0 < still < len(held) else {}


def no_rotation(modules):
    """Return what is refused of a layer that turns by its own function, of positions on axes."""
    for _, layer in modules:
        turn = getattr(layer, "apply_rotary_embeddings", None)
        if turn and list(inspect.signature(turn).parameters) == ["qk", "pos_ids"]:

            def asked(x, positions, turn=turn):
                x = torch.from_numpy(x).float()[None, None]
                return turn(x, [*torch.from_numpy(positions.T).float()])[0, 0].double().numpy()

            with suppress(RuntimeError):
                try:
                    probe_rotary(asked, layer.attention_head_size, axes=3)
                except ValueError as error:
                    return [{"head": layer.attention_head_size, "refused": str(error)}]
    return []


# --- what is added, and what biases ---


def parts_of(model, modules):
    """Return the tables of positions, by kind: of what is learned the names and sizes."""
    found, kinds = {}, {it: re.compile(pattern) for it, pattern in PARTS.items()}
    for path, module in modules:
        plain = ((name, held) for name, held in vars(module).items() if torch.is_tensor(held))
        for name, held in [*module._parameters.items(), *module._buffers.items(), *plain]:
            full = f"{path}.{name}"
            kind = next(
                (k for k, it in kinds.items() if it.search(".".join(full.split(".")[-3:]))), None
            )
            if held is None or not held.is_floating_point() or held.dim() < 2 or not kind:
                continue
            size = [n for n in held.shape if n > 1]
            told = {"part": re.sub(r"^\.|\.weight$", "", full), "size": size}
            if kind == "added learned" and "Rel" in type(module).__name__:
                kind = "biased"
            elif kind == "added learned" and len(size) == 2 and held.numel() < 5e7:
                with suppress(*WRONG):
                    told |= sinusoids(filled(model, path, module, name))
                    kind = "added sinusoids"
                if kind == "added learned" and not getattr(module, name).requires_grad:
                    kind = None  # it is fixed, and no plain table of sinusoids
            parts = found.setdefault(kind, [])
            if size not in [it["size"] for it in parts]:
                parts.append(told)
    return found


def filled(model, path, module, name):
    """Return a table as the model fills it, which it may do when all parts are there."""
    table = getattr(module, name)
    if table.device.type != "meta" and table.any():
        return table
    real = torch.nn.Parameter(torch.zeros(table.shape), table.requires_grad)
    setattr(module, name, real)
    owners = path.split(".")[1:]
    for depth in range(len(owners), -1, -1):
        with suppress(*WRONG, NotImplementedError):
            model._init_weights(model.get_submodule(".".join(owners[:depth])))
    return getattr(module, name)


def sinusoids(table, *grids):
    """Return what `describe` says of a table, row by row or as a picture's."""
    rows, errors = table.detach().squeeze().float().numpy(), []
    side = int(np.sqrt(np.count_nonzero(rows.any(axis=1))))
    for grid in grids or (None, (side, side)):
        try:
            found = describe(rows if grid else rows[:4096], grid=grid)
        except ValueError as error:
            errors.append(error)
            continue
        one = found.axes["x"] if found.axes else found
        bases = {P: base for P, (base, _) in one.bases().items()}
        P = min(bases, key=lambda P: abs(bases[P] - float(f"{bases[P]:.1g}")) / bases[P])
        told = {"layout": one.layout, "first": one.first, "columns": found.arrangement()}
        told |= {
            "base": float(f"{bases[P]:.4g}"),
            "P": P,
            "start": one.start and round(one.start, 3),
        }
        return told | {"blank": len(found.blank)}
    raise errors[0]


def slopes(config, modules):
    """Return ALiBi's slopes, where a program has a function for them and uses it."""
    file = inspect.getmodule(type(modules[0][1]))
    names = [it for it in vars(file) if re.fullmatch(r"build_\w*alibi_tensor", it)]
    used = getattr(config, "alibi", getattr(getattr(config, "attn_config", None), "alibi", True))
    if not names or not used:
        return {}
    build, heads = getattr(file, names[0]), getattr(config, "n_heads", None) or config.n_head
    first = next(iter(inspect.signature(build).parameters))
    given = (torch.ones(1, 5), heads, torch.float32) if first == "attention_mask" else (heads, 5)
    steps = build(*given).reshape(heads, 5).diff()[:, 0]
    return {"biased": [{"part": names[0], "slopes": [float(f"{it:.6g}") for it in steps]}]}


# --- a family ---

ORDER = (
    "turned",
    "no rotation",
    "biased",
    "relative buckets",
    "added sinusoids",
    "added learned",
    "convolution",
)


def row_of(name, kind):
    """Return what a family does with positions, or raise a LookupError that says why not."""
    model = model_of(kind)
    config, modules = model.config, list(own(model, kind))
    turns, errors = turns_of(modules)
    found = {"turned": turns} if turns else {}
    found |= parts_of(model, modules) | slopes(config, modules)
    for added in [] if turns else found.get("added sinusoids", []):
        path, _, last = added["part"].rpartition(".")
        with suppress(AttributeError):
            table = getattr(model.get_submodule(path), last)
            table = getattr(table, "weight", table)
            if turns := turns_of(modules, {"table": Tabled(table)})[0]:
                found = {"turned": turns}
    if any("PositionalConv" in type(it).__name__ for _, it in modules):
        found["convolution"] = []
    fixed = found.pop(None, None)
    if fixed and not found:
        raise LookupError("adds a fixed table that is no plain table of sinusoids")
    if mixed := no_rotation(modules):
        found["no rotation"] = mixed
    if errors and not found.get("turned"):
        raise LookupError(errors[0])
    if not found:
        if len(modules) < len(list(model.modules())):
            raise LookupError("made of other families")
        names = [type(it).__name__ for _, it in modules]
        classes = [*names, *(it for it in vars(inspect.getmodule(type(model))) if "nEncod" in it)]
        if any(re.search("Rel|Sin|Pos(?!t)", it) for it in classes):
            raise LookupError("makes positions where it uses them, in no part of its own")
        mixers = re.search("Att|Mix|Mamba|LSTM|Rwkv", str(names))
        if not mixers or not hasattr(config, "vocab_size"):
            raise LookupError("reads no text, and no part for positions was found")
    kinds = [it for it in ORDER if it in found]
    lengths = [getattr(config, it, None) for it in LONGEST]
    longest = next((it for it in lengths if isinstance(it, int) and it > 1), None)
    file = inspect.getmodule(type(model)).__name__.replace(".", "/") + ".py"
    row = {"name": name, "kind": kinds[0] if kinds else "none", "longest": longest, "file": file}
    row |= {"also": kinds[1:]} if kinds[1:] else {}
    row |= still_layers(config, modules, found.get("turned", ()))
    return row | {it: found[it] for it in kinds if found[it]}


def reason_of(error):
    """Return in a line why a family could not be asked."""
    if isinstance(error, LookupError) and not isinstance(error, (KeyError, IndexError)):
        return str(error)
    if isinstance(error, ImportError):
        missing = re.search(r"requires the (\S+) library|No module named '([^']+)'", str(error))
        return f"needs what is not here: {missing[1] or missing[2].rpartition('.')[2]}"
    told = re.sub(r"<module [^>]*>", "a module", " ".join(str(error).split()))[:100]
    return f"its own default fails: {type(error).__name__}: {told}"


def others(told):
    """Return a row for each program of other packages, of which `tables.json` tells the first."""
    rows = {}
    for kind, entries in {"added sinusoids": told["tables"], "turned": told["turns"]}.items():
        for it in entries:
            called, _, part = it["called"].partition(":")
            steps = part == "get_timestep_embedding"  # of diffusion, which are no positions
            if called.split(".")[0] in ("diffusers", "timm", "x_transformers") and not steps:
                row = {"name": it["name"], "kind": kind, "longest": None}
                row["file"] = called.replace(".", "/") + ".py"
                kept = ("layout", "first", "columns", "base", "P", "turned", "speeds")
                what = {"part": part, "size": it["shape"]} | {k: it[k] for k in kept if k in it}
                if kind == "turned":
                    axes = {"axes": it["axes"]} if len(set(it["axes"])) > 1 else {}
                    what |= {"sense": 1, "head": it["width"], "rule": "default"} | axes
                    what["P"] = it["axes"].count(it["axes"][0])
                rows.setdefault(it["name"], row | {kind: [what]})
    return list(rows.values())


def record(rows=()):
    """Ask every family; return versions, rows, after the given ones, and what was not asked."""
    rows, reasons = list(rows), []
    for name in tqdm(CONFIG_MAPPING, "families"):
        try:
            rows.append(row_of(name, CONFIG_MAPPING[name]))
        except Exception as error:  # which is what the guide says of this family
            reasons.append({"name": name, "reason": reason_of(error)})
    packages = {it["file"].partition("/")[0] for it in rows}
    versions = {it: version(it.replace("_", "-")) for it in sorted(packages)}
    rows = [it | {"version": versions[it["file"].partition("/")[0]]} for it in rows]
    return {"versions": [versions], "rows": rows, "not asked": reasons}
