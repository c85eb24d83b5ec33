"""Traces of a machine are found whatever its folders are called, and formulas are left alone."""

from pathlib import Path

import pytest
from traces import traces


@pytest.mark.parametrize(
    "text",
    [
        "see /data/glove/vectors.txt.",
        "/glove.txt",
        r"C:\Users\ada",
        "D:/course",
        r"\\server\share$",
        "file:///course",
        "lib/python3.12/site-packages/numpy",
        f"in {Path.home()} there",
        "<object at 0x7f0000aa>",
        "12.5 ms",
        "2024-01-31",
        "6.1e-17",
    ],
)
def test_a_trace_is_found(text):
    assert traces(text)


@pytest.mark.parametrize(
    "text",
    [
        "1/2, d/2 - 1, n // 2, 10/12/2",
        "a / b / c and |a|/|b| and f(x)/g(x)/h",
        "https://vega.github.io/schema/vega-lite/v6.json",
        "<td>1</td></tr></table><br/>",
        r"\frac{1}{2} \\ \alpha \beta",
        "about ~3, ',.4~r', replace(it, /,/g, ' ')",
        "1.2e-05, 3.5 s, 2017, 0x1f",
    ],
)
def test_what_is_no_trace_is_left_alone(text):
    assert traces(text) == []
