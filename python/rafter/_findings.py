"""What the executor reports: findings of its checkers and counts of its profiler, as objects."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def _place(place: dict[str, Any] | None) -> str:
    return f"{place['file']}:{place['line']}" if place and "file" in place else ""


@dataclass(frozen=True)
class Site:
    """One of the accesses or calls that a finding is about."""

    action: str
    file: str
    line: int
    source: str
    thread: tuple[int, ...] | None
    block: tuple[int, ...] | None
    bytes: int | None

    @staticmethod
    def of(side: dict[str, Any]) -> Site:
        place = side.get("place") or {}
        return Site(side["action"], place.get("file", ""), place.get("line", 0), place.get("text", "").strip(),
                    tuple(side["thread"]) if "thread" in side else None,
                    tuple(side["block"]) if "block" in side else None, side.get("bytes"))

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file else ""
        actor = "host code"
        if self.block is not None:
            thread = f"thread {_triple(self.thread)}" if self.thread is not None else "a thread"
            actor = f"{thread} of block {_triple(self.block)}"
        amount = "" if self.bytes is None else f" {self.bytes} byte{'s' if self.bytes != 1 else ''}"
        text = f"    {where}{actor} {self.action}{amount}"
        return text + (f"\n      {self.line:>5} | {self.source}" if self.source else "")


def _triple(numbers: tuple[int, ...] | None) -> str:
    return "(" + ",".join(map(str, numbers or ())) + ")"


@dataclass(frozen=True)
class Finding:
    """An error that the executor found. `kind` is one of docs/executor-reference.md's, such as "race"; `data` is the
    whole finding as `rafter check --json` prints it."""

    kind: str
    kernel: str
    space: str
    count: int
    sites: tuple[Site, ...]
    detail: str
    data: dict[str, Any] = field(repr=False, compare=False)

    @staticmethod
    def of(data: dict[str, Any]) -> Finding:
        return Finding(data["kind"], data.get("kernel", ""), data.get("space", ""), data.get("count", 1),
                       tuple(Site.of(side) for side in data.get("sides", [])), data.get("detail", ""), data)

    def _memory(self) -> str:
        memory = self.data.get("memory")
        if not memory:
            return ""
        text = "    in "
        if "index" in memory:
            text += f"{memory['argument']}[{memory['index']}], "
        elif "argument" in memory:
            text += f"memory that argument {memory['argument']} points to, "
        text += str(memory["what"])
        return text + (f" of {memory['bytes']} bytes, at offset {memory['offset']}" if memory.get("bytes") else "")

    def __str__(self) -> str:
        head = self.kind.replace("_", " ")
        if self.space and self.space != "host":
            head += f" in {self.space} memory"
        if self.kernel:
            head += f", kernel {self.kernel}"
        if self.count > 1:
            head += f", {self.count} times"
        detail = f"    {self.detail}" if self.detail else ""
        return "\n".join(part for part in (head, *map(str, self.sites), self._memory(), detail) if part)


@dataclass(frozen=True)
class Check:
    """The result of a check. True if the run was complete, nothing was found and no launch failed."""

    findings: tuple[Finding, ...]
    succeeded: bool
    output: str
    data: dict[str, Any] = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.succeeded and not self.findings

    def __str__(self) -> str:
        if self.findings:
            return "\n\n".join(map(str, self.findings))
        return "nothing found" if self.succeeded else f"the run failed: {self.output.strip() or self.data.get('program')}"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True)
class LineCounts:
    """The memory requests of one access in a kernel's source."""

    kernel: str
    file: str
    line: int
    source: str
    space: str
    kind: str
    requests: int
    lanes: int
    sectors: int
    ideal_sectors: int
    passes: int
    ideal_passes: int


@dataclass(frozen=True)
class Profile:
    """The counters of a run, for each access in the source; `data` is what `rafter profile --json` prints."""

    lines: tuple[LineCounts, ...]
    output: str
    data: dict[str, Any] = field(repr=False, compare=False)

    @staticmethod
    def of(data: dict[str, Any], output: str) -> Profile:
        lines = []
        for kernel, counts in data.get("counts", {}).items():
            for place in counts["places"]:
                at = place.get("place") or {}
                lines.append(LineCounts(kernel, at.get("file", ""), at.get("line", 0), at.get("text", "").strip(),
                                        place["space"], place["kind"], place["requests"], place["lanes"],
                                        place["sectors"], place["ideal_sectors"], place["wavefronts"],
                                        place["ideal_wavefronts"]))
        return Profile(tuple(lines), output, data)

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("line", "access", "requests", "lanes", "sectors (ideal)", "passes (ideal)")]
        for one in self.lines:
            average = f"{one.lanes / one.requests:.1f}" if one.requests else ""
            rows.append((f"{one.file}:{one.line}", f"{one.space} {one.kind}", str(one.requests), average,
                         f"{one.sectors} ({one.ideal_sectors})" if one.sectors else "",
                         f"{one.passes} ({one.ideal_passes})" if one.passes else ""))
        return rows

    def __str__(self) -> str:
        rows = self._rows()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        from html import escape

        head, *rows = self._rows()
        text = "<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"
        for row in rows:
            text += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        return f"<table>{text}</table>"


@dataclass(frozen=True)
class Cause:
    """Something that limits a kernel: what it is, what removing it is worth at most (a factor), and what to try."""

    kernel: str
    cause: str
    sentence: str
    idea: str
    worth: float
    worth_at_most: float


@dataclass(frozen=True)
class Explanation:
    """What limits a kernel, the most important first; `data` is what `rafter explain --json` prints."""

    causes: tuple[Cause, ...]
    gpu: str
    data: dict[str, Any] = field(repr=False, compare=False)

    @staticmethod
    def of(data: dict[str, Any]) -> Explanation:
        causes = [Cause(kernel["kernel"], one["cause"], one["sentence"], one.get("idea", ""), one.get("worth", 1.0),
                        one.get("worth_at_most", 1.0))
                  for kernel in data.get("kernels", []) for one in kernel.get("findings", [])]
        return Explanation(tuple(causes), data.get("gpu", ""), data)

    def __str__(self) -> str:
        return "\n".join(f"{one.kernel}: {one.sentence} (worth {one.worth:.2f}x). Try: {one.idea}."
                         for one in self.causes) or "nothing limits it"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(f"<tr><td>{escape(one.kernel)}</td><td>{escape(one.sentence)}</td><td>{one.worth:.2f}x</td>"
                       f"<td>{escape(one.idea)}</td></tr>" for one in self.causes)
        return ("<table><tr><th>kernel</th><th>what limits it</th><th>worth</th><th>try</th></tr>"
                f"{rows}</table>")
