"""rafter.bench: verifies and times Python callables with one set of rules. docs/python.md states them."""
from __future__ import annotations

import gc
import json
import math
import os
import platform
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Sequence

import numpy

from . import _core

Arrays = tuple[Any, ...]


def _torch() -> Any:
    """Returns the module torch if the program has imported it: only then can a value be a tensor."""
    return sys.modules.get("torch")


def _leaves(value: Any) -> list[Any]:
    """Returns the arrays and numbers of a result, in order. Throws TypeError for what could compute later."""
    torch = _torch()
    if isinstance(value, (tuple, list)):
        return [leaf for one in value for leaf in _leaves(one)]
    if type(value) in (int, float, bool, numpy.ndarray) or isinstance(value, numpy.generic):
        return [value]
    if torch is not None and type(value) is torch.Tensor:
        return [value]
    raise TypeError(f"a callable should return arrays of NumPy, tensors, numbers, or tuples of them, returned "
                    f"{type(value).__name__}")


def _on_host(value: Any) -> numpy.ndarray[Any, Any]:
    """Returns a copy of an array or a number as a NumPy array."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        value = (value.float() if str(value.dtype) == "torch.bfloat16" else value).numpy()
    return numpy.array(value)


def _copied(value: Any) -> Any:
    """Returns a copy of an argument; what is no array is passed as it is."""
    if isinstance(value, numpy.ndarray):
        return value.copy()
    if hasattr(value, "detach") and hasattr(value, "clone"):
        return value.detach().clone().requires_grad_(value.requires_grad)
    return value


def _gpus_of(arguments: Arrays) -> list[Any]:
    return sorted({one.device for one in arguments if getattr(one, "is_cuda", False)}, key=str)


def _synchronize(gpus: Sequence[Any]) -> None:
    for gpu in gpus:  # all streams of the device
        _torch().cuda.synchronize(gpu)


def _epsilon(values: Sequence[Any]) -> float:
    """Returns the largest epsilon of the floating-point types of results; 0 for integers only."""
    known = {"torch.float16": 2.0**-10, "torch.bfloat16": 2.0**-7, "torch.float32": 2.0**-23, "torch.float64": 2.0**-52}
    found = [0.0]
    for value in values:
        name = str(getattr(value, "dtype", ""))
        if name in known:
            found.append(known[name])
        elif isinstance(value, (numpy.ndarray, numpy.generic)) and value.dtype.kind == "f":
            found.append(float(numpy.finfo(value.dtype).eps))
        elif isinstance(value, float):
            found.append(2.0**-52)
    return max(found)


def _mismatch(what: str, result: numpy.ndarray[Any, Any], expected: numpy.ndarray[Any, Any], rtol: float,
              atol: float | None) -> str:
    """Returns what is wrong with a result, or an empty text. A NaN is equal to a NaN only."""
    if result.shape != expected.shape:
        return f"{what} should have the shape {expected.shape}, has {result.shape}"
    if result.size == 0:
        return ""
    wide = numpy.complex128 if "c" in (result.dtype.kind, expected.dtype.kind) else numpy.float64
    if result.dtype.kind in "iub" and expected.dtype.kind in "iub":
        right = result == expected
    else:
        found, wanted = result.astype(wide), expected.astype(wide)
        with numpy.errstate(all="ignore"):
            finite = numpy.isfinite(wanted)
            scale = math.sqrt(float((numpy.abs(wanted[finite])**2).mean())) if finite.any() else 0.0
            bound = (rtol * scale if atol is None else atol) + rtol * numpy.abs(wanted)
            right = (numpy.abs(found - wanted) <= bound) & finite
            right |= found == wanted
            right |= numpy.isnan(found) & numpy.isnan(wanted)
    if bool(right.all()):
        return ""
    at = tuple(int(i) for i in numpy.argwhere(~right)[0]) if right.shape else ()
    return (f"{what}{list(at) if at else ''} should be {expected[at]}, is {result[at]}"
            f" ({int((~right).sum())} of {right.size} elements are wrong)")


@dataclass
class Row:
    """One callable: its median, and the interval that contains the true median with 95 % confidence, in nanoseconds.
    None unless every result was right."""

    name: str
    problem: str
    samples_ns: list[int] = field(repr=False)

    @property
    def verified(self) -> bool:
        return not self.problem

    @property
    def median_ns(self) -> float | None:
        return float(numpy.median(self.samples_ns)) if self.verified else None

    @property
    def interval_ns(self) -> tuple[float, float] | None:
        if not self.verified:
            return None
        samples, n = sorted(self.samples_ns), len(self.samples_ns)
        reach = 0.98 * math.sqrt(n)  # half of 1.96 standard deviations of the binomial count
        return samples[max(0, math.floor(n / 2 - reach))], samples[min(n - 1, math.ceil(n / 2 + reach))]


@dataclass
class Result:
    """The outcome of bench(). Prints as a table, and shows itself as one in a notebook."""

    rows: list[Row]
    rounds: int
    seed: int
    bytes: int | None

    def __getitem__(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)

    def __bool__(self) -> bool:
        return all(row.verified for row in self.rows)

    def _cells(self) -> list[list[str]]:
        head = ["callable", "median", "95%", *(["rate"] if self.bytes is not None else []), "x first"]
        first, cells = self.rows[0].median_ns, [head]
        for row in self.rows:
            median, interval = row.median_ns, row.interval_ns
            if median is None or interval is None:
                cells.append([row.name, f"WRONG: {row.problem}", *[""] * (len(head) - 2)])
                continue
            rate = [f"{self.bytes / max(median, 1):.3g} GB/s"] if self.bytes is not None else []
            cells.append([row.name, _duration(median), f"{_duration(interval[0])} to {_duration(interval[1])}", *rate,
                          f"{first / max(median, 1):.2f}x" if first is not None else "-"])
        return cells

    def __str__(self) -> str:
        cells = self._cells()
        aligned = [row for row in cells if not row[1].startswith("WRONG")]
        widths = [max(len(row[i]) for row in (cells if i == 0 else aligned)) for i in range(len(cells[0]))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells)

    def _repr_html_(self) -> str:
        from html import escape

        head, *rows = self._cells()
        longest = max((row.median_ns or 0 for row in self.rows), default=0) or 1
        text = "<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "<th></th></tr>"
        for row, cells in zip(self.rows, rows):
            width = 160 * (row.median_ns or 0) / longest
            bar = f'<svg width="160" height="12"><rect width="{width:.0f}" height="12" fill="#4c9a2a"/></svg>'
            text += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + f"<td>{bar}</td></tr>"
        return f"<table>{text}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Returns everything that save() writes."""
        machine = {"cpu": platform.processor() or platform.machine(), "os": platform.platform(),
                   "python": platform.python_version(), "rafter": _core.version()}
        rows = [{"rung": row.name, "verified": row.verified, "problem": row.problem, "median_ns": row.median_ns,
                 "samples_ns": row.samples_ns if row.verified else []} for row in self.rows]
        return {"format": "rafter-python-bench 1", "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                "machine": machine, "rounds": self.rounds, "seed": self.seed, "bytes": self.bytes, "results": rows}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all samples as JSON."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_dict(), file, indent=2)
            file.write("\n")

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with a row for each callable."""
        import pandas

        return pandas.DataFrame([{"name": row.name, "verified": row.verified, "median_ns": row.median_ns,
                                  "low_ns": (row.interval_ns or (None, None))[0],
                                  "high_ns": (row.interval_ns or (None, None))[1], "problem": row.problem}
                                 for row in self.rows]).set_index("name")


def _duration(ns: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def _call(function: Callable[..., Any], arguments: Arrays, gpus: Sequence[Any]) -> tuple[Any, int]:
    """Calls a function and returns its result and the time until all its work was done."""
    _synchronize(gpus)
    begin = time.perf_counter_ns()
    result = function(*arguments)
    _synchronize(gpus)
    return result, time.perf_counter_ns() - begin


def _answer(result: Any, arguments: Arrays) -> tuple[list[Any], list[Any]]:
    """Returns the result's arrays and the arrays among the arguments, as they are after the call."""
    returned = [] if result is None else _leaves(result)
    return returned, [one for one in arguments if isinstance(one, numpy.ndarray) or hasattr(one, "detach")]


