#!/usr/bin/python3
"""Whether the suite `core` works: its lines are whole, and its answers agree.

    smoke_test.py PROGRAM

Runs `PROGRAM --smoke` twice, with the fastest kernels and with scalar ones. How
fast anything was is not looked at.
"""

import json
import os
import subprocess
import sys
import unittest

KEYS = {"bench", "value", "unit", "baseline", "ratio", "simd", "hash"}
FEW, MANY = 300, 900  # agents of its worlds
BEHAVIORS = (
    "seek", "flee", "arrive", "arrive_stop", "keep_away", "brake",
    "pursue_intercept", "pursue_closing", "pursue_distance", "evade",
    "wander_world_angle", "wander_spherical", "wander_heading_offset",
    "separation_inverse", "separation_nearest_fade", "separation_linear",
    "alignment", "cohesion_seek", "cohesion_pull", "field_of_view",
    "field_of_view3d", "groups", "groups3d", "nearest", "nearest3d",
    "nearest_of_more", "weighted_sum",
    "limit_each_term", "priority_budget", "first_nonzero", "facing")
STEPPED = ("wander", "wander3d", "flock2d", "flock3d", "five_terms")
PROGRAM = ""


def expected_names() -> set[str]:
    names = set()
    for agents in (FEW, MANY):
        names.update(f"{kind}/{agents}" for kind in (
            "memory_pass", "hash", "snapshot", "restore", "grid",
            "bytes_per_agent"))
        for scene in STEPPED:
            names.update(f"{scene}/{agents}/{how}" for how in (
                "threads:1", "threads:2", "threads:2/cpu"))
            if "wander" not in scene:
                names.add(f"neighbors/{scene}/{agents}")
    for scene in STEPPED:
        names.update((f"growth/{scene}/{MANY}",
                      f"speedup/{scene}/{MANY}/threads:2",
                      f"apart/{scene}/{MANY}/threads:2",
                      f"reached/{scene}/{MANY}/threads:2",
                      f"allocations_per_tick/{scene}"))
    names.update(f"scalar/{name}/{FEW}" for name in STEPPED + BEHAVIORS)
    for each in (1, 4, 16, 64):
        names.update((f"few/{each}", f"few/flock2d/{each}"))
    return names


class SmokeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = []
        for simd in ("", "scalar"):
            text = subprocess.run([PROGRAM, "--smoke"], check=True,
                                  env={**os.environ, "MEANDER_SIMD": simd},
                                  stdout=subprocess.PIPE, text=True).stdout
            lines = [json.loads(line) for line in text.splitlines()]
            cls.runs.append({line["bench"]: line for line in lines})
            assert len(cls.runs[-1]) == len(lines), "a name comes twice"

    def test_every_fixed_name_is_there(self):
        for run in self.runs:
            names = {n for n in run if not n.startswith("scene/")}
            self.assertEqual(names, expected_names())
            self.assertGreater(len(run), len(names))

    def test_every_line_is_whole(self):
        for line in self.runs[0].values():
            self.assertLessEqual(KEYS, line.keys(), line)
            self.assertIsInstance(line["value"], (int, float), line)
            self.assertGreaterEqual(line["value"], 0.0, line)
            self.assertTrue(line["unit"] and line["simd"], line)
            self.assertEqual(line["baseline"] is None, line["ratio"] is None)
            if not line["bench"].startswith("memory_pass/"):
                self.assertRegex(line["hash"], "^[0-9a-f]{16}$", line)

    def test_each_line_says_what_computed_it(self):
        fastest, scalar = self.runs
        used = fastest[f"wander/{FEW}/threads:1"]["simd"]
        for name, line in fastest.items():
            of_scalar = name.startswith("scalar/")
            self.assertEqual(line["simd"], "scalar" if of_scalar else used)
            if of_scalar:
                self.assertEqual(line["baseline"], used)
        for line in scalar.values():
            self.assertEqual(line["simd"], "scalar", line)

    def test_kernels_that_there_are_not_are_refused(self):
        run = subprocess.run([PROGRAM, "--smoke"], check=False, text=True,
                             env={**os.environ, "MEANDER_SIMD": "fastest"},
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("MEANDER_SIMD", run.stderr)

    def test_runs_and_threads_give_the_same_hashes(self):
        first, second = self.runs
        for name, line in first.items():
            self.assertEqual(line["hash"], second[name]["hash"], name)
            alone = first.get(name.replace("threads:2", "threads:1"))
            if alone:
                self.assertEqual(line["hash"], alone["hash"], name)

    def test_flocks_have_about_twelve_neighbors(self):
        for name, line in self.runs[0].items():
            if name.startswith("neighbors/"):
                self.assertTrue(6 < line["value"] < 18, line)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop()
    unittest.main()
