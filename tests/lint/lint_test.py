#!/usr/bin/python3
"""Proves that each lint rule fires on a tree that breaks it, and only then."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import core_rules      # noqa: E402
import flag_rules      # noqa: E402
import include_rules   # noqa: E402
import size_rules      # noqa: E402

fired = {check: set()
         for check in (core_rules, flag_rules, include_rules, size_rules)}


def findings(check, files):
    """Runs `check` on a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return check.check(root)


class LintTest(unittest.TestCase):

    def bad(self, check, rule, path, text, line=1, **others):
        got = findings(check, {path: text} | others.get("files", {}))
        self.assertEqual([(f.rule, f.path, f.line) for f in got],
                         [(rule, path, line)], text)
        fired[check].add(rule)

    def good(self, check, path, text, files=None):
        got = findings(check, {path: text} | (files or {}))
        self.assertEqual([str(f) for f in got], [], text)


def include(*headers):
    return "".join(f"#include {h}\n" for h in headers)


class IncludeRulesTest(LintTest):
    check = include_rules

    def test_arrows_that_must_not_be(self):
        for path, header in [
                ("core/world.cc", '"server/log/world_log.h"'),
                ("core/world.cc", '"meander/v1/world.pb.h"'),
                ("core/world.cc", '"tests/scenarios/wanderers.h"'),
                ("core/math/trig.cc", '"server/options.h"'),
                ("server/stream/view.h", '"server/hosting/world_host.h"'),
                ("server/stream/view.h", '"meander/v1/frame.pb.h"'),
                ("server/hosting/world_host.h", '"server/service/a.h"'),
                ("server/hosting/world_host.h", '"server/convert/a.h"'),
                ("server/hosting/world_host.cc", '"meander/v1/world.pb.h"'),
                ("server/log/world_log.h", '"server/stream/view.h"'),
                ("server/convert/status.h", '"server/hosting/a.h"'),
                ("server/service/world_service.h", '"core/world.h"'),
                ("server/service/world_service.h", '"core/math/vec3.h"'),
                ("server/service/world_service.h", '"server/log/a.h"'),
                ("server/service/world_service.h", '"server/options.h"'),
                ("server/security/tokens.h", '"core/world.h"'),
                ("server/observability/a.h", '"server/hosting/a.h"'),
                ("server/http/a.h", '"server/service/a.h"'),
                ("server/server.cc", '"meander/v1/world.pb.h"'),
                ("server/server.cc", '"tests/scenarios/wanderers.h"'),
                ("client_examples/cpp_watch/main.cc", '"core/world.h"'),
                ("client_examples/cpp_watch/main.cc", '"server/options.h"'),
                ("client_examples/meanderctl/a.cc", '"server/log/other.h"'),
                ("tests/core/world_test.cc", '"server/options.h"'),
                ("tests/core/world_test.cc", '"meander/v1/world.pb.h"'),
                ("tests/server/log/a_test.cc", '"server/hosting/a.h"'),
                ("tests/server/stream/a_test.cc", '"meander/v1/a.pb.h"'),
        ]:
            self.bad(self.check, "arrow", path, include(header))

    def test_libraries_that_must_not_be(self):
        for path, header in [
                ("core/world.cc", "<grpcpp/grpcpp.h>"),
                ("core/world.cc", "<absl/status/status.h>"),
                ("core/world.cc", '"absl/status/status.h"'),
                ("core/world.cc", "<sqlite3.h>"),
                ("core/world.cc", "<unistd.h>"),
                ("core/steering/seek.cc", "<immintrin.h>"),
                ("server/hosting/a.cc", "<grpcpp/grpcpp.h>"),
                ("server/hosting/a.cc", "<google/protobuf/message.h>"),
                ("server/stream/a.cc", "<absl/strings/str_cat.h>"),
                ("server/log/a.cc", "<grpcpp/grpcpp.h>"),
                ("core/a.h", "<stdint.h>"),
                ("server/service/a.cc", "<sqlite3.h>"),
                ("tests/server/hosting/a_test.cc", "<grpcpp/grpcpp.h>"),
        ]:
            self.bad(self.check, "library", path, include(header))

    def test_headers_of_nobody(self):
        self.bad(self.check, "unknown-library", "core/a.h",
                 include("<stdlib.h>"))
        self.bad(self.check, "unknown-library", "server/log/a.h",
                 include("<rocksdb/db.h>"))
        self.bad(self.check, "from-root", "core/a.cc", include('"a.h"'))
        self.bad(self.check, "from-root", "core/math/a.cc",
                 include('"../world.h"'))

    def test_folders_without_an_arrow(self):
        self.bad(self.check, "no-arrow", "server/new_room/a.cc", "")
        self.bad(self.check, "no-arrow", "client_examples/new/a.cc", "")

    def test_arrows_of_the_house(self):
        for path, headers in [
                ("core/world.cc", ["<vector>", '"core/math/vec3.h"',
                                   "<xxhash.h>", "<hwy/highway.h>"]),
                ("core/math/trig.cc", ["<immintrin.h>", '"core/error.h"']),
                ("server/hosting/world_host.cc", [
                    '"core/world.h"', '"server/stream/view.h"',
                    '"server/log/world_log.h"', "<mutex>"]),
                ("server/log/sqlite_world_log.cc", [
                    "<sqlite3.h>", "<zstd.h>", "<sys/stat.h>"]),
                ("server/convert/a.cc", ['"meander/v1/a.pb.h"',
                                         '"core/world.h"']),
                ("server/service/a.cc", [
                    '"meander/v1/a.grpc.pb.h"', "<grpcpp/grpcpp.h>",
                    '"server/convert/a.h"', '"server/hosting/a.h"']),
                ("server/server.cc", ['"server/service/a.h"']),
                ("client_examples/cpp_watch/main.cc", [
                    '"meander/v1/a.grpc.pb.h"', "<unistd.h>"]),
                ("client_examples/meanderctl/a.cc", [
                    '"server/log/replay_file.h"', '"core/world.h"']),
                ("tests/integration/a_test.cc", [
                    '"server/server.h"', "<grpcpp/grpcpp.h>",
                    "<gtest/gtest.h>"]),
        ]:
            self.good(self.check, path, include(*headers))

    def test_comments_are_not_includes(self):
        self.good(self.check, "core/a.h", '// #include "server/a.h"\n'
                                          '/*\n#include "server/a.h"\n*/\n')

    def test_finds_the_line(self):
        self.bad(self.check, "arrow", "core/a.cc",
                 '/* two\nlines */\n#  include "server/a.h"\n', line=3)


