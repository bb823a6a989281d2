#!/usr/bin/python3
"""Whether benchmarks of the suite `service` work that have small sizes.

    service_smoke_test.py PROGRAM SERVER

Runs each of them with `--smoke=true` beside a SERVER of its own. How fast
anything was is not looked at.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

KEYS = {"bench", "value", "unit", "baseline", "ratio", "simd", "hash"}
PROGRAM, SERVER = "", ""
# In seconds, for machines on which little goes on; all of a test's are less
# than its TIMEOUT.
START, RUN, END = 30, 120, 20


def lines_of(bench: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        port = pathlib.Path(folder) / "port"
        server = subprocess.Popen(
            [SERVER, "--listen=127.0.0.1:0", f"--port_file={port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + START
            while not port.exists() or not port.read_text():
                assert server.poll() is None, "the server did not start"
                assert time.monotonic() < deadline, "the server gave no port"
                time.sleep(0.01)
            text = subprocess.run(
                [PROGRAM, f"--server=127.0.0.1:{port.read_text().strip()}",
                 f"--server_pid={server.pid}", f"--bench={bench}",
                 "--seconds=1", "--smoke=true"],
                check=True, stdout=subprocess.PIPE, text=True,
                timeout=RUN).stdout
        finally:
            server.terminate()
            try:
                server.wait(END)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
                raise
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        assert KEYS <= line.keys(), line
        assert line["value"] >= 0.0 and line["unit"], line
    named = {line["bench"]: line for line in lines}
    assert len(named) == len(lines), "a name comes twice"
    return named


class ServiceSmokeTest(unittest.TestCase):
    def million(self, scene: str):
        lines = lines_of(f"million_{scene}")
        watched = {f"watched/{name}" for name in (
            "ticks_wanted", "ticks_made", "missed_ticks", "tick_cpu",
            "server_cpu", "frames", "client_cpu")}
        self.assertEqual(
            lines.keys(),
            {f"million/{scene}/{name}" for name in watched | {
                "step_mean", "step_p99", "ticks_wanted", "ticks_made",
                "missed_ticks", "tick_cpu", "server_cpu"}})
        for name, line in lines.items():
            self.assertRegex(line["hash"], "^[0-9a-f]{16}$", name)
        self.assertGreater(lines[f"million/{scene}/watched/frames"]["value"],
                           0.0)

    def test_wanderers_are_stepped_run_and_watched(self):
        self.million("wander")

    def test_a_flock_is_stepped_run_and_watched(self):
        self.million("flock2d")

    def test_lateness_beside_a_heavy_world_is_taken_apart(self):
        lines = lines_of("heavy_light")
        names = {"heavy_ticks", "heavy_missed_ticks", "unlooking_cpu/longest",
                 "unlooking_cpu/p99", "unlooking_wall/longest"}
        for where in ("alone", "beside"):
            names |= {f"{what}/{where}" for what in (
                "light_lateness_p99", "light_missed_ticks", "bare_timer_p99",
                "taken_p99")}
            names |= {f"slowest_hundredth/{where}/{what}" for what in (
                "till_taken", "waking_up", "in_due_turns", "in_heavy_work",
                "without_processor")}
        self.assertEqual(lines.keys(), {f"heavy_light/{n}" for n in names})
        self.assertGreater(lines["heavy_light/heavy_ticks"]["value"], 0)


if __name__ == "__main__":
    SERVER = sys.argv.pop()
    PROGRAM = sys.argv.pop()
    unittest.main()