def bench(callables: Mapping[str, Callable[..., Any]], make: Callable[[numpy.random.Generator], Arrays], *,
          reference: Callable[..., Any], bytes: int | None = None, rounds: int = 50, seed: int | None = None,
          rtol: float | None = None, atol: float | None = None) -> Result:
    """Verifies and times callables. `make(random)` returns a tuple of fresh arguments, and `reference` computes the right
    results from them: what it returns, and what it writes into its arguments. By default rtol is the square root of the
    epsilon of the result's type, and atol is rtol times the root mean square of the expected values. `bytes` is the
    least number of bytes that must move. Equal seeds give equal arguments."""
    if not callables:
        raise ValueError("bench: callables should have at least one entry")
    if not callable(make):
        raise TypeError(f"bench: make should be a function that returns fresh arguments, is {type(make).__name__}")
    if rounds < 5:
        raise ValueError(f"bench: rounds should be at least 5, is {rounds}")
    seed = int.from_bytes(os.urandom(4), "little") if seed is None else seed
    rows = {name: Row(name, "", []) for name in callables}
    n_warm = 2
    n_compared = 0
    for i in range(-n_warm, rounds):
        random = numpy.random.default_rng([seed, i + n_warm])
        made = make(random)
        if not isinstance(made, tuple):
            raise TypeError(f"bench: make should return a tuple of arguments, returned {type(made).__name__}")
        gpus = _gpus_of(made)
        answers: dict[str, tuple[list[numpy.ndarray[Any, Any]], list[numpy.ndarray[Any, Any]], float]] = {}
        for name in random.permutation(sorted(name for name, row in rows.items() if row.verified)):
            arguments = tuple(_copied(one) for one in made)
            was_enabled = gc.isenabled()
            gc.disable()
            try:
                result, elapsed_ns = _call(callables[name], arguments, gpus)
                returned, written = _answer(result, arguments)
                answers[name] = [_on_host(one) for one in returned], [_on_host(one) for one in written], _epsilon(
                    [*returned, *(one for one in written if not returned)])
                if i >= 0:
                    rows[name].samples_ns.append(elapsed_ns)
            except Exception as error:  # a callable's own error is its verdict
                rows[name].problem = f"{type(error).__name__}: {error}"
            finally:
                if was_enabled:
                    gc.enable()
        # The right results exist only after all callables have run.
        arguments = tuple(_copied(one) for one in made)
        expected, after = _answer(reference(*arguments), arguments)
        wanted, wanted_after = [_on_host(one) for one in expected], [_on_host(one) for one in after]
        n_compared += sum(one.size for one in wanted) or sum(one.size for one in wanted_after)
        for name, (returned, written, epsilon) in answers.items():
            rows[name].problem = _compare(returned, written, wanted, wanted_after,
                                          math.sqrt(epsilon) if rtol is None else rtol, atol)
    if n_compared == 0:
        raise ValueError("bench: the reference should return or write at least one element: there is nothing to compare")
    return Result(list(rows.values()), rounds, seed, bytes)


def _compare(returned: list[numpy.ndarray[Any, Any]], written: list[numpy.ndarray[Any, Any]],
             wanted: list[numpy.ndarray[Any, Any]], wanted_after: list[numpy.ndarray[Any, Any]], rtol: float,
             atol: float | None) -> str:
    if len(returned) != len(wanted):
        return f"it should return {len(wanted)} arrays, returned {len(returned)}"
    for kind, found, right in (("result", returned, wanted), ("argument", written, wanted_after)):
        for i, (one, other) in enumerate(zip(found, right)):
            if problem := _mismatch(f"{kind} {i}" if len(right) > 1 else kind, one, other, rtol, atol):
                return problem
    return ""
