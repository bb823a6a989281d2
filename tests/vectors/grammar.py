"""The byte formats of Meander, read by the grammars at the heads of
core/codec/command_codec.h, archetype_codec.h, config_codec.h,
agents_codec.h, admission_codec.h, snapshot.h and frame_codec.h and by nothing
else.

decode_command, decode_snapshot and decode_columns give plain dicts and lists,
named as in the protocol, and raise Malformed on anything that is not in the
grammar. A reader notes what every run of bytes meant, for explain().
"""

import struct

from xxh3 import xxh3_64

TARGET_SLOTS = 4
MAX_TERMS = 16


class Malformed(Exception):
    pass


class Reader:
    def __init__(self, data: bytes):
        self.data = data
        self.at = 0
        self.notes: list[tuple[int, int, str]] = []  # begin, end, meaning

    def take(self, size: int, meaning: str) -> bytes:
        if size > len(self.data) - self.at:
            raise Malformed(f"ends within {meaning.strip()}")
        begin, self.at = self.at, self.at + size
        self.notes.append((begin, self.at, meaning))
        return self.data[begin:self.at]

    def word(self, form: str, meaning: str):
        raw = self.take(struct.calcsize("<" + form), meaning)
        value = struct.unpack("<" + form, raw)[0]
        begin, end, _ = self.notes[-1]
        self.notes[-1] = begin, end, f"{meaning} {value}"
        return value

    def column(self, form: str, rows: int, meaning: str) -> list:
        raw = self.take(rows * struct.calcsize("<" + form), meaning)
        return list(struct.unpack(f"<{rows}{form}", raw))

    def count(self, meaning: str) -> int:
        count = self.word("Q", meaning)
        if count > len(self.data) - self.at:
            raise Malformed(f"{meaning}: {count} cannot follow")
        return count

    def vec3(self, meaning: str) -> list[float]:
        raw = self.take(12, meaning)
        return list(struct.unpack("<3f", raw))

    def require(self, condition: bool, what: str) -> None:
        if not condition:
            raise Malformed(what)


def _is_zero(values) -> bool:
    return struct.pack(f"<{len(values)}f", *values) == bytes(4 * len(values))


def _target(kind: int, point: list[float], agent: int):
    """None, {"point": ...} or {"agent_id": ...}."""
    if kind == 0 and _is_zero(point) and agent == 0:
        return None
    if kind == 1 and agent == 0:
        return {"point": point}
    if kind == 2 and _is_zero(point):
        return {"agent_id": agent}
    raise Malformed("not a target")


def _held_target(bits: int, point: list[float], agent: int):
    """A target as an agent has it: with "loss_told" where that was told."""
    target = _target(bits & 0x7F, point, agent)
    if bits < 0x80:
        return target
    if bits == 0x81:
        raise Malformed("tells of the loss of a point")
    return {**(target or {}), "loss_told": True}


def _read_target(r: Reader, meaning: str):
    kind = r.word("B", f"{meaning}: kind")
    point = r.vec3("  point")
    return _target(kind, point, r.word("q", "  agent"))


def _flag(r: Reader, meaning: str) -> bool:
    value = r.word("B", meaning)
    r.require(value <= 1, f"{meaning}: neither 0 nor 1")
    return value == 1


def _choice(r: Reader, last: int, meaning: str) -> int:
    value = r.word("B", f"{meaning} (0 to {last})")
    r.require(value <= last, f"{meaning}: unknown value")
    return value


def _maybe(r: Reader, into: dict, name: str) -> None:
    given = _flag(r, f"  {name} given")
    value = r.word("f", f"  {name}")
    if given:
        into[name] = value
    else:
        r.require(_is_zero([value]), f"a {name} that is not given")


def _numbers(r: Reader, *names: str) -> dict:
    return {name: r.word("f", f"  {name}") for name in names}


def _read_neighborhood(r: Reader) -> dict:
    around = _numbers(r, "radius")
    _maybe(r, around, "field_of_view")
    around["neighbor_groups"] = r.word("I", "  neighbor_groups")
    around["max_neighbors"] = r.word("i", "  max_neighbors")
    return around


def _read_flee(r: Reader) -> dict:
    flee = {"slot": r.word("i", "  slot")}
    _maybe(r, flee, "range")
    flee["edge_inclusive"] = _flag(r, "  edge_inclusive")
    flee["at_center"] = _choice(r, 1, "  at_center")
    return flee


