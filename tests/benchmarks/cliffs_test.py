"""Tests of cliffs.py with made-up results."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from sweeps import document, point

import cliffs


def kinds(*points):
    return [(f.kind, f.params["n"]) for f in cliffs.findings(document(*points))]


class Peers(unittest.TestCase):
    def test_lists_a_point_that_is_slower_than_the_fastest_peer(self):
        slow = point(100, 200, 150)
        slow["rungs"]["slower_peer"] = {"kind": "peer", "status": "verified", "median_ns": 300}
        found = cliffs.findings(document(slow))
        self.assertEqual([("peer", 200 / 150)], [(f.kind, f.ratio) for f in found])
        self.assertIn("cub_reduce", found[0].text)

    def test_allows_the_margin_and_the_noise(self):
        self.assertEqual([], kinds(point(100, 104, 100)))
        self.assertEqual([("peer", 100)], kinds(point(100, 106, 100)))
        self.assertEqual([], kinds(point(100, 106, 100, noise=0.08)))

    def test_ignores_a_peer_that_was_not_verified(self):
        refused = point(100, 200, 150)
        refused["rungs"]["cub_reduce"]["status"] = "refused"
        self.assertEqual([], kinds(refused))

    def test_uses_minima_on_a_cpu_and_medians_on_a_gpu(self):
        for device, expected in (("cpu", []), ("cuda", [("peer", 100)])):
            noisy = point(100, 100, 100, device)
            noisy["rungs"]["published"]["median_ns"] = 200
            self.assertEqual(expected, kinds(noisy), device)


class Trends(unittest.TestCase):
    def test_interpolates_on_logarithmic_scales(self):
        self.assertAlmostEqual(10, cliffs.expected(10, [(1, 1), (100, 100)]))
        self.assertAlmostEqual(2, cliffs.expected(2, [(1, 4), (4, 1)]))
        self.assertAlmostEqual(2, cliffs.expected(0.5, [(0, 1), (1, 4)]))  # a share of 0 has no logarithm
        self.assertEqual(7, cliffs.expected(1, [(2, 7), (3, 9)]))

    def test_accepts_a_launch_and_then_a_roof(self):
        self.assertEqual([], kinds(*[point(n, max(5000, n)) for n in (10, 100, 1000, 10**4, 10**5, 10**6)]))

    def test_lists_a_point_above_the_line_between_its_neighbours(self):
        found = cliffs.findings(document(point(100, 100), point(1000, 1600), point(10000, 10000)))
        self.assertEqual([("trend", 1000)], [(f.kind, f.params["n"]) for f in found])
        self.assertAlmostEqual(1.6, found[0].ratio)
        self.assertEqual([], kinds(point(100, 100), point(1000, 1490), point(10000, 10000)))

    def test_lists_an_odd_size_next_to_a_power_of_two(self):
        self.assertEqual([("trend", 1025)], kinds(point(1024, 1024), point(1025, 2000), point(4096, 4096)))

    def test_lists_both_ends_of_a_series(self):
        self.assertEqual([("trend", 10)], kinds(point(10, 9000), point(100, 5000), point(1000, 5000)))
        self.assertEqual([("trend", 10000)], kinds(point(100, 100), point(1000, 1000), point(10000, 20000)))

    def test_needs_three_points(self):
        self.assertEqual([], kinds(point(100, 100), point(1000, 9000)))

    def test_does_not_compare_series_with_each_other(self):
        others = [point(n, 10 * n, series="sizes float64") for n in (300, 3000, 30000)]
        self.assertEqual([], kinds(*[point(n, n) for n in (100, 1000, 10000)], *others))

    def test_lists_an_op_that_was_not_verified(self):
        wrong = point(100, 100)
        wrong["rungs"]["published"] = {"kind": "rung", "status": "WRONG", "detail": "element 3"}
        self.assertEqual([("failed", 100)], kinds(wrong))


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "sum").mkdir()
        (self.folder / "sum" / "NOTES.md").write_text("# Notes\n\n## H200: small sums\n\nOne launch.\n")
        self.slow = document(point(100, 200, 150))

    def run_on(self, results, known=()):
        """Returns the exit code and what was printed."""
        (self.folder / "r.json").write_text(results if isinstance(results, str) else json.dumps(results))
        (self.folder / "known.json").write_text(json.dumps(list(known)))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = cliffs.main([str(self.folder / "r.json"), "--known", str(self.folder / "known.json"), "--kernels",
                                str(self.folder)])
        return code, printed.getvalue()

    def entry(self, **changes):
        return {"workload": "sum", "device": "cuda", "kind": "peer", "notes": "H200: small sums", "reason": "one launch",
                **changes}

    def test_exit_code_is_0_if_nothing_is_listed(self):
        self.assertEqual(0, self.run_on(document(point(100, 100, 150)))[0])

    def test_exit_code_is_1_for_a_point_without_a_reason(self):
        code, printed = self.run_on(self.slow)
        self.assertEqual(1, code)
        self.assertIn("sum cuda n=100", printed)

    def test_a_reason_applies_to_its_parameters_and_kind(self):
        self.assertEqual(0, self.run_on(self.slow, [self.entry()])[0])
        self.assertEqual(0, self.run_on(self.slow, [self.entry(params={"n": [64, 128]}, most=1.4)])[0])
        self.assertEqual(1, self.run_on(self.slow, [self.entry(params={"n": 99})])[0])
        self.assertEqual(1, self.run_on(self.slow, [self.entry(most=1.2)])[0])
        self.assertEqual(1, self.run_on(self.slow, [self.entry(kind="trend")])[0])
        self.assertEqual(1, self.run_on(self.slow, [self.entry(device="cpu")])[0])

    def test_a_reason_must_name_a_heading_of_the_notes(self):
        code, printed = self.run_on(self.slow, [self.entry(notes="H200: large sums")])
        self.assertEqual(1, code)
        self.assertIn("no heading of kernels/sum/NOTES.md", printed)
        self.assertEqual(1, self.run_on(self.slow, [self.entry(), self.entry(workload="rows")])[0])

    def test_refuses_files_that_are_not_results(self):
        for text, message in (("{", "is not JSON"), ("[]", "not the results file"), ('{"format": 2}', "not the results"),
                              ('{"format": 1}', "no object 'points'"),
                              ('{"format": 1, "skipped": {}, "points": {"a": {}}}', "point 'a' has no workload")):
            code, printed = self.run_on(text)
            self.assertEqual(2, code, text)
            self.assertIn(message, printed)

    def test_refuses_a_reason_without_notes(self):
        entry = self.entry()
        del entry["notes"]
        code, printed = self.run_on(self.slow, [entry])
        self.assertEqual(2, code)
        self.assertIn("entry 0 has no 'notes'", printed)

    def test_the_reasons_of_this_checkout_name_headings(self):
        self.assertEqual([], cliffs.Reasons(cliffs.HERE / "known.json", cliffs.sweep.ROOT / "kernels").problems)


if __name__ == "__main__":
    unittest.main()
