"""The workbench: commands of the tool whose results are objects."""
from __future__ import annotations

import os
from typing import Sequence

from ._findings import Check, Explanation, Finding, Profile
from ._modules import _raise, require_success
from ._tool import Output, call

Path = str | os.PathLike[str]


def _program(command: str, source: Path | Sequence[Path], arguments: Sequence[str], options: Sequence[str]) -> Output:
    files = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    words = [command, *(os.fspath(file) for file in files), *options, "--json"]
    output = call([*words, "--", *arguments] if arguments else words)
    if output.code == 2 or not output.stdout.strip():
        _raise(output)
    return output


def check(source: Path | Sequence[Path], *arguments: str, options: Sequence[str] = ()) -> Check:
    """Runs a CUDA program, with its arguments, under all checkers of the executor: `rafter check`. `options` are the
    command's, and those of nvcc."""
    output = _program("check", source, arguments, options)
    data = output.json()
    return Check(tuple(map(Finding.of, data.get("findings", []))), output.code == 0, output.stderr, data)


def profile(source: Path | Sequence[Path], *arguments: str, options: Sequence[str] = ()) -> Profile:
    """Runs a CUDA program and counts its memory requests, line by line: `rafter profile`."""
    output = _program("profile", source, arguments, options)
    return Profile.of(require_success(output, output.json()), output.stderr)


def explain(source: Path | Sequence[Path], *arguments: str, options: Sequence[str] = ()) -> Explanation:
    """Returns what limits the kernels of a CUDA program: `rafter explain`."""
    output = _program("explain", source, arguments, options)
    return Explanation.of(require_success(output, output.json()))


def run(*arguments: str) -> str:
    """Runs a command of the tool, such as run("list", "sum"), and returns what it prints. Throws ToolError if the
    command could not do its work (exit code 2)."""
    output = call(arguments)
    if output.code == 2:
        _raise(output)
    return output.stdout
