"""Positional encodings, shifts, distances, attention, rotary embeddings, and words to try them on.

The helper package of the course *Positional Encoding, from Clocks to RoPE*. Everything
stands in a module: ``from posenc.encodings import sinusoidal``. In the order of the course:

==================  =============================================================================
`encodings`         the formula, and tables made by it: sinusoids, a picture's places, a clock;
                    and bits
`shifts`            five ways to shift a table, all of them one rotation
`distances`         products and distances of positions, from the closed forms
`attention`         scaled dot-product attention
`rotary`            queries and keys turned by their positions
`learning`          a small head that learns
`ways`              how it's told positions
`blocks`            the matrix between query and key, in 2 x 2 blocks
`trained`           what was measured of many trained heads
`long_context`      rules for texts longer than in training
`layouts`           pairs and halves, bfloat16, tables of other programs
`rules`             which rule for longer texts made given speeds
`embeddings`        word vectors
`figures`           the course's style, heat maps, dials and diagrams in matplotlib
`charts`            its interactive charts in Altair
`palette`           the colors of both
`display`           a file of the package, shown in a notebook
`bets`              questions to bet on, each choice with its reply
`checks`            checkers of the exercises
==================  =============================================================================

Arguments come in one order: rows or positions, then frequencies, then the offset. Options are
given by name. A ``TypeError`` or a ``ValueError`` names an argument that can't be used, what is
allowed and what was given.
"""