class CoreRulesTest(LintTest):
    check = core_rules

    def test_words_that_must_not_be(self):
        for rule, text in [
                ("header", "#include <random>\n"),
                ("header", "#include <chrono>\n"),
                ("header", "#include <thread>\n"),
                ("header", "#include <iostream>\n"),
                ("libm", "float y = std::sin(x);\n"),
                ("libm", "float y = sinf(x);\n"),
                ("libm", "float y = ::atan2f(x, z);\n"),
                ("libm", "float y = std::fma(x, z, w);\n"),
                ("libm", "float y = 2 * exp (x);\n"),
                ("libm", "float y = __builtin_powf(x, 2);\n"),
                ("fused", "v = hn::MulAdd(a, b, c);\n"),
                ("fused", "v = hn::SumOfLanes(d, a);\n"),
                ("fused", "v = hn::ApproximateReciprocalSqrt(a);\n"),
                ("fused", "v = _mm256_fmadd_ps(a, b, c);\n"),
                ("fused", "v = _mm_rsqrt_ps(a);\n"),
                ("fused", "v = vfmaq_f32(a, b, c);\n"),
                ("algorithm", "std::shuffle(a, b, g);\n"),
                ("algorithm", "x = std::reduce(a, b);\n"),
                ("environment", 'x = std::getenv("HOME");\n'),
                ("environment", "x = rand();\n"),
                ("environment", "thread_local int x;\n"),
                ("environment", "std::thread t;\n"),
                ("pragma", '#pragma GCC optimize("fast-math")\n'),
                ("pragma", "#pragma STDC FP_CONTRACT ON\n"),
                ("pragma", '__attribute__((target("fma"))) void F();\n'),
        ]:
            self.bad(self.check, rule, "core/step/a.cc", text)

    def test_loops_over_hash_containers(self):
        declared = "std::unordered_map<int, std::vector<int>> rows_;\n"
        for loop in ["for (const auto& [id, row] : rows_) {}\n",
                     "for (auto& r : this->rows_) {}\n",
                     "auto it = rows_.begin();\n"]:
            self.bad(self.check, "hash-order", "core/a.cc", declared + loop, 2)
            self.bad(self.check, "hash-order", "core/a.cc", loop,
                     files={"core/a.h": declared})
        self.good(self.check, "core/a.cc", declared +
                  "auto it = rows_.find(3);\nif (it == rows_.end()) {}\n"
                  "for (int x : rows_.at(3)) {}\nfor (int y : other) {}\n")

    def test_what_core_does(self):
        self.good(self.check, "core/a.cc", """
            // std::sin(x) is banned, and so is rand().
            const char* text = "std::sin(x)";
            float Sin(float); float a = Sin(x) + math::Exp(y) + t.log(x);
            float b = std::sqrt(x) + std::floor(y) + std::fabs(z);
            constexpr int kMany = 1'000'000; bool c = std::isfinite(x);
            auto d = std::min(x, y); float e = cosine(x) + my_exp(y);
            """)

    def test_a_broken_invariant_may_speak(self):
        text = '#include <cstdio>\nvoid F() { std::fprintf(stderr, "x"); }\n'
        self.good(self.check, "core/error.h", text)
        self.assertEqual([f.rule for f in findings(
            self.check, {"core/world.cc": text})], ["header", "environment"])

    def test_only_core_is_bound(self):
        self.good(self.check, "server/log/a.cc", "#include <chrono>\n")


