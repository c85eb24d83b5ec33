"""Checks of arguments, so that bad input is named where it enters."""
