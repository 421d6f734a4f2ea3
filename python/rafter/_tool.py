"""The command-line tool: where it is, and how Python runs it."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Sequence


class ToolError(RuntimeError):
    """The tool could not do what was asked. The message is the tool's own; `command` and `code` are its."""

    def __init__(self, message: str, command: Sequence[str] = (), code: int = 2) -> None:
        super().__init__(message)
        self.command = list(command)
        self.code = code


def tool() -> Path:
    """Returns the path of the program `rafter`: RAFTER_TOOL, that of the wheel, or that of the build folder."""
    package = Path(__file__).resolve().parent
    given = os.environ.get("RAFTER_TOOL")
    candidates = [Path(given)] if given else [package / "bin" / "rafter", package.parents[1] / "rafter"]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise ToolError(f"there is no program {candidates[0]}: install the package with the tool, or set RAFTER_TOOL")


def cmake_prefix() -> Path:
    """Returns the folder for CMAKE_PREFIX_PATH with which a C++ project finds the library of this package."""
    package = Path(__file__).resolve().parent
    found = sorted(package.glob("lib*/cmake/rafter/rafter-config.cmake"))
    if not found:
        raise ToolError(f"{package} has no files for CMake: it was not installed by pip")
    return package


def main() -> None:
    """Becomes the tool: the command `rafter` of the installed package."""
    try:
        program = tool()
    except ToolError as error:
        sys.exit(f"rafter: {error}")
    os.execv(program, [str(program), *sys.argv[1:]])


class Output:
    """What a finished command printed."""

    def __init__(self, command: Sequence[str], code: int, stdout: str, stderr: str) -> None:
        self.command, self.code, self.stdout, self.stderr = list(command), code, stdout, stderr

    def message(self) -> str:
        """Returns the errors that the tool printed, without its name."""
        text = self.stderr.strip()
        at = text.find("rafter: ")
        return text[at + len("rafter: "):] if at >= 0 else text or f"the command ended with {self.code}"

    def json(self) -> Any:
        """Returns the JSON on the standard output. Throws ToolError if there is none."""
        try:
            return json.loads(self.stdout)
        except ValueError:
            raise ToolError(self.message(), self.command, self.code) from None


def call(arguments: Sequence[str | os.PathLike[str]], cwd: str | os.PathLike[str] | None = None) -> Output:
    """Runs the tool with arguments and returns what it printed. Ctrl-C ends both."""
    command = [str(tool()), *(os.fspath(word) for word in arguments)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", cwd=cwd, env={**os.environ, "NO_COLOR": "1"})
    return Output(command, done.returncode, done.stdout, done.stderr)
