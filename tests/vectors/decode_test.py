#!/usr/bin/python3
"""Decodes the vectors beside this file and compares with what they say.

Python's standard library alone, and none of Meander's code: what passes here
can be written from the grammars. The same bytes are encoded and decoded by
tests/core/codec/vectors_test.cc.

A vector is a line `name`, one or more lines `json` with the meaning, and lines
of bytes in hex with a note after two spaces, up to an empty line. They change
only together with a format. Then vectors_test prints the bytes that the encoder
writes now, and

  decode_test.py explain commands|snapshot|columns NAME [ID_BASE] < hex

writes the vector anew, to be read and put in place by hand.
"""

import json
import pathlib
import re
import struct
import sys
import textwrap
import unittest

import grammar
from xxh3 import xxh3_64

HERE = pathlib.Path(__file__).resolve().parent
_HEX = re.compile(r"[0-9a-f]{2}(?: [0-9a-f]{2})*(?=$|  )")


def read_vectors(name: str) -> dict[str, tuple[object, bytes]]:
    """name -> (meaning, bytes)."""
    vectors = {}
    text = (HERE / f"{name}.txt").read_text(encoding="ascii")
    for block in re.split(r"\n\n+", text):
        lines = [x for x in block.splitlines() if x and not x.startswith("#")]
        if not lines:
            continue
        key = lines[0].removeprefix("name ")
        meaning = " ".join(x[5:] for x in lines if x.startswith("json "))
        data = b""
        for line in lines[1:]:
            if line.startswith("json ") or line.startswith("  "):
                continue
            data += bytes.fromhex(_HEX.match(line)[0])
        if key in vectors:
            raise ValueError(f"{key} stands twice in {name}.txt")
        vectors[key] = json.loads(meaning), data
    return vectors


def same(said, decoded) -> bool:
    """Whether both mean the same; floats as binary32, bit for bit."""
    if isinstance(decoded, dict):
        return (isinstance(said, dict) and said.keys() == decoded.keys()
                and all(same(said[k], decoded[k]) for k in decoded))
    if isinstance(decoded, list):
        return (isinstance(said, list) and len(said) == len(decoded)
                and all(map(same, said, decoded)))
    if isinstance(decoded, float):
        return (isinstance(said, (int, float))
                and struct.pack("<f", said) == struct.pack("<f", decoded))
    return type(said) is type(decoded) and said == decoded


def decode(kind: str, data: bytes, id_base: int = 0):
    """The reader and the meaning."""
    reader = grammar.Reader(data)
    if kind == "commands":
        return reader, grammar.decode_command(reader)
    if kind == "snapshot":
        return reader, grammar.decode_snapshot(reader)
    return reader, {"id_base": id_base,
                    "agents": grammar.decode_columns(reader, id_base)}


