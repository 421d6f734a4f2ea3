"""Tests of tools/performance: the pages are what the kept results give, and a changed number is noticed."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Performance(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for path in ("tools/performance", "README.md", "docs/performance.md", "benchmarks/results/h200.json"):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.root / path)
        self.kept = self.root / "benchmarks/results/h200.json"

    def run_tool(self, *words):
        command = [sys.executable, str(self.root / "tools/performance"), *words]
        return subprocess.run(command, capture_output=True, text=True)

    def change(self, path, before, after):
        text = (self.root / path).read_text()
        self.assertIn(before, text)
        (self.root / path).write_text(text.replace(before, after, 1))

    def test_the_pages_are_what_the_results_give(self):
        done = self.run_tool("--check")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_number_that_was_edited_is_named(self):
        self.change("README.md", "floats in 2", "floats in 1")
        done = self.run_tool("--check")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith("README.md is not what benchmarks/results/h200.json gives"), done.stdout)

    def test_written_pages_pass_the_check(self):
        self.change("docs/performance.md", "Performance", "Speed")
        self.assertEqual(self.run_tool(str(self.kept)).returncode, 0)
        self.assertEqual(self.run_tool("--check").returncode, 0)
        self.assertEqual((self.root / "docs/performance.md").read_text(), (ROOT / "docs/performance.md").read_text())

    def test_results_that_are_not_verified_do_not_count(self):
        document = json.loads(self.kept.read_text())
        for result in document["results"]:
            if result["workload"] == "scan":
                result["verified"] = False
        self.kept.write_text(json.dumps(document))
        done = self.run_tool("--check")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no verified case scan", done.stderr)

    def test_asks_for_a_file_or_a_check(self):
        self.assertEqual(self.run_tool().returncode, 2)


unittest.main()