class SizeRulesTest(LintTest):
    check = size_rules

    def test_lengths(self):
        for path, limit in [("core/a.h", 200), ("server/log/a.h", 200),
                            ("core/a.cc", 500), ("tests/core/a_test.cc", 800)]:
            self.good(self.check, path, "\n" * limit)
            self.bad(self.check, "length", path, "\n" * (limit + 1),
                     line=limit + 1)

    def test_waiting(self):
        text = "std::this_thread::sleep_for(x);\n"
        self.bad(self.check, "sleep", "tests/core/a_test.cc", text)
        self.bad(self.check, "sleep", "tests/core/a_test.cc", "usleep(3);\n")
        self.good(self.check, "tests/integration/a_test.cc", text)

    def test_tests_that_do_not_run(self):
        self.bad(self.check, "disabled", "tests/core/a_test.cc",
                 "TEST(A, DISABLED_B) {}\n")
        self.bad(self.check, "disabled", "tests/integration/a_test.cc",
                 "GTEST_SKIP();\n")

    def test_root(self):
        self.bad(self.check, "root", "notes.txt", "")
        self.good(self.check, "README.md", "", {".clang-format": ""})


class FlagRulesTest(unittest.TestCase):
    """Trees of one source of core, one user of it and one file without."""

    FLAGS = "-ffp-contract=off -fno-fast-math"
    FILES = {
        "core/CMakeLists.txt":
            f"target_compile_options(meander_core PUBLIC {FLAGS})\n",
        "core/world.h": "",
        "core/world.cc": "",
        "server/a.h": include('"core/world.h"'),
        "server/user.cc": include('"server/a.h"'),
        "server/other.cc": "",
    }
    UNITY = "build/core/Unity/unity_0_cxx.cxx"  # of the first and the user

    def findings(self, flags_of):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in self.FILES.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            (root / self.UNITY).parent.mkdir(parents=True)
            (root / self.UNITY).write_text(
                include(f'"{folder}/core/world.cc"') +
                include(f'"{folder}/server/user.cc"'), encoding="utf-8")
            database = [{"directory": folder, "file": path,
                         "command": f"c++ {flags} -c {path}"}
                        for path, flags in flags_of.items()]
            return [(f.rule, f.path)
                    for f in flag_rules.check(root, database)]

    def bad(self, rule, path, flags_of):
        self.assertEqual(self.findings(flags_of), [(rule, path)], flags_of)
        fired[flag_rules].add(rule)

    def test_every_unit_has_every_flag(self):
        good = {"core/world.cc": self.FLAGS, "server/user.cc": self.FLAGS,
                "server/other.cc": "-O2"}
        self.assertEqual(self.findings(good), [])
        for path in ("core/world.cc", "server/user.cc"):
            self.bad("missing-flag", path,
                     good | {path: "-fno-fast-math"})
            self.bad("missing-flag", path,
                     good | {path: self.FLAGS + " -ffp-contract=fast"})
            self.bad("missing-flag", path,
                     good | {path: "-ffp-contract=off"})
        del good["core/world.cc"]
        self.bad("not-compiled", "core/world.cc", good)

    def test_a_unity_file_counts_as_what_it_is_made_of(self):
        self.assertEqual(self.findings({self.UNITY: self.FLAGS}), [])
        self.assertEqual(
            self.findings({self.UNITY: "-ffp-contract=off"}),
            [("missing-flag", "core/world.cc"),
             ("missing-flag", "server/user.cc")])

    def test_flags_that_must_not_be(self):
        for flag in ("-Ofast", "-fassociative-math", "-mrecip=all",
                     "-mfpmath=387", "-fno-signed-zeros"):
            self.bad("other-flag", "core/world.cc",
                     {"core/world.cc": f"{self.FLAGS} {flag}",
                      "server/user.cc": self.FLAGS})


class ZCompletenessTest(unittest.TestCase):
    """Runs last (classes run by name): every rule was seen to fire."""

    def test_every_rule_fired(self):
        for check, rules in fired.items():
            self.assertEqual(set(check.RULES), rules, check.__name__)


if __name__ == "__main__":
    unittest.main()