class VectorTest(unittest.TestCase):
    def check(self, kind: str, least: int) -> None:
        vectors = read_vectors(kind)
        self.assertGreaterEqual(len(vectors), least)
        for name, (said, data) in vectors.items():
            with self.subTest(name):
                base = said.get("id_base", 0) if kind == "columns" else 0
                reader, decoded = decode(kind, data, base)
                self.assertTrue(same(said, decoded),
                                f"says   {said}\nholds  {decoded}")
                self.assertEqual(reader.at, len(data))

    def test_commands_mean_what_they_say(self):
        self.check("commands", 22)

    def test_snapshots_mean_what_they_say(self):
        self.check("snapshot", 4)

    def test_columns_mean_what_they_say(self):
        self.check("columns", 3)

    def test_every_kind_of_operation_target_and_area_is_there(self):
        said = json.dumps([m for m, _ in read_vectors("commands").values()])
        for key in ("define_archetype", "spawn_agents", "spawn_in_area",
                    "despawn_agents", "set_target", "remove_archetype",
                    "set_archetype", "set_motion", "apply_impulse",
                    "set_cell_size", "point", "agent_id", "disc", "box",
                    "ball"):
            self.assertIn(f'"{key}"', said)

    def archetypes(self) -> list[dict]:
        return [m["define_archetype"] for m, _ in
                read_vectors("commands").values() if "define_archetype" in m]

    def behaviors(self, name: str) -> list[dict]:
        return [term[name] for archetype in self.archetypes()
                for term in archetype["terms"] if name in term]

    def assert_given_and_not(self, key: str, dicts: list[dict]) -> None:
        """Some have the key, some do not."""
        self.assertEqual({key in d for d in dicts}, {False, True}, key)

    def assert_all(self, key: str, values: set, dicts: list[dict]) -> None:
        self.assertEqual({d[key] for d in dicts}, values, key)

    def test_every_behavior_is_there_with_every_choice_it_has(self):
        for name, _ in grammar.BEHAVIORS.values():
            self.assertTrue(self.behaviors(name), name)
        self.assert_given_and_not("range", self.behaviors("flee"))
        self.assert_all("edge_inclusive", {False, True},
                        self.behaviors("flee"))
        self.assert_all("at_center", {0, 1}, self.behaviors("flee"))
        self.assert_all("stop", {False, True}, self.behaviors("arrive"))
        for name in ("pursue", "evade"):
            self.assert_given_and_not("max_prediction", self.behaviors(name))
        self.assert_all("lead", {0, 1, 2},
                        self.behaviors("pursue") + self.behaviors("evade"))
        self.assert_all("falloff", {0, 1, 2}, self.behaviors("separation"))
        self.assert_all("coincident", {0, 1}, self.behaviors("separation"))
        self.assert_all("mode", {0, 1}, self.behaviors("cohesion"))
        self.assert_given_and_not(
            "field_of_view",
            [b["neighborhood"] for name in ("separation", "alignment",
                                            "cohesion")
             for b in self.behaviors(name)])

    def test_every_choice_of_an_archetype_is_there(self):
        archetypes = self.archetypes()
        self.assert_given_and_not("facing", archetypes)
        self.assert_all("external", {False, True}, archetypes)
        self.assert_all("limit_each_term", {False, True}, archetypes)
        self.assert_all("combine", {0, 1, 2}, archetypes)
        terms = [term for a in archetypes for term in a["terms"]]
        for key in ("weight", "gain", "level"):
            self.assertGreater(len({term[key] for term in terms}), 2, key)

    def test_everything_that_a_new_agent_may_give_is_and_is_not_given(self):
        said = [m for m, _ in read_vectors("commands").values()]
        agents = [agent for command in said
                  for agent in command.get("spawn_agents", [])]
        for name in grammar.GIVEN.values():
            self.assert_given_and_not(name, agents)
        self.assertGreater(len({agent["groups"] for agent in agents}), 2)

    def test_every_form_of_wander_has_agents_in_some_snapshot(self):
        agents = [agent for m, _ in read_vectors("snapshot").values()
                  for agent in m["agents"]]
        zero = [0.0, 0.0, 0.0]
        for key, none in (("wander_turn", 0), ("wander_elevation", 0.0),
                          ("wander_offset", zero), ("wander_heading", zero)):
            self.assertTrue(any(agent[key] != none for agent in agents), key)
            self.assertTrue(any(agent[key] == none for agent in agents), key)
        self.assertGreater(len({agent["groups"] for agent in agents}), 2)
        self.assertGreater(len({str(agent["facing"]) for agent in agents}), 3)

    def test_some_motions_give_one_of_the_two(self):
        said = [m for m, _ in read_vectors("commands").values()]
        keys = [motion.keys() for command in said
                for motion in command.get("set_motion", [])]
        self.assertIn({"agent_id", "position"}, keys)
        self.assertIn({"agent_id", "velocity"}, keys)

    def test_what_is_cut_short_or_goes_on_is_no_vector(self):
        for kind in ("commands", "snapshot"):
            for name, (_, data) in read_vectors(kind).items():
                for size in range(len(data)):
                    with self.assertRaises(grammar.Malformed, msg=name):
                        decode(kind, data[:size])
                with self.assertRaises(grammar.Malformed, msg=name):
                    decode(kind, data + b"\0")

    def test_floats_are_compared_bit_for_bit(self):
        self.assertTrue(same([0.1, {"a": 1}], [struct.unpack(
            "<f", struct.pack("<f", 0.1))[0], {"a": 1}]))
        self.assertFalse(same([-0.0], [0.0]))
        self.assertFalse(same({"a": 1}, {"a": 1, "b": 1}))
        self.assertFalse(same([1], [2]))
        self.assertFalse(same([True], [1]))


class Xxh3Test(unittest.TestCase):
    def test_known_answers(self):
        """Of the reference implementation, for bytes 31 i + 7."""
        for size, answer in ((17, 0x208bde5ee2bed407),
                             (64, 0xdd30702ab46b3745),
                             (128, 0xf92b70eaa21a6288),
                             (129, 0xf8f76713f2bb60fa),
                             (240, 0xccc7375172c41f03),
                             (241, 0x0b3b630948ce4a00),
                             (1024, 0x23bc880ebf0d29c6),
                             (1025, 0xc09fdfbc398c7d82),
                             (3000, 0x6eb4b5bfe14d9786)):
            data = bytes((31 * i + 7) & 0xFF for i in range(size))
            self.assertEqual(xxh3_64(data), answer, size)


def _shortest(value):
    """Floats as the shortest decimals that are the same binary32."""
    if isinstance(value, dict):
        return {k: _shortest(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_shortest(v) for v in value]
    if isinstance(value, float):
        return next(s for s in (float(f"{value:.{d}g}") for d in range(1, 18))
                    if struct.pack("<f", s) == struct.pack("<f", value))
    return value


def explain(kind: str, name: str, id_base: str = "0") -> None:
    data = bytes.fromhex(sys.stdin.read())
    reader, decoded = decode(kind, data, int(id_base))
    said = textwrap.wrap(json.dumps(_shortest(decoded)), 74,
                         break_long_words=False, break_on_hyphens=False)
    print("name " + name)
    print("\n".join("json " + line for line in said))
    print(grammar.explain(reader) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["explain"]:
        explain(*sys.argv[2:])
    else:
        unittest.main()
