"""Positional encodings, shifts, distances, attention, rotary embeddings, and words to try them on.

The helper package of the course *Positional Encoding, from Clocks to RoPE*. Everything
stands in a module: ``from posenc.encodings import sinusoidal``.

==================  =============================================================================
`encodings`         tables of positions by sinusoids, a clock and bits, and their frequencies
`shifts`            five ways to shift a table, all of them one rotation
`distances`         products and distances of positions, from the closed forms
`attention`         scaled dot-product attention
`rotary`            queries and keys turned by their positions
`learning`          a small head that learns, and what was measured of many
`long_context`      rules for texts longer than those of the training
`grids`             places in a picture, and real numbers
`layouts`           pairs and halves, bfloat16, tables of other programs
`embeddings`        word vectors
`diagrams`          where a position enters a model, in boxes and arrows
`figures`           the course's style and heat maps in matplotlib
`charts`            its interactive charts in Altair
`palette`           the colors of both
`display`           the source of a function, shown in a notebook
`bets`              questions to bet on, each choice with its reply
`checks`            checkers of the exercises
==================  =============================================================================
"""
