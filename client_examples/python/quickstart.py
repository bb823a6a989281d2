#!/usr/bin/python3
"""One seed, two worlds, the same bits: what quickstart.sh shows.

    quickstart.py --server HOST:PORT [--seed N] [--agents N] [--seconds N]

Watches a real-time world of wanderers, then steps a manual world of the same
seed to the same tick and compares the state hashes; a world of another seed
must differ. Exits 1 when a hash is not as it must be.
"""

import argparse
import math
import sys
import time

from stubs import (archetype_pb2, behavior_pb2, command_pb2,
                   command_service_pb2, command_service_pb2_grpc, explain,
                   grpc, vector_pb2, world_pb2, world_service_pb2,
                   world_service_pb2_grpc)
from watch import watch

TICK_RATE_HZ = 60
# When the agents come: named by the commands, so that it is the same tick in
# every world, however long a client takes to send them.
START_TICK = 60
CALL_SECONDS = 60


def setup_commands(agents):
    """An archetype and its agents, at random places in a disc."""
    wander = behavior_pb2.WanderWorldAngle(radius=2, distance=3, jitter=8)
    archetype = archetype_pb2.Archetype(
        id=1, max_speed=6, max_force=12,
        terms=[archetype_pb2.Term(wander_world_angle=wander)])
    area = command_pb2.AreaPlacement(
        count=agents, prototype=command_pb2.NewAgent(archetype_id=1),
        disc=command_pb2.Disc(radius=min(2000.0, 5 * math.sqrt(agents))))
    return [
        command_pb2.Command(
            apply_tick=START_TICK,
            define_archetype=command_pb2.DefineArchetype(archetype=archetype)),
        command_pb2.Command(
            apply_tick=START_TICK,
            spawn_agents=command_pb2.SpawnAgents(area=area)),
    ]


class Demonstration:
    def __init__(self, channel, agents):
        self.channel = channel
        self.worlds = world_service_pb2_grpc.WorldServiceStub(channel)
        self.commands = command_service_pb2_grpc.CommandServiceStub(channel)
        self.agents = agents
        self.made = []

    def make_world(self, world_id, seed, clock_mode):
        world = self.worlds.CreateWorld(
            world_service_pb2.CreateWorldRequest(
                world_id=world_id,
                world=world_pb2.World(
                    simulation=world_pb2.SimulationConfig(
                        seed=seed, tick_rate_hz=TICK_RATE_HZ,
                        plane=world_pb2.PLANE_XY, max_agents=self.agents),
                    hosting=world_pb2.HostingConfig(clock_mode=clock_mode))),
            timeout=CALL_SECONDS)
        self.made.append(world.name)
        answer = self.commands.SubmitCommands(
            command_service_pb2.SubmitCommandsRequest(
                world=world.name, commands=setup_commands(self.agents)),
            timeout=CALL_SECONDS)
        for result in answer.results:
            if result.HasField("rejection"):
                sys.exit(f"quickstart: {result.rejection.field} "
                         f"{result.rejection.description}")
            if result.admission.apply_tick != START_TICK:
                sys.exit(f"quickstart: a command came too late for tick "
                         f"{START_TICK}: this machine is too busy")
        return world.name

    def watch_live(self, seed, seconds):
        world = self.make_world("quickstart-live", seed,
                                world_pb2.CLOCK_MODE_REALTIME)
        frame = watch(self.channel, world, seconds,
                      show=lambda line: print("   " + line, flush=True))
        if frame is None or frame.tick < START_TICK or not frame.ids:
            sys.exit("quickstart: the watcher saw no agent; watch for longer")
        return frame.tick, frame.state_hash

    def step_to(self, world_id, seed, tick):
        world = self.make_world(world_id, seed, world_pb2.CLOCK_MODE_MANUAL)
        answer = self.worlds.StepWorld(
            world_service_pb2.StepWorldRequest(name=world, ticks=tick),
            timeout=CALL_SECONDS)
        return answer.state_hash

    def delete_worlds(self):
        """Also after a failure, so that the next run finds its names free."""
        for name in self.made:
            try:
                self.worlds.DeleteWorld(
                    world_service_pb2.DeleteWorldRequest(name=name),
                    timeout=CALL_SECONDS)
            except grpc.RpcError as error:
                print(f"quickstart: cannot delete {name}: {explain(error)}",
                      file=sys.stderr)


def check(what, holds):
    print(f"   {'yes' if holds else 'NO '}  {what}", flush=True)
    return holds


def run(demonstration, seed, seconds):
    agents = demonstration.agents
    print(f"-- a world from seed {seed}: {agents} wanderers at "
          f"{TICK_RATE_HZ} Hz, watched for {seconds:g} seconds")
    start = time.monotonic()
    tick, live = demonstration.watch_live(seed, seconds)
    print(f"   {time.monotonic() - start:.1f} s")

    print(f"-- the same seed again, in a world that is stepped by hand to "
          f"tick {tick}")
    start = time.monotonic()
    again = demonstration.step_to("quickstart-again", seed, tick)
    took = time.monotonic() - start
    print(f"   {took:.2f} s, {tick / TICK_RATE_HZ / took:.0f} times as fast "
          f"as real time")

    print("-- and another seed")
    other_seed = seed ^ 1
    other = demonstration.step_to("quickstart-other", other_seed, tick)

    print(f"-- state hashes at tick {tick}")
    print(f"   {live:016x}  seed {seed}, watched live")
    print(f"   {again:016x}  seed {seed}, stepped by hand")
    print(f"   {other:016x}  seed {other_seed}")
    same = check("the same seed gives the same bits", live == again)
    differs = check("another seed gives others", live != other)
    return same and differs


def number(kind, least, most):
    """An argparse type: a number within limits, named when it is not."""
    def parse(text):
        value = kind(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(
                f"must be {least} to {most}; it is {text}")
        return value
    return parse


def main():
    parser = argparse.ArgumentParser(
        description="One seed, two worlds, the same bits.")
    parser.add_argument("--server", default="127.0.0.1:50051",
                        help="host:port (default %(default)s)")
    parser.add_argument("--seed", type=number(int, 0, 2**64 - 1), default=42,
                        help="of the first two worlds (default %(default)s)")
    parser.add_argument("--agents", type=number(int, 1, 1_000_000),
                        default=1000, help="wanderers (default %(default)s)")
    parser.add_argument("--seconds", type=number(float, 2, 3600), default=10,
                        help="to watch for (default %(default)s)")
    parser.add_argument("--check-arguments", action="store_true",
                        help="do nothing else")
    arguments = parser.parse_args()
    if arguments.check_arguments:
        return
    with grpc.insecure_channel(arguments.server) as channel:
        demonstration = Demonstration(channel, arguments.agents)
        try:
            good = run(demonstration, arguments.seed, arguments.seconds)
        except grpc.RpcError as error:
            sys.exit(f"quickstart: {explain(error)}")
        finally:
            demonstration.delete_worlds()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