def _read_arrive(r: Reader) -> dict:
    return {"slot": r.word("i", "  slot"), **_numbers(r, "slowing_radius"),
            "stop": _flag(r, "  stop")}


def _read_evade(r: Reader) -> dict:
    evade = {"slot": r.word("i", "  slot"), "lead": _choice(r, 2, "  lead")}
    _maybe(r, evade, "max_prediction")
    return evade


def _read_walk(r: Reader) -> dict:
    return _numbers(r, "radius", "distance", "jitter")


def _read_separation(r: Reader) -> dict:
    return {"neighborhood": _read_neighborhood(r),
            "falloff": _choice(r, 2, "  falloff"),
            "coincident": _choice(r, 1, "  coincident")}


# kind -> name and reader.
BEHAVIORS = {
    1: ("seek", lambda r: {"slot": r.word("i", "  slot")}),
    2: ("wander_world_angle", _read_walk),
    3: ("flee", _read_flee),
    4: ("arrive", _read_arrive),
    5: ("keep_away", lambda r: {"slot": r.word("i", "  slot"),
                                **_numbers(r, "radius")}),
    6: ("brake", lambda r: {}),
    7: ("pursue", lambda r: _read_evade(r) | _numbers(r, "slowing_radius")),
    8: ("evade", _read_evade),
    9: ("wander_spherical", _read_walk),
    10: ("wander_heading_offset",
         lambda r: _read_walk(r) | {"plane": _choice(r, 3, "  plane")}),
    11: ("separation", _read_separation),
    12: ("alignment", lambda r: {"neighborhood": _read_neighborhood(r)}),
    13: ("cohesion", lambda r: {"neighborhood": _read_neighborhood(r),
                                "mode": _choice(r, 1, "  mode")}),
}


def _read_term(r: Reader, number: int) -> dict:
    term = {"weight": r.word("f", f"term {number}: weight"),
            "gain": r.word("f", "  gain"), "level": r.word("i", "  level")}
    kind = r.word("B", "  behavior")
    r.require(kind in BEHAVIORS, "unknown behavior")
    name, read = BEHAVIORS[kind]
    begin, end, meaning = r.notes[-1]
    r.notes[-1] = begin, end, f"{meaning}: {name}"
    term[name] = read(r)
    return term


def _read_archetype(r: Reader) -> dict:
    archetype = {"id": r.word("i", "archetype id"),
                 "max_speed": r.word("f", "max_speed"),
                 "max_force": r.word("f", "max_force"),
                 "mass": r.word("f", "mass"),
                 "external": _flag(r, "external"),
                 "overspeed_time_constant":
                     r.word("f", "overspeed_time_constant"),
                 "combine": _choice(r, 2, "combine"),
                 "limit_each_term": _flag(r, "limit_each_term"),
                 "force_plane": _choice(r, 3, "force_plane")}
    faces = _flag(r, "facing given")
    facing = _numbers(r, "turn_rate", "min_facing_speed")
    if faces:
        archetype["facing"] = facing
    else:
        r.require(_is_zero(list(facing.values())), "a facing not given")
    terms = r.word("B", "terms:")
    r.require(terms <= MAX_TERMS, "too many terms")
    archetype["terms"] = [_read_term(r, number) for number in range(terms)]
    return archetype


# What a flag of a new agent says is given.
GIVEN = {1: "seed", 2: "wander_angle", 4: "wander_elevation",
          8: "wander_offset", 16: "wander_heading", 32: "facing"}


def _read_new_agent(r: Reader) -> dict:
    agent = {"archetype_id": r.word("i", "new agent: archetype_id"),
             "position": r.vec3("  position"),
             "velocity": r.vec3("  velocity")}
    flags = r.word("B", "  flags")
    r.require(flags < 64, "unknown flags")
    maybe = {"seed": r.word("Q", "  seed")}
    agent["tag"] = r.word("Q", "  tag")
    agent["groups"] = r.word("I", "  groups")
    agent["targets"] = [_read_target(r, f"  target {slot}")
                        for slot in range(TARGET_SLOTS)]
    maybe |= _numbers(r, "wander_angle", "wander_elevation")
    for name in ("wander_offset", "wander_heading", "facing"):
        maybe[name] = r.vec3("  " + name)
    for flag, name in GIVEN.items():
        value = maybe[name]
        if flags & flag:
            agent[name] = value
        elif name == "seed":
            r.require(value == 0, "a seed that is not given")
        else:
            r.require(_is_zero(value if isinstance(value, list) else [value]),
                      f"a {name} that is not given")
    return agent


