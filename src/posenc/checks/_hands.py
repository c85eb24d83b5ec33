"""What the exercises share in which hands tell a number of positions through noise."""

import numpy as np

from posenc.encodings import angular_frequencies, encode

FASTEST = "That's what the fastest pair says alone. Which pairs know how often it has turned?"
MEAN = "That's the mean of what each pair says by itself. How often have the fast ones turned?"


def noisy_case(positions, width, base):
    """Return rows of some positions, with errors of standard deviation 0.05, and frequencies."""
    frequencies = angular_frequencies(width, base=base)
    errors = np.random.default_rng([*positions, width]).normal(0, 0.05, (len(positions), width))
    return *(encode(positions, frequencies) + errors), frequencies


def best_position(row, frequencies, positions):
    """Return the position among some whose encoding is most like a row."""
    return positions[np.argmax(encode(positions, frequencies) @ row)]


def by_itself(row, frequencies):
    """Return the position that each hand says by itself, within half a turn of 0."""
    return np.arctan2(row[0::2], row[1::2]) / frequencies


def hands_hint(result, right, row, frequencies):
    """Return by how much it's off, or, if by whole turns, the angle of a hand that doesn't fit."""
    off = abs(result - right)
    turns = off * frequencies / (2 * np.pi)
    if not np.any((np.abs(turns - turns.round()) < 0.1) & (turns > 0.5)):
        return f"That's off by {off:.6g}."
    angles = np.arctan2(row[0::2], row[1::2])
    wanted = np.angle(np.exp(1j * result * frequencies))
    errors = np.abs(np.angle(np.exp(1j * (angles - wanted))))
    k = max(np.flatnonzero(errors > 0.5), default=errors.argmax())  # noise is seldom above 0.2
    return (
        f"Up to whole turns, pair {k} has turned by {np.degrees(angles[k]):.0f}°, noise included. "
        f"Your {result:.6g} would turn it by {np.degrees(wanted[k]):.0f}°. Which pairs tell how "
        "many whole turns the others have made?"
    )
