r"""Texts longer than in training: rules for the hands of the clock.

A hand (a pair of angular frequency :math:`\omega_k`) turns :math:`L \omega_k / 2\pi` times in a
text of L positions. One that finishes a turn in training has been at every angle. One that
doesn't will meet, in longer texts, angles that training never saw. Each rule here makes a finished
model's hands slower, for texts c times as long; c is the *stretch*.

**Sources.** Interpolation: Chen et al. (2023), Extending Context Window of Large Language
Models via Positional Interpolation, arXiv:2306.15595. The larger base, called NTK-aware: a forum
post of 2023, as the program yarn by J. Quesnelle et al. computes it, in the class
LlamaNTKScaledRotaryEmbedding. By parts: Peng et al. (2023), YaRN: Efficient Context Window
Extension of Large Language Models, arXiv:2309.00071, and Llama 3.1's settings. LongRoPE: Ding et
al. (2024), arXiv:2402.13753. What configurations name `linear`, `dynamic`, `llama3`, `yarn`,
`longrope` and `proportional` is `modeling_rope_utils.py` in the program transformers, 5.23; the
rules here are tested against it. `posenc.rules` tells which of them made given speeds.
"""

import math

import numpy as np

from posenc._validation import PAIRS, array, integer, number


def unfinished(frequencies, context_length):
    r"""Find the hands that finish no turn in training: :math:`L \omega_k / 2\pi < 1`.

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the hands, in radians per position.
    context_length : int
        Positions in a text of training, L; positive.

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
    r"""Count the turns of each hand in a text: :math:`L \omega_k / 2\pi`.

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
    r"""Slow every hand by one factor: `linear` in configurations, where c is `factor`.

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
    about networks (the neural tangent kernel) that it does not need. `dynamic` in configurations is
    this rule with the stretch `factor` · n / L - (`factor` - 1) in a text of n positions, n > L.

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

    `llama3` in configurations, where `low` is `low_freq_factor` and `high` is `high_freq_factor`.
    YaRN's paper calls it NTK-by-parts; programs mix evenly in k, not in turns: see `yarn`.

    .. math::

        \omega_k' = (1 - \gamma_k)\, \omega_k / c + \gamma_k\, \omega_k, \qquad
        \gamma_k = \operatorname{clip}\left(
        \frac{L \omega_k / 2\pi - \text{low}}{\text{high} - \text{low}}, 0, 1 \right)

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the hands, in radians per position.
    context_length : int
        Positions in a text of training, L; positive.
    stretch : float
        How many times as long the texts are to be, c; at least 1.
    low, high : float
        A hand that turns at most `low` times in training is slowed c times; one that turns at
        least `high` times stays as it is. 0 <= low < high. Llama 3.1 has 1 and 4, YaRN's paper 1
        and 32.

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
    share = np.clip((turns(frequencies, context_length) - low) / (high - low), 0, 1)
    return (1 - share) * interpolate(frequencies, stretch) + share * frequencies


def yarn(frequencies, context_length, stretch, *, beta_fast=32.0, beta_slow=1.0, truncate=True):
    r"""Slow the hands as programs do under the name `yarn`: evenly from hand to hand.

    .. math::

        \omega_k' = (1 - r_k)\, \omega_k + r_k\, \omega_k / c, \qquad
        r_k = \operatorname{clip}\left( \frac{k - k_{fast}}{k_{slow} - k_{fast}}, 0, 1 \right)

    Hand :math:`k_\beta`, not rounded, would make :math:`\beta` turns in training. Programs also
    multiply cosines and sines by `yarn_attention`.

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        As `angular_frequencies` makes them: each smaller than the one before by one ratio.
    context_length : int
        Positions in a text of training; positive. `original_max_position_embeddings`.
    stretch : float
        How many times as long the texts are to be, c; at least 1. `factor`.
    beta_fast, beta_slow : float, default: 32 and 1
        Turns in training at the two borders. 0 < beta_slow < beta_fast.
    truncate : bool, default: True
        Round the borders outwards to whole hands.

    Returns
    -------
    ndarray, shape (d/2,)
        The new frequencies.

    Examples
    --------
    >>> yarn([1, 0.1, 0.01], 100, 8, beta_fast=4).round(5)  # 16 turns, 1.6 and 0.16
    array([1.     , 0.05625, 0.00125])
    """
    context_length = integer("context_length", context_length, least=1)
    slowed = interpolate(frequencies, stretch)
    laps, numbers = turns(frequencies, context_length), np.arange(len(slowed))
    fall = math.log(laps[0] / laps[-1]) / numbers[-1] if laps[0] > laps[-1] > 0 else 0
    if not fall or not np.allclose(laps * np.exp(fall * numbers), laps[0], rtol=1e-5):
        raise ValueError("frequencies must be two or more that fall by one ratio from hand to hand")
    beta_slow = number("beta_slow", beta_slow, above=0)
    beta_fast = number("beta_fast", beta_fast, above=beta_slow)
    first, last = (math.log(laps[0] / beta) / fall for beta in (beta_fast, beta_slow))
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, 2 * len(laps) - 1)  # as in the programs
    last += 0.001 * (first == last)
    share = np.clip((numbers - first) / (last - first), 0, 1)
    return (1 - share) * frequencies + share * slowed


def yarn_attention(stretch, *, mscale=0.0, mscale_all_dim=0.0):
    r"""Compute the attention factor of `yarn`, by which cosines and sines are multiplied.

    With :math:`f(m) = 0.1\, m \ln c + 1`, it is f(mscale) / f(mscale_all_dim), or f(1) if one is 0.
    DeepSeek's programs multiply scores by f(mscale_all_dim) squared as well.

    Parameters
    ----------
    stretch : float
        How many times as long the texts are to be, c; at least 1.
    mscale, mscale_all_dim : float, default: 0
        As in the configuration; at least 0.

    Returns
    -------
    float
        What programs call `attention_factor`.

    Examples
    --------
    >>> round(yarn_attention(40), 4), yarn_attention(40, mscale=0.707, mscale_all_dim=0.707)
    (1.3689, 1.0)
    """
    grown = 0.1 * math.log(number("stretch", stretch, least=1))
    scale = number("mscale", mscale, least=0)
    scale_all = number("mscale_all_dim", mscale_all_dim, least=0)
    return (scale * grown + 1) / (scale_all * grown + 1) if scale and scale_all else grown + 1


def longrope(frequencies, factors):
    r"""Slow each hand by its own factor: `longrope`.

    Programs take `short_factor` for texts of up to L positions and `long_factor` beyond, and
    multiply cosines and sines by :math:`\sqrt{1 + \ln c / \ln L}` in both.

    Parameters
    ----------
    frequencies, factors : array_like, shape (d/2,)
        Angular frequencies of the hands, and how many times slower each is to turn; above 0.

    Returns
    -------
    ndarray, shape (d/2,)
        The new frequencies.

    Examples
    --------
    >>> longrope([1, 0.1], [1, 5])
    array([1.  , 0.02])
    """
    frequencies = array("frequencies", frequencies, PAIRS)
    factors = array("factors", factors, frequencies.shape, why="for the frequencies")
    if factors.min() <= 0:
        raise ValueError(f"factors must be above 0, got {factors.min()}")
    return frequencies / factors


def proportional(frequencies, share, *, stretch=1.0):
    """Stop the slow hands: `proportional`.

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of all hands of a head, in radians per position.
    share : float
        The part of the hands that go on, from 0 to 1; `partial_rotary_factor`. Rounded down.
    stretch : float, default: 1
        How many times slower those are to turn; at least 1. `factor`.

    Returns
    -------
    ndarray, shape (d/2,)
        The new frequencies, which end in zeros.

    Examples
    --------
    >>> proportional([1, 0.1, 0.01, 0.001], 0.5)
    array([1. , 0.1, 0. , 0. ])
    """
    slowed, share = interpolate(frequencies, stretch), number("share", share, least=0)
    if share > 1:
        raise ValueError(f"share must be a number of at most 1, got {share}")
    slowed[int(share * 2 * len(slowed) // 2) :] = 0
    return slowed
