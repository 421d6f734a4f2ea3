"""CUDA sources as modules: kernels of a .cu file, called with arrays on the CPU and run by the executor."""
from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Sequence

from . import Error
from ._arguments import Bound, Holder, Parameter, parse_signature, require_separate
from ._findings import Check, Explanation, Finding, Profile
from ._tool import Output, ToolError, call

Extents = int | Sequence[int]


class CompileError(Exception):
    """A source that does not compile. The message is the compiler's, with the lines of the user's file."""


class FindingError(Error):
    """A checked call in which the executor found errors: `findings`, of type Finding."""

    def __init__(self, check: Check) -> None:
        super().__init__(str(check))
        self.findings = check.findings


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Returns a new folder for arrays, in memory where the system has such a place."""
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(prefix="rafter-", dir=memory if os.access(memory, os.W_OK) else None)


def _extents(name: str, given: Extents) -> str:
    values = [given] if isinstance(given, int) else [int(extent) for extent in given]
    if not 1 <= len(values) <= 3 or any(extent < 1 for extent in values):
        raise ValueError(f"{name} should be 1 to 3 numbers of at least 1, is {given}")
    return ",".join(map(str, values))


def _raise(output: Output) -> None:
    """Throws the exception for a command that failed."""
    text = output.message()
    if "the program does not compile:" in text:
        lines = text[text.index("does not compile:") + len("does not compile:"):].strip().splitlines()
        raise CompileError("\n".join(line for line in lines if "/simt/drivers/" not in line))
    raise ToolError(text, output.command, output.code)


def require_success(output: Output, data: dict[str, Any]) -> dict[str, Any]:
    """Returns the report of a run to measure. Throws Error if the program failed: its counts would be of a part."""
    if output.code != 0:
        found = "\n\n".join(str(Finding.of(one)) for one in data.get("findings", []))
        raise Error(found or output.stderr.strip() or f"the program did not end normally: {data.get('program')}")
    return data


class Kernel:
    """A kernel of a module. `kernel(a, b, n, block=(128, 1, 1), grid=(8, 1))` runs it; `kernel["float"]` is an instance
    of a template."""

    def __init__(self, module: Module, name: str) -> None:
        self._module, self.name = module, name
        self._known: tuple[str, list[Parameter]] | None = None

    def __getitem__(self, types: str | tuple[str, ...]) -> Kernel:
        arguments = types if isinstance(types, str) else ", ".join(map(str, types))
        return Kernel(self._module, f"{self.name.split('<')[0]}<{arguments}>")

    def __repr__(self) -> str:
        return f"<kernel {self.name} of {self._module.path}>"

    @property
    def parameters(self) -> list[Parameter]:
        """The kernel's parameters, read from the source as it is now. Compiles it."""
        version = self._module._version()
        if self._known is None or self._known[0] != version:
            # A name that no parameter has: the kernel is built and names its signature, and does not run.
            output = call(["exec", *self._module._build(), "--kernel", self.name, "--grid", "1", "--block", "1",
                           "--arg", "?=0"])
            lines = output.stderr.strip().splitlines()
            if output.code != 2 or not any("has no parameter '?'" in line for line in lines):
                _raise(output)
            self._known = version, parse_signature(lines[-1])
        return self._known[1]

    def _bind(self, given: tuple[Any, ...], named: dict[str, Any]) -> list[Bound]:
        parameters = self.parameters
        signature = f"{self.name}({', '.join(map(str, parameters))})"
        if len(given) > len(parameters):
            raise TypeError(f"{signature} takes {len(parameters)} arguments, {len(given)} were given")
        values = dict(zip((parameter.name for parameter in parameters), given))
        for name, value in named.items():
            if name in values:
                raise TypeError(f"{signature} got {name} twice")
            values[name] = value
        names = {parameter.name for parameter in parameters}
        if unknown := sorted(values.keys() - names):
            raise TypeError(f"{signature} has no parameter {', '.join(unknown)}")
        if missing := [parameter.name for parameter in parameters if parameter.name not in values]:
            raise TypeError(f"{signature} needs {', '.join(missing)}")
        bound = [Bound(parameter, values[parameter.name]) for parameter in parameters]
        require_separate(bound)
        return bound

    def _run(self, command: str, given: tuple[Any, ...], named: dict[str, Any], block: Extents, grid: Extents,
             shared: int, options: Sequence[str], saves: bool = True) -> tuple[Output, list[Bound]]:
        bound = self._bind(given, named)
        with _scratch() as folder_name:
            folder = Path(folder_name)
            words: list[str] = [command, *self._module._build(), "--kernel", self.name, "--grid",
                                _extents("grid", grid), "--block", _extents("block", block), *options]
            if shared:
                words += ["--shared", str(int(shared))]
            for one in bound:
                words += ["--arg", one.write(folder)]
                if saves and one.writes and one.array is not None:
                    words += ["--save", f"{one.parameter.name}={one.saved(folder)}"]
            output = call(words)
            for one in bound:
                one.read(folder)
        return output, bound

    def __call__(self, *arguments: Any, block: Extents = (1, 1, 1), grid: Extents = (1, 1), shared: int = 0,
                 check: bool | None = None, **named: Any) -> None:
        """Runs the kernel and writes its results into the arrays. With check=True, throws FindingError if the executor
        finds a race, a bad access, an uninitialised read or another error."""
        is_checked = self._module.check if check is None else check
        if is_checked:
            self.checked(*arguments, block=block, grid=grid, shared=shared, **named)._require_clean()
            return
        output, bound = self._run("exec", arguments, named, block, grid, shared, ())
        if output.code != 0:
            if "does not compile" in output.stderr or output.stderr.startswith("rafter: --"):
                _raise(output)
            raise Error(output.stderr.strip() or f"{self.name} ended with {output.code}")
        sys.stdout.write(_without_arrays(output.stdout, bound))
        if output.stderr.strip():
            warnings.warn(output.stderr.strip(), RuntimeWarning, stacklevel=2)

    def checked(self, *arguments: Any, block: Extents = (1, 1, 1), grid: Extents = (1, 1), shared: int = 0,
                **named: Any) -> KernelCheck:
        """Runs the kernel under all checkers and returns what they found. Writes its results into the arrays."""
        output, _ = self._run("check", arguments, named, block, grid, shared, ("--json",))
        data = self._report(output)
        return KernelCheck(tuple(map(Finding.of, data.get("findings", []))), output.code == 0, output.stderr, data)

    def profile(self, *arguments: Any, block: Extents = (1, 1, 1), grid: Extents = (1, 1), shared: int = 0,
                **named: Any) -> Profile:
        """Runs the kernel and counts its memory requests, line by line. Writes its results into the arrays."""
        output, _ = self._run("profile", arguments, named, block, grid, shared, ("--json",))
        return Profile.of(require_success(output, self._report(output)), output.stderr)

    def explain(self, *arguments: Any, block: Extents = (1, 1, 1), grid: Extents = (1, 1), shared: int = 0,
                gpu: str = "H200", **named: Any) -> Explanation:
        """Returns what limits the kernel on a GPU, what removing that is worth, and what to try. Leaves the arrays as
        they are."""
        output, _ = self._run("explain", arguments, named, block, grid, shared, ("--json", "--gpu", gpu), saves=False)
        return Explanation.of(require_success(output, self._report(output)))

    def _report(self, output: Output) -> dict[str, Any]:
        if output.code == 2 or not output.stdout.strip():
            _raise(output)
        data: dict[str, Any] = output.json()
        return data


