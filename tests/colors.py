"""The contrast of two colors, as the Web Content Accessibility Guidelines (WCAG 2) define it."""

import numpy as np

ENOUGH = 4.5  # success criterion 1.4.3
DAY, NIGHT = [255] * 3, [18] * 3  # the book's pages


def contrast(first, second):
    """Return the contrast ratio of colors, whose last axis is red, green and blue up to 255."""
    one, other = luminance(first), luminance(second)
    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)


def by_night(color):
    """Return what the book's style sheet makes of a chart's color in the dark, from 0 to 255.

    It inverts the color and turns its hue by half of the color wheel.
    """
    half_turn = 2 * np.array([0.213, 0.715, 0.072]) - np.eye(3)
    return ((255 - np.asarray(color, float)) @ half_turn.T).clip(0, 255)


def luminance(color):
    """Return the relative luminance of colors."""
    share = np.asarray(color, float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]
