"""rafter.bench: callables that would fool it have no time."""
import json
import re

import numpy as np
import pytest

import rafter


def make(random):
    return random.standard_normal(1000), random.standard_normal(1000)


def reference(a, b):
    return a * b + 1


def compare(callables, maker=make, expected=reference, **options):
    return rafter.bench(callables, maker, reference=expected, rounds=6, seed=3, **options)


def test_right_callables_have_times_and_a_table(tmp_path):
    result = compare({"first": lambda a, b: a * b + 1, "second": lambda a, b: 1 + b * a}, bytes=24_000)
    assert result and [row.name for row in result.rows] == ["first", "second"]
    for row in result.rows:
        low, high = row.interval_ns
        assert len(row.samples_ns) == 6 and low <= row.median_ns <= high
    table = str(result).splitlines()
    assert len(table) == 3 and "GB/s" in table[1] and table[1].endswith("1.00x")
    assert result._repr_html_().count("<tr>") == 3
    result.save(tmp_path / "a.json")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["seed"] == 3 and saved["results"][0]["samples_ns"] == result["first"].samples_ns
    pandas = pytest.importorskip("pandas")
    assert isinstance(result.to_pandas(), pandas.DataFrame)


class Lazy:
    def __init__(self, a, b):
        self.inputs = a, b

    def __array__(self, *_args, **_options):
        return self.inputs[0] * self.inputs[1] + 1


class LazyArray(np.ndarray):
    pass


def remembers(first=[]):
    def function(a, b):
        first or first.append(a * b + 1)
        return first[0]

    return function


def writes_its_input(a, b):
    result = a * b + 1
    a[500] = 0
    return result


def changes(at, to):
    def function(a, b):
        result = a * b + 1
        result[at] = to
        return result

    return function


@pytest.mark.parametrize("function, problem", [
    (remembers(), "result"),
    (lambda a, b: None, "should return 1 arrays, returned 0"),
    (lambda a, b: (a * b + 1)[:-1], r"shape \(1000,\), has \(999,\)"),
    (lambda a, b: a * b + 1.0001, "of 1000 elements are wrong"),
    (changes(-1, np.nan), r"result\[999\] should be .*, is nan \(1 of 1000"),
    (changes(17, np.inf), r"result\[17\] should be .*, is inf"),
    (writes_its_input, r"argument 0\[500\]"),
    (Lazy, "returned Lazy"),
    (lambda a, b: (a * b + 1).view(LazyArray), "returned LazyArray"),
    (lambda a, b: 1 / 0, "ZeroDivisionError"),
])
def test_wrong_callables_have_no_time(function, problem):
    result = compare({"right": reference, "wrong": function})
    assert not result and result["right"].verified and result["wrong"].median_ns is None
    assert re.search(problem, result["wrong"].problem), result["wrong"].problem
    assert "WRONG" in str(result) and result.to_dict()["results"][1]["samples_ns"] == []


def test_a_callable_that_is_wrong_once_has_no_time():
    calls = []

    def sometimes(a, b):
        calls.append(0)
        return a * b + (2 if len(calls) == 7 else 1)

    assert not compare({"sometimes": sometimes})["sometimes"].verified


def test_results_in_place_are_compared():
    def maker(random):
        return random.random(100), random.random(100)  # the second is the output: random, so never right by itself

    def expected(x, out):
        out[:] = 2 * x

    result = compare({"right": expected, "nothing": lambda x, out: None, "half": lambda x, out: expected(x[:50], out[:50])},
                     maker, expected)
    assert [row.verified for row in result.rows] == [True, False, False]


def test_infinities_and_nans_are_equal_to_themselves_only():
    def maker(random):
        return np.array([np.nan, np.inf, -np.inf, random.random()]),

    result = compare({"same": lambda x: x + 0, "zero": np.nan_to_num, "minus": lambda x: -x}, maker, lambda x: x.copy())
    assert [row.verified for row in result.rows] == [True, False, False]


def test_integers_are_exact():
    def maker(random):
        return random.integers(2**60, 2**61, 10),

    result = compare({"right": lambda x: x + 1, "off": lambda x: x + 2}, maker, lambda x: x + 1)
    assert [row.verified for row in result.rows] == [True, False]


@pytest.mark.parametrize("call, error, message", [
    (lambda: compare({}), ValueError, "at least one entry"),
    (lambda: compare({"a": reference}, (1, 2)), TypeError, "make should be a function"),
    (lambda: compare({"a": reference}, lambda random: [1]), TypeError, "should return a tuple"),
    (lambda: compare({"a": lambda x: x}, lambda random: (np.empty(0),), lambda x: x), ValueError, "nothing to compare"),
    (lambda: rafter.bench({"a": reference}, make, reference=reference, rounds=1), ValueError, "at least 5"),
])
def test_refuses_what_it_cannot_compare(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_equal_seeds_give_equal_arguments():
    seen = []
    for _ in range(2):
        compare({"a": lambda a, b: seen.append(a.sum()) or a * b + 1})
    assert seen[:8] == seen[8:] and len(set(seen[:8])) == 8
