"""The slider that every chart is moved by."""

import altair as alt


def slider(name, label, value, *, least=0, greatest, step=1):
    """Return the parameter `name` with a slider, labeled in words, that begins at `value`."""
    # The space keeps the label away from the slider.
    bind = alt.binding_range(min=least, max=greatest, step=step, name=f"{label} ")
    return alt.param(name=name, value=value, bind=bind)
