r"""Five ways to shift a table of positions, all of them one rotation.

By the addition theorems, a shift by an offset :math:`\varphi` turns every pair of the encoding
by the angle :math:`\omega_k \varphi`, whatever the position t:

.. math::

    \begin{pmatrix} \sin \omega_k (t + \varphi) \\ \cos \omega_k (t + \varphi) \end{pmatrix}
    = R_k(\varphi)
    \begin{pmatrix} \sin \omega_k t \\ \cos \omega_k t \end{pmatrix},
    \qquad
    R_k(\varphi) = \begin{pmatrix}
    \cos \omega_k \varphi & \sin \omega_k \varphi \\
    -\sin \omega_k \varphi & \cos \omega_k \varphi \end{pmatrix}

The sine stands first in a pair, and so :math:`R_k` is the transpose of the rotation that is
printed in most books. It acts from the left on a *column*. The matrix M of the whole encoding
holds :math:`R_0, R_1, \dots` as blocks on its diagonal. In a table the positions are *rows*, and
transposing ``M @ column`` gives ``row @ M.T``. So a table is shifted by ``encoding @ M.T``.

The offset may be any real number, negative or fractional. No function here changes its input,
unless it is given as `out`; only `continue_by_doubling` is there to fill what it is given.
"""

from contextlib import contextmanager

import numpy as np

from posenc._validation import as_encoding, as_frequencies, as_output, as_real


def rotation(frequency, offset):
    r"""Return the matrix that shifts one pair, written as a column, by an offset.

    .. math::

        R(\varphi) = \begin{pmatrix} \cos \omega\varphi & \sin \omega\varphi \\
        -\sin \omega\varphi & \cos \omega\varphi \end{pmatrix}

    Parameters
    ----------
    frequency : float
        Angular frequency of the pair, in radians per position.
    offset : float
        Positions to shift by; any real number.

    Returns
    -------
    ndarray, shape (2, 2)
        Acts on columns: ``rotation(w, o) @ [sin(w*t), cos(w*t)]`` is the pair at t + o.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a finite real number.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> rotation(np.pi / 2, 1).round(4)  # a quarter turn for each position
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    angle = as_real("frequency", frequency) * as_real("offset", offset)
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
        Positions to shift by; any real number.

    Returns
    -------
    ndarray, shape (d, d)
        Acts on columns; on a table of rows, ``encoding @ shift_matrix(frequencies, offset).T``.

    Raises
    ------
    TypeError, ValueError
        If the frequencies or the offset are not finite real numbers.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> shift_matrix([np.pi / 2, np.pi], 1).round(4) + 0
    array([[ 0.,  1.,  0.,  0.],
           [-1.,  0.,  0.,  0.],
           [ 0.,  0., -1.,  0.],
           [ 0.,  0.,  0., -1.]])
    """
    frequencies = as_frequencies(frequencies)
    matrix = np.zeros((2 * len(frequencies), 2 * len(frequencies)))
    for k, frequency in enumerate(frequencies):
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = rotation(frequency, offset)
    return matrix


def packed_factors(frequencies, offset):
    r"""Return the rows of all the rotations, packed side by side.

    .. math::

        U = \begin{pmatrix} \cos \omega_k\varphi \\ \sin \omega_k\varphi \end{pmatrix}_k
        \qquad
        V = \begin{pmatrix} -\sin \omega_k\varphi \\ \cos \omega_k\varphi \end{pmatrix}_k

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; any real number.

    Returns
    -------
    to_sine, to_cosine : ndarray, shape (2, d/2)
        Column k holds what the sine and the cosine of pair k are multiplied by, to give its
        shifted sine (`to_sine`) and its shifted cosine (`to_cosine`).

    Raises
    ------
    TypeError, ValueError
        If the frequencies or the offset are not finite real numbers.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> to_sine, to_cosine = packed_factors([np.pi / 2, np.pi], 0)
    >>> to_sine
    array([[1., 1.],
           [0., 0.]])
    """
    angles = as_frequencies(frequencies) * as_real("offset", offset)
    cosines, sines = np.cos(angles), np.sin(angles)
    return np.array([cosines, sines]), np.array([-sines, cosines])


