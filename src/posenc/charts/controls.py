"""The sliders and lists that charts are moved by, and those sliders that run by themselves."""

import altair as alt

from posenc.charts import rendering


def slider(name, label, value, *, least=0, greatest, step=1, per_second=None):
    """Return the parameter `name` with a slider, labeled in words, that begins at `value`.

    A slider that stands for time, a position or an offset says in `per_second` how far it runs in
    a second. In the book it gets a button for that.
    """
    # The space keeps the label away from the slider.
    bind = alt.binding_range(min=least, max=greatest, step=step, name=f"{label} ")
    parameter = alt.param(name, value=value, bind=bind)
    parameter.per_second = per_second
    return parameter


def choice(name, label, options, value=None):
    """Return the parameter `name` with a list, labeled in words, that begins at `value`.

    Without `value` it begins at the first option. The book reserves room for a list by its labels.
    """
    options = list(options)
    bind = alt.binding_select(options=options, labels=options, name=f"{label} ")
    return alt.param(name, value=options[0] if value is None else value, bind=bind)


def finish(chart, *parameters, description, size=None, **properties):
    """Return the chart with its parameters, its description in one line, and its properties.

    What runs stands in the chart's `usermeta`, which the book reads and every other reader ignores.
    """
    rendering.enable()
    # An attribute that a parameter lacks would be an expression.
    speeds = {parameter.name: vars(parameter).get("per_second") for parameter in parameters}
    motion = {name: speed for name, speed in speeds.items() if speed is not None}
    if size is not None:
        properties["width"], properties["height"] = size
    if motion:
        properties["usermeta"] = {"motion": motion}
    description = " ".join(description.split())
    return chart.add_params(*parameters).properties(description=description, **properties)