class KernelCheck(Check):
    """The result of a checked call of a kernel."""

    def _require_clean(self) -> None:
        sys.stdout.write(self.output)  # what the kernel printed
        if self.findings:
            raise FindingError(self)
        if not self:
            raise Error(str(self))


def _without_arrays(text: str, bound: list[Bound]) -> str:
    """Returns what a kernel printed, without the arrays that `rafter exec` shows after it."""
    shown = next((one for one in bound if one.array is not None and not one.parameter.is_const), None)
    if shown is None:
        return text
    lines = text.splitlines(keepends=True)
    head = f"{shown.parameter.name} = {shown.text}"
    last = max((i for i, line in enumerate(lines) if line.startswith(head)), default=len(lines))
    return "".join(lines[:last])


class Module:
    """The kernels of a CUDA source: `module.name`, `module["ns::name<float>"]`. The source is read anew at every call, so
    an edited file needs no reload."""

    def __init__(self, path: str | os.PathLike[str], options: Sequence[str] = (), check: bool = False) -> None:
        self.path = Path(path).resolve()
        self.check = check
        self._options = list(options)
        self._kernels: dict[str, Kernel] = {}
        if not self.path.is_file():
            raise FileNotFoundError(f"there is no file {path}")

    def _build(self) -> list[str]:
        return [str(self.path), *self._options]

    def _version(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels.setdefault(name, Kernel(self, name))

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_") or not re.search(rf"\b{re.escape(name)}\b", self.path.read_text(errors="replace")):
            raise AttributeError(f"{self.path} has no kernel '{name}'")
        return self[name]

    def get_function(self, name: str) -> Kernel:
        """Returns a kernel, as PyCUDA's SourceModule does."""
        return self[name]

    def __repr__(self) -> str:
        return f"<module {self.path}>"


def load_module(source: str | os.PathLike[str], *, options: Sequence[str] = (), check: bool = False) -> Module:
    """Returns the kernels of a .cu file, or of a source text. `options` are nvcc's, such as ["-I", "include"]. Nothing is
    compiled until a kernel is called. With check=True every call is checked."""
    text = os.fspath(source)
    if "\n" not in text and "__global__" not in text:
        return Module(text, options, check)
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rafter" / "python"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.cu"
    if not path.exists() or path.read_text() != text:
        with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".cu", delete=False) as file:
            file.write(text)
        os.replace(file.name, path)
    return Module(path, options, check)


class SourceModule(Module):
    """PyCUDA's class: compiles a source text. Options that concern nvcc's caches and GPUs are accepted and ignored."""

    def __init__(self, source: str, nvcc: str = "nvcc", options: Sequence[str] | None = None, keep: bool = False,
                 no_extern_c: bool = False, arch: str | None = None, code: str | None = None,
                 cache_dir: str | None = None, include_dirs: Sequence[str] = ()) -> None:
        words = [*(options or ()), *(word for folder in include_dirs for word in ("-I", folder))]
        super().__init__(load_module(source if "\n" in source else source + "\n").path, words)


__all__ = ["Check", "CompileError", "Finding", "FindingError", "Holder", "Kernel", "Module", "SourceModule",
           "load_module"]
