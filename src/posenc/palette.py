"""The course's colors, shared by its figures and its charts: one meaning, one color."""

# Okabe and Ito's palette: distinguishable for color-blind readers, on light and on dark.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")

SINE, COSINE = "#0072B2", "#BF8300"
# A position, the same one shifted, and the turn from one to the other.
POSITION, SHIFTED, OFFSET = "#009E73", "#D55E00", "#CC79A7"
# In attention: the word that asks, the word that answers, and what a word is without its place.
QUERY, KEY, WORD = "#56B4E9", "#882255", "#332288"
# A table of waves where it's held against other codes, and the binary one.
SINUSOIDS, BITS = "#7B4FA3", "#8C5A2B"
# An angle that training never showed.
NEW_ANGLE = "#C2008F"
# How a longer text is brought into the clock's range.
INTERPOLATION, LARGER_BASE, BY_PARTS = "#2A8F8F", "#8A8A00", "#A0522D"
# A bar or a curve that has no role of these.
PLAIN = "#5A6B80"

# Of hands on dials: where one stands, another one, and the angle between them.
NOW, OTHER, BETWEEN = COLORS[2], COLORS[1], COLORS[0]
# What is above zero in a map, opposite to the first color. Inverted, both keep their names.
RED = "#C62F2F"
# Letters and lines: the book's ink by day.
INK, MUTED, FAINT = "#222832", "#48566b", "#d1d5da"
FONT = "DejaVu Sans"
