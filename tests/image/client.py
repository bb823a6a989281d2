#!/usr/bin/python3
"""A client of the server in the image: the hash of the quickstart's world.

    client.py HOST:PORT

Steps the world of seed 42 to tick 600 and prints its state hash as the README
shows it.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "client_examples" / "python"))

import quickstart  # noqa: E402
from stubs import grpc  # noqa: E402

with grpc.insecure_channel(sys.argv[1]) as channel:
    demonstration = quickstart.Demonstration(channel, agents=1000)
    print(f"{demonstration.step_to('image', seed=42, tick=600):016x}")
    demonstration.delete_worlds()