def _read_area(r: Reader) -> dict:
    kind = r.word("B", "area (1 disc, 2 box, 3 ball)")
    if kind == 2:
        return {"box": {"min": r.vec3("  min"), "max": r.vec3("  max")}}
    r.require(kind in (1, 3), "unknown area")
    round_area = {"center": r.vec3("  center"),
                  "radius": r.word("f", "  radius")}
    return {"disc" if kind == 1 else "ball": round_area}


def _read_ids(r: Reader) -> list[int]:
    return [r.word("q", "  agent id") for _ in range(r.count("agent ids:"))]


def _read_motion(r: Reader) -> dict:
    motion = {"agent_id": r.word("q", "motion: agent id")}
    flags = r.word("B", "  flags (1 position, 2 velocity)")
    r.require(flags <= 3, "unknown flags")
    for flag, name in ((1, "position"), (2, "velocity")):
        vector = r.vec3("  " + name)
        if flags & flag:
            motion[name] = vector
        else:
            r.require(_is_zero(vector), f"a {name} that is not given")
    return motion


def _read_command(r: Reader) -> dict:
    r.require(r.word("B", "record version") == 3, "unknown version")
    kind = r.word("B", "kind of operation")
    command = {"sequence": r.word("q", "sequence"),
               "apply_tick": r.word("q", "apply_tick"),
               "first_agent_id": r.word("q", "first_agent_id")}
    if kind == 1:
        command["define_archetype"] = _read_archetype(r)
    elif kind == 2:
        count = r.count("new agents:")
        command["spawn_agents"] = [_read_new_agent(r) for _ in range(count)]
    elif kind == 3:
        area = {"count": r.word("q", "agents in an area:"),
                "prototype": _read_new_agent(r)}
        command["spawn_in_area"] = area | _read_area(r)
    elif kind == 4:
        command["despawn_agents"] = _read_ids(r)
    elif kind == 5:
        command["set_target"] = {"slot": r.word("i", "slot"),
                                 "target": _read_target(r, "target"),
                                 "agent_ids": _read_ids(r)}
    elif kind == 6:
        command["remove_archetype"] = {
            "archetype_id": r.word("i", "archetype id")}
    elif kind == 7:
        command["set_archetype"] = {
            "archetype_id": r.word("i", "archetype id"),
            "agent_ids": _read_ids(r)}
    elif kind == 8:
        count = r.count("motions:")
        command["set_motion"] = [_read_motion(r) for _ in range(count)]
    elif kind == 9:
        command["apply_impulse"] = {"impulse": r.vec3("impulse"),
                                    "agent_ids": _read_ids(r)}
    elif kind == 10:
        command["set_cell_size"] = {"cell_size": r.word("f", "cell_size")}
    else:
        raise Malformed("unknown kind of operation")
    return command


def decode_command(r: Reader) -> dict:
    command = _read_command(r)
    r.require(r.at == len(r.data), "goes on after its end")
    return command


def _read_config(r: Reader) -> dict:
    return {"tick_rate_hz": r.word("i", "tick_rate_hz"),
            "plane": r.word("B", "plane (0 none, 1 xy, 2 xz, 3 yz)"),
            "bounds_mode": r.word("B", "bounds_mode (0 open, 1 clamp, 2 wrap)"),
            "bounds_min": r.vec3("bounds_min"),
            "bounds_max": r.vec3("bounds_max"),
            "max_agents": r.word("q", "max_agents"),
            "cell_size": r.word("f", "cell_size")}


