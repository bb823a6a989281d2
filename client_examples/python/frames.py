"""Frames of WatchWorld, put together from their parts and decoded."""

import array
import dataclasses
import math
import sys


@dataclasses.dataclass
class Frame:
    """A whole world at one tick. Element i of every column is one agent."""

    tick: int
    epoch: int
    state_hash: int | None  # none where the server computed none
    skipped: int  # frames left out since the one before
    bytes: int    # of columns, as received
    ids: array.array        # of int64, ascending
    positions: tuple        # x, y, z: arrays of binary32, in units
    velocities: tuple       # x, y, z: arrays of binary32, in units per second

    def hash_text(self):
        """Of the state, in hexadecimal; "-" where there is none."""
        return "-" if self.state_hash is None else f"{self.state_hash:016x}"

    def mean_speed(self):
        if not self.ids:
            return 0.0
        return sum(map(math.hypot, *self.velocities)) / len(self.ids)


def _column(kind, data):
    column = array.array(kind)
    column.frombytes(data)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _add_part(frame, part):
    """Appends one message's columns; frame.proto has the layout."""
    count = part.part_agent_count
    size = 4 * count
    columns = [part.columns[i * size:(i + 1) * size] for i in range(7)]
    offsets = _column("I", columns[0])
    frame.ids.extend(part.id_base + offset for offset in offsets)
    for column, data in zip(frame.positions + frame.velocities, columns[1:]):
        column.extend(_column("f", data))
    frame.bytes += len(part.columns)


def decode(stream):
    """Yields a Frame for each tick of a WatchWorld stream."""
    frame = None
    for part in stream:
        if part.part == 0:
            frame = Frame(
                tick=part.tick, epoch=part.epoch,
                state_hash=(part.state_hash if part.HasField("state_hash")
                            else None),
                skipped=part.skipped, bytes=0, ids=array.array("q"),
                positions=tuple(array.array("f") for _ in range(3)),
                velocities=tuple(array.array("f") for _ in range(3)))
        _add_part(frame, part)
        if part.part + 1 == part.parts:
            yield frame


class Rates:
    """Counts frames and gives a line of text for each second."""

    def __init__(self, now):
        self._since = now
        self._frames = 0
        self._bytes = 0
        self._skipped = 0

    def add(self, frame, now):
        """The line, when a second has passed since the last; else None."""
        self._frames += 1
        self._bytes += frame.bytes
        self._skipped += frame.skipped
        passed = now - self._since
        if passed < 1.0:
            return None
        line = (f"tick {frame.tick:>7}  {self._frames / passed:6.1f} frames/s"
                f"  {self._bytes / passed / 1e6:7.2f} MB/s"
                f"  {len(frame.ids)} agents"
                f"  mean speed {frame.mean_speed():.2f}"
                f"  skipped {self._skipped}"
                f"  hash {frame.hash_text()}")
        self._since, self._frames, self._bytes = now, 0, 0
        return line
