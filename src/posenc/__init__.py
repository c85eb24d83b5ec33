"""Positional encodings, shifts, distances, attention, rotary embeddings, and word vectors.

The helper package of the course *Positional Encoding, from Clocks to RoPE*. Import
from its modules: ``from posenc.encodings import sinusoidal``. In the order of the course:

==================  =============================================================================
`encodings`         the formula, and tables made by it: sinusoids, a picture's places, a clock;
                    and bits
`shifts`            five ways to shift a table by rotating its pairs
`distances`         products and distances of positions, from the closed forms
`attention`         scaled dot-product attention
`rotary`            queries and keys rotated by their positions
`learning`          a small head that learns
`ways`              ways to tell it positions
`blocks`            the matrix between query and key, in 2 x 2 blocks
`trained`           measurements of many trained heads
`long_context`      rules for texts longer than in training
`layouts`           pairs and halves, bfloat16, tables of other programs
`rules`             recognizing the rule behind given speeds
`embeddings`        word vectors
`figures`           the course's style, heat maps, dials and diagrams in matplotlib
`charts`            its interactive charts in Altair
`palette`           the colors of figures and charts
`display`           files of the package, and pictures side by side
`bets`              questions with a reply to each choice
`checks`            checkers of the exercises
==================  =============================================================================

Arguments come in one order: rows or positions, then frequencies, then the offset. Options are
given by name. A ``TypeError`` or a ``ValueError`` names the bad argument, what is allowed, and the
value that was given.
"""
