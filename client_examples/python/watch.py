#!/usr/bin/python3
"""Watches a world: a line with rates and the state hash each second.

A world that does not step sends its first frame and then nothing.

    watch.py [--server HOST:PORT] [--seconds N] [--interval-ticks N] WORLD

WORLD is a name like "worlds/meadow". Ends after N seconds, or with Ctrl-C.
Exits 1 when the server refuses or ends the stream.
"""

import argparse
import sys
import time

from frames import Rates, decode
from stubs import explain, grpc, stream_service_pb2, stream_service_pb2_grpc


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Watch a world: rates and the state hash each second.")
    parser.add_argument("world", help='for example "worlds/meadow"')
    parser.add_argument("--server", default="127.0.0.1:50051",
                        help="host:port (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=None,
                        help="end after so long (default: with Ctrl-C)")
    parser.add_argument("--interval-ticks", "--interval_ticks", type=int,
                        default=1,
                        help="frames at ticks divisible by it (default 1)")
    return parser.parse_args()


def watch(channel, world, seconds, interval_ticks=1, show=print):
    """Shows the first frame, a line each second, and the last frame, which it
    returns; None when there was none."""
    stub = stream_service_pb2_grpc.StreamServiceStub(channel)
    stream = stub.WatchWorld(stream_service_pb2.WatchWorldRequest(
        world=world, interval_ticks=interval_ticks), timeout=seconds)
    last = None
    rates = Rates(time.monotonic())
    try:
        for frame in decode(stream):
            if last is None:
                show(f"tick {frame.tick:>7}  first frame: {len(frame.ids)} "
                     f"agents, hash {frame.hash_text()}")
            last = frame
            line = rates.add(frame, time.monotonic())
            if line:
                show(line)
    except grpc.RpcError as error:
        # The deadline is how long we wanted to watch.
        if error.code() != grpc.StatusCode.DEADLINE_EXCEEDED:
            raise
    if last is not None:
        show(f"tick {last.tick:>7}  last frame: {len(last.ids)} agents, "
             f"hash {last.hash_text()}")
    return last


def main():
    arguments = parse_arguments()
    with grpc.insecure_channel(arguments.server) as channel:
        try:
            last = watch(channel, arguments.world, arguments.seconds,
                         arguments.interval_ticks,
                         lambda line: print(line, flush=True))
        except grpc.RpcError as error:
            sys.exit(f"watch.py: {explain(error)}")
        except KeyboardInterrupt:
            return
    if last is None:
        sys.exit(f"watch.py: no frame from {arguments.server} in "
                 f"{arguments.seconds} seconds")


if __name__ == "__main__":
    main()
