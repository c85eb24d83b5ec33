r"""Five ways to shift a table of positions, all of them one rotation.

By the addition theorems, a shift by an offset :math:`\varphi` turns every pair of the encoding by
the angle :math:`\omega_k \varphi`, whatever the position: this is `rotation`. The sine stands first
in a pair, and so it is the transpose of the rotation that is printed in most books. It acts from
the left on a *column*, and so does the matrix M of the whole encoding. In a table the positions are
*rows*, and transposing ``M @ column`` gives ``row @ M.T``. So a table is shifted by
``encoding @ M.T``.

The five shifts, `shift_by_loop` to `shift_by_phase`, take the same and return the same. What they
return is new, and their input stays as it is.

**Sources.** Vaswani et al. (2017, section 3.5, arXiv:1706.03762) state that a shift is
linear. The docstring of `add_timing_signal_1d` in the program tensor2tensor (2017) gives the
addition theorems as the reason. T. Denk (2019, Linear Relationships in the Transformer's
Positional Encoding) wrote the proof out. Packing and swapping are from the notebook Linear
property of Transformers positional encodings, a public text of unknown address. RoFormer (J. Su
et al., 2021, section 3.2, arXiv:2104.09864) turns pairs as complex numbers.
"""

import numpy as np

from posenc._validation import PAIRS, array, number


