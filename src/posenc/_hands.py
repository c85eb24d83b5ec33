r"""One rule for the angles of many hands, :math:`\theta_k(t) = f\, r^{-k} (t + s)`.

The logarithms of the speeds lie on a line. Angles are known up to whole turns, so the slowest hand
tells the start, and each faster one sharpens it once it is known which turn that hand is on. Each
bound is the worst that rounding can do, carried through linear estimates.
"""

import numpy as np

STARTS = (-4200, 10_100)
"""How many rows after position zero row 0 may stand."""

_SURE = 1.5
"""Radians: an angle that is known so well is on a known turn."""


def wrapped(angles):
    """Return angles between -π and π."""
    return np.angle(np.exp(1j * angles))


def lines(hands, rows, unit, floor):
    """Return speeds, mean angles, bounds of both, and how far the angles are off their lines.

    `hands` are complex numbers of length 1, a column for each hand. The error of a number is at
    most `unit` times the number, or `floor`.
    """
    near = np.diff(rows) == 1
    speeds = np.angle(np.sum((hands[1:] * hands[:-1].conj())[near], axis=0))
    away = (rows - rows.mean())[:, None]
    rest = np.unwrap(np.angle(hands * np.exp(-1j * away * speeds)), axis=0)
    slopes, angles = np.sum(away * rest, axis=0) / np.sum(away**2), rest.mean(axis=0)
    off = np.abs(rest - angles - away * slopes).max(axis=0)
    bounds = unit * np.abs(np.sin(2 * np.angle(hands))).max(axis=0) + floor
    steepness = np.abs(away).sum() / np.sum(away**2)
    return speeds + slopes, angles, steepness * bounds, bounds, off


class Rule:
    """The rule, fitted to positive speeds and to angles in row `middle`, all with their bounds.

    `drift` is the relative error of a frequency in the program that made the table.
    """

    def __init__(self, speeds, angles, speed_bounds, angle_bounds, *, middle, drift):
        self.angles, self.angle_bounds = angles, angle_bounds
        self.middle, self.drift = middle, drift
        speed_bounds = speed_bounds + drift * speeds
        known = speed_bounds < speeds / 4
        self.logs, self.log_bounds = np.log(speeds[known]), speed_bounds[known] / speeds[known]
        k = np.arange(len(speeds))
        # The logarithm of a speed is this times (ln f, ln r, s).
        self.slopes = np.stack([np.ones(len(k)), -k, np.zeros(len(k))], axis=1)
        self.known, self.enough = self.slopes[known], known.sum() > 1

    def law(self):
        """Return (ln f, ln r, 0) from the speeds alone, and relative bounds of all speeds."""
        gain = _gain(self.known, self.log_bounds)
        numbers = gain @ self.logs
        if (np.abs(self.logs - self.known @ numbers) > 2 * self.log_bounds).any():
            raise ValueError("table must have speeds that fall by one ratio; they do not")
        return numbers, np.abs(self.slopes @ gain) @ self.log_bounds

    def starts(self):
        """Return each (ln f, ln r, s) that fits, with its bounds; (ln f, NaN, NaN) of one speed."""
        if not self.enough:
            unknown = [np.nan, np.nan]
            return [(np.r_[self.logs[0], unknown], np.r_[self.log_bounds[0], unknown])]
        law, bounds = self.law()
        speeds = np.exp(self.slopes @ law)
        slowest = np.argmin(speeds)
        ends = speeds[slowest] * (self.middle + np.array(STARTS)) - self.angles[slowest]
        turns = np.arange(np.ceil(ends[0] / (2 * np.pi)), ends[1] / (2 * np.pi))
        times = (self.angles[slowest] + 2 * np.pi * turns) / speeds[slowest]
        vague = self._bounds(slowest, speeds, times) / speeds[slowest]
        vague = vague + bounds[slowest] * np.abs(times)
        for k in np.argsort(speeds):  # most starts fall here, quickly
            allowed = speeds[k] * (bounds[k] * np.abs(times) + vague)
            allowed = allowed + self._bounds(k, speeds, times)
            off = np.abs(wrapped(self.angles[k] - speeds[k] * times))
            stay = (off <= allowed) | (allowed > _SURE)
            times, vague = times[stay], vague[stay]
        found = (self._sharpened(np.r_[law[:2], time - self.middle], slowest) for time in times)
        return [fit for fit in found if fit]

    def _bounds(self, k, speeds, times):
        return self.angle_bounds[k] + self.drift * speeds[k] * np.abs(times)

    def _sharpened(self, numbers, slowest):
        """Return the numbers that fit all hands, and bounds, or None where none do."""
        every = np.arange(len(self.angles))
        used, known = every == slowest, None
        while True:
            for _ in range(4):  # Gauss-Newton steps
                speeds, time = np.exp(self.slopes @ numbers), self.middle + numbers[2]
                off = wrapped(self.angles - speeds * time)
                allowed = self._bounds(every, speeds, time)
                angles = speeds[:, None] * (self.slopes * time + [0, 0, 1])  # derivatives
                errors = np.r_[self.log_bounds, allowed[used]]
                gain = _gain(np.vstack([self.known, angles[used]]), errors)
                numbers = numbers + gain @ np.r_[self.logs - self.known @ numbers, off[used]]
            bounds, reach = np.abs(gain) @ errors, np.abs(angles @ gain) @ errors + allowed
            sure = used | (reach < _SURE)
            if (sure == used).all():
                known = known or (numbers, bounds)
                if used.all():
                    break
                # A hand whose turn is not known keeps the nearest, which may move the numbers.
                sure = used | (reach == reach[~used].min())
            used = sure
        fits = (np.abs(off) <= 2 * allowed).all()
        return (numbers, known[1] + np.abs(numbers - known[0])) if fits else None


def _gain(columns, errors):
    """Return the matrix that makes weighted least squares' parameters of what is known."""
    weighted = columns / errors[:, None]
    scale = np.linalg.norm(weighted, axis=0)
    scale = np.where(scale == 0, 1, scale)
    return np.linalg.pinv(weighted / scale, rcond=1e-10) / scale[:, None] / errors