def swap_factors(frequencies, offset):
    r"""Return the factors of an encoding and of the same encoding with its neighbors swapped.

    .. math::

        a = (\cos \omega_0\varphi, \cos \omega_0\varphi, \cos \omega_1\varphi, \dots), \qquad
        b = (\sin \omega_0\varphi, -\sin \omega_0\varphi, \sin \omega_1\varphi, \dots)

    Parameters
    ----------
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; any real number.

    Returns
    -------
    a, b : ndarray, shape (d,)
        The shifted encoding is ``a * encoding + b * swapped``.

    Raises
    ------
    TypeError, ValueError
        If the frequencies or the offset are not finite real numbers.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> a, b = swap_factors([np.pi / 2, np.pi / 6], 1)
    >>> b.round(4)
    array([ 1. , -1. ,  0.5, -0.5])
    """
    angles = as_frequencies(frequencies) * as_real("offset", offset)
    a = np.repeat(np.cos(angles), 2)
    b = np.repeat(np.sin(angles), 2)
    b[1::2] *= -1
    return a, b


def shift_by_loop(encoding, frequencies, offset):
    """Shift a table, one rotation of one pair at a time.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        One row for each position; columns 2k and 2k+1 are a pair.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; any real number.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the width does not match the frequencies.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> shift_by_loop([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    frequencies = as_frequencies(frequencies)
    encoding = as_encoding(encoding, frequencies)
    shifted = np.empty(encoding.shape)
    for k, frequency in enumerate(frequencies):
        pair = slice(2 * k, 2 * k + 2)
        turn = rotation(frequency, offset)
        for t in range(len(encoding)):
            shifted[t, pair] = turn @ encoding[t, pair]
    return shifted


def shift_by_matrix(encoding, frequencies, offset):
    """Shift a table by one product with the block-diagonal matrix M.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        One row for each position; columns 2k and 2k+1 are a pair.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; any real number.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the width does not match the frequencies.

    Notes
    -----
    M acts on columns and the positions are rows, so it is M transposed that stands on the right.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> shift_by_matrix([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    frequencies = as_frequencies(frequencies)
    encoding = as_encoding(encoding, frequencies)
    return encoding @ shift_matrix(frequencies, offset).T


def shift_by_packing(encoding, frequencies, offset):
    """Shift a table by element-wise products with the packed rows of the rotations.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        One row for each position; columns 2k and 2k+1 are a pair.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; any real number.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the width does not match the frequencies.

    Notes
    -----
    What the blocks of M do to the table, row by row and pair by pair, is done to whole columns at
    once: all sines of the table take part in one product, and so do all cosines.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> shift_by_packing([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    frequencies = as_frequencies(frequencies)
    encoding = as_encoding(encoding, frequencies)
    to_sine, to_cosine = packed_factors(frequencies, offset)
    sines, cosines = encoding[:, 0::2], encoding[:, 1::2]
    shifted = np.empty(encoding.shape)
    np.add(to_sine[0] * sines, to_sine[1] * cosines, out=shifted[:, 0::2])
    np.add(to_cosine[0] * sines, to_cosine[1] * cosines, out=shifted[:, 1::2])
    return shifted


def shift_by_swapping(encoding, frequencies, offset):
    """Shift a table by adding a multiple of itself and of its copy with neighbors swapped.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        One row for each position; columns 2k and 2k+1 are a pair.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; any real number.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the width does not match the frequencies.

    Notes
    -----
    A sine becomes ``cos * sine + sin * cosine`` and a cosine ``cos * cosine - sin * sine``: each
    number needs itself and its neighbor in the pair, no more.

    References
    ----------
    T. Denk (2019), Linear Relationships in the Transformer's Positional Encoding.

    Examples
    --------
    >>> shift_by_swapping([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    frequencies = as_frequencies(frequencies)
    encoding = as_encoding(encoding, frequencies)
    a, b = swap_factors(frequencies, offset)
    swapped = np.empty(encoding.shape)
    swapped[:, 0::2] = encoding[:, 1::2]
    swapped[:, 1::2] = encoding[:, 0::2]
    swapped *= b
    swapped += a * encoding
    return swapped


def shift_by_phase(encoding, frequencies, offset, *, out=None):
    r"""Shift a table by turning each pair as one complex number.

    .. math::

        z = \sin \omega t + i \cos \omega t = i e^{-i \omega t}, \qquad
        z(t + \varphi) = e^{-i \omega \varphi} z(t)

    One complex multiplication turns a pair. The sine and the cosine lie side by side in memory,
    as the two parts of a complex number do. So the pairs are a view of a contiguous float64
    table, and not a copy; other tables are copied into this form first.

    Parameters
    ----------
    encoding : array_like, shape (n, d)
        One row for each position; columns 2k and 2k+1 are a pair.
    frequencies : array_like, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float
        Positions to shift by; any real number.
    out : ndarray of float64, shape (n, d), optional
        Contiguous array to write the result to; may be `encoding` itself.

    Returns
    -------
    ndarray, shape (n, d)
        The encoding of the positions t + offset; `out`, if that was given.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the width does not match the frequencies.

    References
    ----------
    J. Su et al. (2021), RoFormer: Enhanced Transformer with Rotary Position Embedding, section 3.2,
    arXiv:2104.09864, which turns pairs as complex numbers.

    Examples
    --------
    >>> shift_by_phase([[0.0, 1.0]], [np.pi / 6], 1).round(4)
    array([[0.5  , 0.866]])
    """
    frequencies = as_frequencies(frequencies)
    encoding = as_encoding(encoding, frequencies)
    shape = encoding.shape
    out = np.empty(shape) if out is None else as_output(out, shape)
    pairs = np.ascontiguousarray(encoding).view(complex)
    phases = phase_factors(frequencies, as_real("offset", offset))
    with whole_rows(pairs):
        np.multiply(pairs, phases, out=out.view(complex))
    return out


def phase_factors(frequencies, offset):
    r"""Return the complex number for each pair that shifts it by an offset.

    .. math:: e^{-i \omega_k \varphi}

    Parameters
    ----------
    frequencies : ndarray, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.
    offset : float or ndarray
        Positions to shift by; of any shape that goes together with the frequencies.

    Returns
    -------
    ndarray of complex128
        ``phase_factors(w, o) * (sin(w*t) + 1j * cos(w*t))`` is the pair at t + o.

    References
    ----------
    J. Su et al. (2021), RoFormer: Enhanced Transformer with Rotary Position Embedding, section 3.2,
    arXiv:2104.09864, which turns pairs as complex numbers.

    Examples
    --------
    >>> phase_factors(np.array([np.pi / 2]), 1).round(4) + 0
    array([0.-1.j])
    """
    return np.exp(-1j * (frequencies * offset))


@contextmanager
def whole_rows(pairs):
    """Let NumPy read long rows where they lie: what is longer than its buffer is not copied to it.

    Short rows go faster through the buffer, many at a time, and are left to it.

    Parameters
    ----------
    pairs : ndarray of complex128, shape (n, d/2)
        The rows that are multiplied inside the ``with`` block.
    """
    with np.errstate():  # ends the next line's setting, too
        if pairs.shape[1] >= 64:
            np.setbufsize(16)
        yield


def continue_by_doubling(table, frequencies):
    """Fill a table from its first row: the rows that are there, shifted, are the next ones.

    A row is the product of the first one and of at most log2(n) phases. Each phase is the
    exponential of an exact multiple of the frequency, since the offsets are powers of 2; so the
    roundings do not add up with the position, as they would if one row were made from the next.

    Parameters
    ----------
    table : ndarray of float64, shape (n, d)
        Contiguous, with its first row filled; the other rows are overwritten.
    frequencies : ndarray, shape (d/2,)
        Angular frequencies of the pairs, in radians per position.

    Returns
    -------
    ndarray, shape (n, d)
        The table itself.

    Examples
    --------
    >>> continue_by_doubling(np.array([[0.0, 1.0], [0, 0], [0, 0]]), np.array([np.pi])).round(4) + 0
    array([[ 0.,  1.],
           [ 0., -1.],
           [ 0.,  1.]])
    """
    pairs = table.view(complex)
    powers = 2 ** np.arange((len(pairs) - 1).bit_length())
    all_phases = phase_factors(frequencies, powers[:, None])
    with whole_rows(pairs):
        for filled, phases in zip(powers, all_phases):
            rows = pairs[filled : 2 * filled]
            np.multiply(pairs[: len(rows)], phases, out=rows)
    return table
