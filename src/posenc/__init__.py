"""Sinusoidal positional encodings: tables, shifts, distances and attention.

The helper package of the course *Positional Encoding, from the Clock to the Rotation*.
"""
