"""The book's table of color roles: one color, one meaning, in every figure, chart and caption.

A mark takes its color from its meaning. Two curves that have none of these meanings take `PLAIN`
and `GRAY`, and differ in their markers or lines as well. In a map, shades are amounts: from no
color to `ABOVE_ZERO` and, if the map is signed, to `BELOW_ZERO`.

Each role has a contrast of 3 or more with a white page and, inverted as the style sheet does it,
with the dark one. Roles that share a figure also differ for readers who see no red or no green;
marks in `GRAY` differ by shape or width, too.
"""

# The two numbers of a pair.
SINE, COSINE = "#0072B2", "#BF8300"  # blue, amber
# A position, or a hand where it stands; the same one shifted; the turn from one hand to another.
POSITION, SHIFTED, OFFSET = "#009E73", "#D55E00", "#CC79A7"  # green, orange, pink
# In attention: the word that asks, the word that answers, and what a word is without its place.
QUERY, KEY, WORD = "#0F9ADD", "#842948", "#1E1675"  # sky blue, wine red, indigo
# The sinusoidal encoding compared with others, and the binary code.
SINUSOIDS, BITS = "#7B4FA3", "#663808"  # purple, brown
# An angle that training never showed.
NEW_ANGLE = "#C2008F"  # magenta
# How a longer text is brought into the clock's range.
INTERPOLATION, LARGER_BASE, BY_PARTS = "#0E9DA8", "#8A8A00", "#9A5F50"  # teal, olive, clay
# A bar, a curve, a ring or a frame without any of these roles.
PLAIN = "#3F4C60"  # slate
# What stands still, or is there to compare with: rims, limits, where a hand was or ought to be.
GRAY = "#808080"
# The ends of a map. The lower one is the sine's blue.
BELOW_ZERO, ABOVE_ZERO = SINE, "#C62F2F"  # blue, red

# Letters and lines: the book's ink by day.
INK, MUTED, FAINT = "#222832", "#48566b", "#d1d5da"
FONT = "DejaVu Sans"