def rotation(frequency, offset):
    r"""Return the matrix that shifts one pair, written as a column, by an offset.

    .. math::

        R(\varphi) \begin{pmatrix} \sin \omega t \\ \cos \omega t \end{pmatrix} = \begin{pmatrix}
        \sin \omega (t + \varphi) \\ \cos \omega (t + \varphi) \end{pmatrix}, \qquad
        R(\varphi) = \begin{pmatrix} \cos \omega\varphi & \sin \omega\varphi \\
        -\sin \omega\varphi & \cos \omega\varphi \end{pmatrix}

    Parameters
    ----------
    frequency : float
        Angular frequency of the pair, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    ndarray, shape (2, 2)
        Acts on columns: ``rotation(w, o) @ [sin(w*t), cos(w*t)]`` is the pair at t + o.

    Examples
    --------
    >>> rotation(np.pi / 2, 1).round(4)  # a quarter turn for each position
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    angle = number("frequency", frequency) * number("offset", offset)
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])


def shift_matrix(frequencies, offset):
    r"""Return the matrix M that shifts a whole encoding, written as a column, by an offset.

    .. math:: M(\varphi) = \operatorname{blockdiag}(R_0(\varphi), \dots, R_{d/2-1}(\varphi))

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    ndarray, shape (d, d)
        Acts on columns; on a table of rows, ``encoding @ shift_matrix(frequencies, offset).T``.

    Examples
    --------
    >>> shift_matrix([np.pi / 2, np.pi], 1).round(4) + 0
    array([[ 0.,  1.,  0.,  0.],
           [-1.,  0.,  0.,  0.],
           [ 0.,  0., -1.,  0.],
           [ 0.,  0.,  0., -1.]])
    """
    frequencies = array("frequencies", frequencies, PAIRS)
    matrix = np.zeros((2 * len(frequencies), 2 * len(frequencies)))
    for k, frequency in enumerate(frequencies):
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = rotation(frequency, offset)
    return matrix


def packed_factors(frequencies, offset):
    r"""Return the rows of all the rotations, packed side by side.

    The first rows of all :math:`R_k` make the new sines, the second rows the new cosines.

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    to_sine, to_cosine : ndarray, shape (2, d/2)
        Column k holds what the sine and the cosine of pair k are multiplied by, to give its
        shifted sine (`to_sine`) and its shifted cosine (`to_cosine`).

    Examples
    --------
    >>> to_sine, to_cosine = packed_factors([np.pi / 2, np.pi], 0)
    >>> to_sine
    array([[1., 1.],
           [0., 0.]])
    """
    angles = _angles(frequencies, offset)
    cosines, sines = np.cos(angles), np.sin(angles)
    return np.array([cosines, sines]), np.array([-sines, cosines])


def shift_by_loop(encoding, frequencies, offset):
    """Shift a table, one rotation of one pair at a time.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        A row for each position; columns 2k and 2k + 1 are pair k.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Examples
    --------
    >>> shift_by_loop([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    encoding = _checked(encoding, frequencies)
    shifted = np.empty(encoding.shape)
    for k, frequency in enumerate(frequencies):
        pair = slice(2 * k, 2 * k + 2)
        turn = rotation(frequency, offset)
        for t in range(len(encoding)):
            shifted[t, pair] = turn @ encoding[t, pair]
    return shifted


def shift_by_matrix(encoding, frequencies, offset):
    """Shift a table by one product with the block-diagonal matrix M, transposed.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        A row for each position; columns 2k and 2k + 1 are pair k.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Examples
    --------
    >>> shift_by_matrix([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    encoding = _checked(encoding, frequencies)
    return encoding @ shift_matrix(frequencies, offset).T


def shift_by_packing(encoding, frequencies, offset):
    """Shift a table by element-wise products with the packed rows of the rotations.

    What the blocks of M do to the table, row by row and pair by pair, is done to whole columns at
    once: all sines of the table take part in one product, and so do all cosines.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        A row for each position; columns 2k and 2k + 1 are pair k.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Examples
    --------
    >>> shift_by_packing([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    encoding = _checked(encoding, frequencies)
    to_sine, to_cosine = packed_factors(frequencies, offset)
    sines, cosines = encoding[:, 0::2], encoding[:, 1::2]
    shifted = np.empty(encoding.shape)
    np.add(to_sine[0] * sines, to_sine[1] * cosines, out=shifted[:, 0::2])
    np.add(to_cosine[0] * sines, to_cosine[1] * cosines, out=shifted[:, 1::2])
    return shifted


def shift_by_swapping(encoding, frequencies, offset):
    r"""Shift a table by adding a multiple of itself and of its copy with neighbors swapped.

    Each number needs itself and its neighbor in the pair, no more. So the shifted encoding is
    ``a * encoding + b * swapped``, with

    .. math::

        a = (\cos \omega_0\varphi, \cos \omega_0\varphi, \cos \omega_1\varphi, \dots), \qquad
        b = (\sin \omega_0\varphi, -\sin \omega_0\varphi, \sin \omega_1\varphi, \dots)

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        A row for each position; columns 2k and 2k + 1 are pair k.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Examples
    --------
    >>> shift_by_swapping([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    encoding = _checked(encoding, frequencies)
    angles = np.repeat(_angles(frequencies, offset), 2)
    a, b = np.cos(angles), np.sin(angles)
    b[1::2] *= -1
    swapped = np.empty(encoding.shape)
    swapped[:, 0::2] = encoding[:, 1::2]
    swapped[:, 1::2] = encoding[:, 0::2]
    return a * encoding + b * swapped


def shift_by_phase(encoding, frequencies, offset):
    r"""Shift a table by multiplying each pair, as one complex number, by a phase.

    .. math::

        z = \sin \omega t + i \cos \omega t = i e^{-i \omega t}, \qquad
        z(t + \varphi) = e^{-i \omega \varphi} z(t)

    One complex multiplication turns a pair. The sine and the cosine lie side by side in memory,
    as the two parts of a complex number do. So the pairs are a view of the table, and not a copy.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        A row for each position; columns 2k and 2k + 1 are pair k.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; negative or fractional too.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Examples
    --------
    >>> shift_by_phase([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    pairs = _checked(encoding, frequencies).view(complex)
    return (pairs * np.exp(-1j * _angles(frequencies, offset))).view(float)


def _angles(frequencies, offset):
    """Return the angle by which each pair turns."""
    return array("frequencies", frequencies, PAIRS) * number("offset", offset)


def _checked(encoding, frequencies):
    """Return a table as an array, if it has two columns for each frequency."""
    pairs = len(array("frequencies", frequencies, PAIRS))
    return array("encoding", encoding, (None, 2 * pairs), why=f"for {pairs} frequencies")
