"""The contrast of two colors, as the Web Content Accessibility Guidelines (WCAG 2) define it."""

import numpy as np

ENOUGH, ENOUGH_IF_LARGE = 4.5, 3  # success criterion 1.4.3
LARGE, LARGE_IF_BOLD = 24, 18.66  # pixels


def contrast(first, second):
    """Return the contrast ratio of colors, whose last axis is red, green and blue up to 255."""
    one, other = luminance(first), luminance(second)
    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)


def luminance(color):
    """Return the relative luminance of colors."""
    share = np.asarray(color, float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]
