"""Tests of sweep.py with a tool that measures nothing."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import sweeps  # which makes the others importable

import points
import sweep

FAKE = Path(__file__).resolve().parent / "fake_rafter.py"
FILL = [points.over("fill", "sizes", "n", [64, 256, 1024], is_quick=True),
        points.over("fill", "sizes float64", "n", [64, 256], dtype="float64")]
FILTER = [points.over("filter", "shares", "keep", [0, 0.5, 1], n=256)]


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "results.json"
        self.log = Path(folder.name) / "log"
        self.environment = {"FAKE_RAFTER_LOG": str(self.log)}

    def sweep(self, *words, series=FILL, **environment):
        """Returns the exit code and what was printed."""
        printed = io.StringIO()
        with mock.patch.object(points, "all_series", lambda: series), \
                mock.patch.dict(os.environ, {**self.environment, **environment}), contextlib.redirect_stderr(printed):
            code = sweep.main([str(self.path), "--rafter", str(FAKE), "--memory", "1", *words])
        return code, printed.getvalue()

    def commands(self):
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines

    def document(self):
        return json.loads(self.path.read_text())

    def test_measures_the_op_and_its_peers_at_every_point(self):
        self.assertEqual(0, self.sweep()[0])
        self.assertEqual(2, len(self.commands()))
        document = self.document()
        self.assertEqual(5, len(document["points"]))
        point = document["points"]["fill cpu dtype=float64 n=256"]
        self.assertEqual(("threads", {"threads", "std_fill"}), (point["op"], set(point["rungs"])))
        self.assertEqual(256, point["rungs"]["std_fill"]["median_ns"])
        self.assertEqual([self.path], list(self.path.parent.glob("*results*")))  # no temporary file is left

    def test_sweeps_a_parameter_that_is_no_size(self):
        self.assertEqual(0, self.sweep(series=FILTER)[0])
        self.assertIn("--size 256 --set keep=0,0.5,1", self.commands()[0])
        self.assertEqual({0, 0.5, 1}, {p["params"]["keep"] for p in self.document()["points"].values()})

    def test_resumes_with_the_points_that_are_missing(self):
        self.sweep()
        document = self.document()
        del document["points"]["fill cpu n=256"]
        self.path.write_text(json.dumps(document))
        self.commands()
        self.assertEqual(0, self.sweep()[0])
        commands = self.commands()
        self.assertEqual(1, len(commands))
        self.assertIn("--size 256", commands[0])
        self.assertEqual(5, len(self.document()["points"]))
        self.sweep()
        self.assertEqual([], self.commands())

    def test_skips_a_point_that_fails_and_measures_the_others(self):
        code, printed = self.sweep(FAKE_RAFTER_FAULT="256")
        self.assertEqual(0, code)
        self.assertIn("fill cpu n=256: rafter: out of memory", printed)
        self.assertEqual(3, len(self.document()["points"]))
        self.assertEqual({"fill cpu n=256", "fill cpu dtype=float64 n=256"}, set(self.document()["skipped"]))
        self.sweep()  # a skipped point is tried again
        self.assertEqual((5, 0), (len(self.document()["points"]), len(self.document()["skipped"])))

    def test_stops_a_point_that_takes_too_long(self):
        self.sweep("--limit", "0.5", "--quick", FAKE_RAFTER_FAULT="-1024")
        self.assertEqual("took more than 0.5 s", self.document()["skipped"]["fill cpu n=1024"])
        self.assertEqual(2, len(self.document()["points"]))

    def test_skips_what_does_not_fit_the_memory(self):
        self.sweep("--memory", "0.0000005")  # 536 bytes
        self.assertEqual({"fill cpu n=64", "fill cpu dtype=float64 n=64"}, set(self.document()["points"]))
        self.assertIn("--memory", self.document()["skipped"]["fill cpu n=1024"])

    def test_measures_listed_points_again(self):
        self.sweep()
        document = self.document()
        document["points"]["fill cpu n=256"]["rungs"]["threads"]["min_ns"] = 9999
        self.path.write_text(json.dumps(document))
        self.commands()
        self.sweep("--again")
        self.assertEqual(1, len(self.commands()))
        self.assertEqual(256, self.document()["points"]["fill cpu n=256"]["rungs"]["threads"]["min_ns"])

    def test_refuses_an_unknown_workload(self):
        code, printed = self.sweep("--only", "fil")
        self.assertEqual(2, code)
        self.assertIn("unknown workload 'fil'", printed)
        self.assertIn("no workload 'sums'", self.sweep(series=[points.over("sums", "sizes", "n", [64])])[1])

    def test_refuses_an_unknown_parameter(self):
        code, printed = self.sweep(series=[points.over("fill", "sizes", "n", [64], element="4")])
        self.assertEqual(2, code)
        self.assertIn("fill has no parameter 'element'", printed)

    def test_refuses_a_broken_file_and_leaves_it(self):
        for text, message in (("{", "is not JSON"), ('{"format": 1, "points": []}', "no object 'points'")):
            self.path.write_text(text)
            code, printed = self.sweep()
            self.assertEqual(2, code)
            self.assertIn(message, printed)
            self.assertEqual(text, self.path.read_text())
        self.assertEqual(0, self.sweep("--fresh")[0])

    def test_refuses_points_of_another_machine(self):
        self.sweep()
        code, printed = self.sweep("--replace", FAKE_RAFTER_CPU="another one")
        self.assertEqual(2, code)
        self.assertIn("another machine", printed)

    def test_refuses_a_tool_that_lists_nothing(self):
        code, printed = self.sweep("--rafter", "/bin/false")
        self.assertEqual(2, code)
        self.assertIn("list --json' failed", printed)


class Points(unittest.TestCase):
    def test_every_point_has_its_own_key_and_series(self):
        for device in ("cpu", "cuda"):
            of_device = [s for s in points.all_series() if device in s.devices]
            names = [(s.workload, s.name) for s in of_device]
            self.assertEqual(len(names), len(set(names)))
            for s in of_device:
                keys = {points.key_of(s.workload, device, s.params(v)) for v in s.values}
                self.assertEqual(len(keys), len(s.values), s.name)

    def test_every_op_is_measured(self):
        kernels = sweep.ROOT / "kernels"
        families = {path.parent.name for path in kernels.glob("*/*_workload.cpp")}
        self.assertEqual(families, {s.workload for s in points.all_series()})

    def test_the_memory_of_every_point_is_estimated(self):
        for s in points.all_series():
            for v in s.values:
                self.assertGreater(points.bytes_of(s.workload, s.params(v)), 0)
        self.assertEqual(2**32, points.bytes_of("sum", {"n": 2**30}))
        self.assertEqual(2**34, points.bytes_of("scan", {"n": 2**30, "dtype": "float64"}))


if __name__ == "__main__":
    unittest.main()