def _read_agents(r: Reader) -> list[dict]:
    n = r.count("agents:")
    if n == 0:
        return []

    def column(form: str, meaning: str) -> list:
        if _flag(r, f"{meaning}: 1 of each, 0 of all"):
            values = r.column(form, n, "  " + meaning.strip())
            raw = struct.pack(f"<{n}{form}", *values)
            size = struct.calcsize("<" + form)
            r.require(raw[size:] != raw[:-size], f"{meaning}: all the same")
            return values
        return r.column(form, 1, "  " + meaning.strip()) * n

    columns = {
        "id": column("q", "ids"),
        "archetype_id": column("i", "archetype ids")}

    def vectors(name: str) -> list[list[float]]:
        axes = [column("f", f"{name} {axis}") for axis in "xyz"]
        return [list(row) for row in zip(*axes)]

    columns["position"] = vectors("position")
    columns["velocity"] = vectors("velocity")
    columns["wander_turn"] = column("I", "wander turns")
    columns["wander_elevation"] = column("f", "wander elevations")
    columns["wander_offset"] = vectors("wander offset")
    columns["wander_heading"] = vectors("wander heading")
    columns["facing"] = vectors("facing")
    columns["seed"] = column("Q", "seeds")
    columns["tag"] = column("Q", "tags")
    columns["groups"] = column("I", "groups")
    columns["step_count"] = column("q", "step counts")
    slots = []
    for slot in range(TARGET_SLOTS):
        kinds = column("B", f"slot {slot}: kinds (+128: loss told)")
        points = [column("f", f"  points {axis}") for axis in "xyz"]
        agents = column("q", "  agents")
        slots.append([_held_target(kind, list(point), agent)
                      for kind, *point, agent in zip(kinds, *points, agents)])
    columns["targets"] = [list(row) for row in zip(*slots)]
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _ascends(values: list[int]) -> bool:
    return all(a < b for a, b in zip(values, values[1:]))


def decode_snapshot(r: Reader) -> dict:
    r.require(r.take(8, "magic MEANDERS") == b"MEANDERS", "not a snapshot")
    r.require(r.word("I", "format") == 5, "unknown format")
    snapshot = {"simulation_version": r.word("I", "simulation_version"),
                "config": _read_config(r),
                "seed": r.word("Q", "seed"),
                "tick": r.word("q", "tick"),
                "next_agent_id": r.word("q", "next_agent_id"),
                "next_sequence": r.word("q", "next_sequence"),
                "bound_stops": r.word("Q", "bound_stops")}
    archetypes = r.count("archetypes:")
    snapshot["archetypes"] = [_read_archetype(r) for _ in range(archetypes)]
    r.require(_ascends([a["id"] for a in snapshot["archetypes"]]),
              "archetypes out of order")
    snapshot["agents"] = _read_agents(r)
    r.require(_ascends([a["id"] for a in snapshot["agents"]]),
              "agents out of order")
    admitted = [r.word("i", "  archetype id")
                for _ in range(r.count("archetypes ever defined:"))]
    r.require(_ascends(admitted), "admitted archetypes out of order")
    snapshot["admitted_archetypes"] = admitted
    snapshot["pending"] = []
    for _ in range(r.count("pending commands:")):
        size = r.count("bytes of a record:")
        end = r.at + size
        snapshot["pending"].append(_read_command(r))
        r.require(r.at == end, "a record of another length")
    r.require(_ascends([c["sequence"] for c in snapshot["pending"]]),
              "commands out of order")
    checksum = xxh3_64(r.data[:r.at])
    r.require(r.word("Q", "XXH3-64 of all before:") == checksum,
              "the checksum does not match")
    r.require(r.at == len(r.data), "goes on after its end")
    return snapshot


def decode_columns(r: Reader, id_base: int) -> list[dict]:
    """What a frame says in id_base and columns."""
    r.require(len(r.data) % 28 == 0, "not 28 bytes an agent")
    n = len(r.data) // 28
    ids = [id_base + offset for offset in r.column("I", n, "ids - id_base")]
    r.require(_ascends(ids), "agents out of order")
    axes = [r.column("f", n, f"{name} {axis}")
            for name in ("position", "velocity") for axis in "xyz"]
    return [{"id": agent, "position": list(row[:3]), "velocity": list(row[3:])}
            for agent, *row in zip(ids, *axes)]


def explain(r: Reader) -> str:
    """The bytes with what they mean beside them, up to 16 a line."""
    lines = []
    for begin, end, meaning in r.notes:
        for at in range(begin, end, 16):
            text = r.data[at:min(at + 16, end)].hex(" ")
            lines.append(f"{text:<47}  {meaning}".rstrip())
            meaning = ""
    return "\n".join(lines)
