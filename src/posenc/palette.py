"""The course's colors, shared by its figures and its charts."""

# Okabe and Ito's palette: distinguishable for color-blind readers, on light and on dark.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
FONT = "DejaVu Sans"
