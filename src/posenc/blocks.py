r"""The matrix between query and key, read in 2 x 2 blocks along its diagonal.

The part of a matrix W that depends on the offset only is a rotation times a strength in each block:
`rotations` reads these, `from_rotations` writes them, and `offset_part` does both.
"""

import numpy as np


def rotations(W):
    r"""Return how far and how strongly each 2 x 2 block along the diagonal of a matrix turns.

    A block is a rotation times a number plus a reflection times a number. This is the rotation:

    .. math:: r_k e^{i\theta_k} = \tfrac12 (a + d) + \tfrac{i}{2} (b - c), \qquad
        \begin{pmatrix} a & b \\ c & d \end{pmatrix} \text{ the block of pair } k

    Parameters
    ----------
    W : array_like, shape (d, d)
        The matrix between query and key; d even.

    Returns
    -------
    ndarray of complex, shape (d/2,)
        The strength as absolute value and the angle in radians; M(φ) has 1 and ω_k φ.

    Examples
    --------
    >>> rotations([[0, 2], [-2, 0]])
    array([0.+2.j])
    """
    W = np.asarray(W, dtype=float)
    along = W[0::2, 0::2].diagonal() + W[1::2, 1::2].diagonal()
    across = W[0::2, 1::2].diagonal() - W[1::2, 0::2].diagonal()
    return (along + 1j * across) / 2


def from_rotations(turns):
    """Return the matrix whose blocks are these rotations, and which is 0 elsewhere.

    Parameters
    ----------
    turns : array_like of complex, shape (d/2,)
        Strengths and angles, as `rotations` returns them.

    Returns
    -------
    ndarray, shape (d, d)

    Examples
    --------
    >>> from_rotations([2j])
    array([[ 0.,  2.],
           [-2.,  0.]])
    """
    along, across = np.diag(np.real(turns)), np.diag(np.imag(turns))
    return np.kron(along, np.eye(2)) + np.kron(across, [[0, 1], [-1, 0]])


def offset_part(W):
    """Return the part of a matrix that depends on the offset only.

    It is the nearest such matrix, by the sum of squared differences.

    Parameters
    ----------
    W : array_like, shape (d, d)
        The matrix between query and key; d even.

    Returns
    -------
    ndarray, shape (d, d)

    Examples
    --------
    >>> offset_part([[3, 1], [0, 1]])
    array([[ 2. ,  0.5],
           [-0.5,  2. ]])
    """
    return from_rotations(rotations(W))
