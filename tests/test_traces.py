"""Traces of a machine are found whatever its folders are called, and formulas are left alone."""

import sys
from pathlib import Path

import pytest
from traces import ROOT, traces


@pytest.mark.parametrize(
    "text",
    [
        "/srv/course/notes.py",
        "/builds/group/course",
        "see /data/glove/vectors.txt.",
        "'/etc/hosts'",
        "(/opt/python/bin)",
        "=/private/var",
        "/content/drive",
        "/mnt/c",
        "/glove.txt",
        "~/course",
        "~ada/course",
        r"C:\Users\ada",
        "D:/course",
        r"\\server\share$",
        "file:///course",
        "file:/course",
        "lib/python3.12/site-packages/numpy",
        f"in {Path.home()} there",
        str(ROOT),
        sys.prefix,
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
        "sine and/or cosine, sin/cos/tan, km/h",
        "a / b / c and |a|/|b| and f(x)/g(x)/h",
        "https://vega.github.io/schema/vega-lite/v6.json",
        "<td>1</td></tr></table><br/>",
        "text/html, notebooks/01_formula.md, ../shared/notes.md",
        r"\frac{1}{2} \\ \alpha \beta",
        "x: 3, ratio 3:1, t:Q",
        "about ~3, ',.4~r', replace(it, /,/g, ' ')",
        "1.2e-05, 3.5 s, 2017, 0x1f",
    ],
)
def test_what_is_no_trace_is_left_alone(text):
    assert traces(text) == []
