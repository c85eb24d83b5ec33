r"""Texts longer than those of the training: rules for the hands of the clock.

A hand (a pair of angular frequency :math:`\omega_k`) turns :math:`L \omega_k / 2\pi` times in a
text of L positions. One that finishes a turn in the training has stood at every angle. One that
does not meets, in longer texts, angles that no training saw. Each rule here makes a finished
model's hands slower, for texts c times as long; c is the *stretch*.

**Sources.** Interpolation: Chen et al. (2023), Extending Context Window of Large Language
Models via Positional Interpolation, arXiv:2306.15595. The larger base, called NTK-aware: a forum
post of 2023, as the program yarn by J. Quesnelle et al. computes it, in the class
LlamaNTKScaledRotaryEmbedding. By parts: Peng et al. (2023), YaRN: Efficient Context Window
Extension of Large Language Models, arXiv:2309.00071, and Llama 3.1's settings,
`_compute_llama3_parameters` in the program transformers.
"""

import numpy as np

from posenc._validation import PAIRS, array, integer, number


def unfinished(frequencies, context_length):
    r"""Tell which hands finish no turn in a text of the training: :math:`L \omega_k / 2\pi < 1`.

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the hands, in radians per position.
    context_length : int
        Positions in a text of the training, L; positive.

    Returns
    -------
    ndarray of bool, shape (d/2,)
        True for a hand that meets unseen angles when the text grows longer.

    Examples
    --------
    >>> unfinished([1, 0.1, 0.01], 100)  # 16 turns, 1.6 and 0.16
    array([False, False,  True])
    """
    context_length = integer("context_length", context_length, least=1)
    return turns(frequencies, context_length) < 1


def turns(frequencies, length):
    r"""Return how often each hand turns in a text: :math:`L \omega_k / 2\pi`.

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the hands, in radians per position.
    length : int
        Positions in the text, L; positive.

    Returns
    -------
    ndarray, shape (d/2,)
        Turns, not rounded.

    Examples
    --------
    >>> turns([1, 0.1, 0.01], 100).round(2)
    array([15.92,  1.59,  0.16])
    """
    length = integer("length", length, least=1)
    return array("frequencies", frequencies, PAIRS) * length / (2 * np.pi)


def interpolate(frequencies, stretch):
    r"""Slow every hand alike.

    .. math:: \omega_k' = \omega_k / c, \qquad M'(\varphi) = M(\varphi / c)

    Chen et al. divide the positions by c, which is the same.

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the hands, in radians per position.
    stretch : float
        How many times as long the texts are to be, c; at least 1.

    Returns
    -------
    ndarray, shape (d/2,)
        The new frequencies.

    Examples
    --------
    >>> interpolate([1, 0.1], 4)
    array([0.25 , 0.025])
    """
    return array("frequencies", frequencies, PAIRS) / number("stretch", stretch, least=1)


def ntk_base(base, width, stretch):
    r"""Return the base that slows the last hand c times and leaves the first one as it is.

    .. math:: b' = b \, c^{d/(d-2)}

    Hand k then turns :math:`c^{2k/(d-2)}` times slower. It is called NTK-aware after an argument
    about networks (the neural tangent kernel) that it does not need.

    Parameters
    ----------
    base : float
        The base so far, b; above 1.
    width : int
        Numbers in a query, d; even and at least 4.
    stretch : float
        How many times slower the last hand is to turn, c; at least 1.

    Returns
    -------
    float
        The new base.

    Examples
    --------
    >>> round(ntk_base(10_000, 128, 8), 1)
    82684.6
    """
    base, width = number("base", base, above=1), integer("width", width, least=4, step=2)
    stretch = number("stretch", stretch, least=1)
    return base * stretch ** (width / (width - 2))


def by_parts(frequencies, context_length, stretch, low, high):
    r"""Slow the hands that turn seldom, and leave those that turn often as they are.

    YaRN's paper calls it NTK-by-parts; its program mixes evenly in k, not in turns.

    .. math::

        \omega_k' = (1 - \gamma_k)\, \omega_k / c + \gamma_k\, \omega_k, \qquad
        \gamma_k = \operatorname{clip}\left(
        \frac{L \omega_k / 2\pi - \text{low}}{\text{high} - \text{low}}, 0, 1 \right)

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the hands, in radians per position.
    context_length : int
        Positions in a text of the training, L; positive.
    stretch : float
        How many times as long the texts are to be, c; at least 1.
    low, high : float
        A hand that turns at most `low` times in the training is slowed c times; one that turns at
        least `high` times stays as it is. 0 <= low < high. Llama 3.1 has 1 and 4, YaRN 1 and 32.

    Returns
    -------
    ndarray, shape (d/2,)
        The new frequencies.

    Examples
    --------
    >>> by_parts([1, 0.1, 0.01], 100, 8, low=1, high=4).round(5)  # 16 turns, 1.6 and 0.16
    array([1.     , 0.02975, 0.00125])
    """
    context_length = integer("context_length", context_length, least=1)
    low = number("low", low, least=0)
    high = number("high", high, above=low)
    kept = np.clip((turns(frequencies, context_length) - low) / (high - low), 0, 1)
    return (1 - kept) * interpolate(frequencies, stretch) + kept * frequencies
