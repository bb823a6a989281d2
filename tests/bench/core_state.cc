// The hash of a state, its snapshot and back, and the sorting of its agents.

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/agents/agent_columns.h"
#include "core/codec/snapshot.h"
#include "core/space/neighbor_grid.h"
#include "tests/bench/core_bench.h"

namespace meander::bench {
namespace {

constexpr double kMillisecond = 1e6;

Scene SceneNamed(std::string_view name) {
  for (const Scene& scene : kScenes) {
    if (scene.name == name) return scene;
  }
  Fail("there is no scene " + std::string(name));
}

template <typename Values>
std::uint64_t Xxh3(const Values& column) {
  return XXH3_64bits(column.data(), column.size() * sizeof(column[0]));
}

// Of the columns that a state hash reads each tick of a world-angle wanderer in
// a plane, where they lie: what commands alone change is mixed when it changes.
std::uint64_t Xxh3(const core::AgentColumns& agents) {
  return Xxh3(agents.id) + Xxh3(agents.position_x) + Xxh3(agents.position_y) +
         Xxh3(agents.velocity_x) + Xxh3(agents.velocity_y) +
         Xxh3(agents.wander_turn) + Xxh3(agents.facing_x) +
         Xxh3(agents.facing_y);
}

void MeasureHash(benchmark::State& state, const Size& size) {
  SteppedScene scene(SceneNamed("wander"), size);
  core::SerialFor serial;
  const core::AgentColumns& agents =
      scene.world().state().populations.front().agents;
  const auto units = static_cast<double>(size.agents);
  Pairs pairs(
      [&] {
        return Measured(units, [&] { benchmark::DoNotOptimize(Xxh3(agents)); });
      },
      [&] {
        return Measured(units, [&] {
          benchmark::DoNotOptimize(scene.world().Hash(serial));
        });
      });
  for (auto _ : state) pairs.AddPair();
  Figure figure = pairs.OfSubject(Named("hash", size.agents), "ns/agent",
                                  Clock::kThreadCpu, "XXH3");
  Print(scene.Stamp(figure));
}

// A copy of as many bytes, into memory that is there.
Sample CopyOf(const std::string& bytes, std::string& room) {
  room = bytes;
  return [&] {
    return Measured(kMillisecond, [&] {
      std::memcpy(room.data(), bytes.data(), bytes.size());
      benchmark::ClobberMemory();
    });
  };
}

void MeasureSnapshot(benchmark::State& state, const Size& size) {
  SteppedScene scene(SceneNamed("wander"), size);
  const std::string bytes = scene.Snapshot();
  std::string room;
  std::string made;
  Pairs pairs(CopyOf(bytes, room), [&] {
    made = {};
    return Measured(kMillisecond, [&] { made = scene.Snapshot(); });
  });
  for (auto _ : state) pairs.AddPair();
  if (made != bytes) Fail("a snapshot differs from the one before");
  Figure figure = pairs.OfSubject(Named("snapshot", size.agents), "ms",
                                  Clock::kThreadCpu, "memcpy");
  Print(scene.Stamp(figure));
}

void MeasureRestore(benchmark::State& state, const Size& size) {
  SteppedScene scene(SceneNamed("wander"), size);
  const std::string bytes = scene.Snapshot();
  Figure original;
  scene.Stamp(original);
  std::string room;
  core::SerialFor serial;
  std::optional<core::StateHash> restored;
  Pairs pairs(CopyOf(bytes, room), [&] {
    const Times start = Now();
    const core::Result<core::Snapshot> snapshot = core::DecodeSnapshot(bytes);
    const Times spent = Now() - start;
    if (!snapshot.ok()) Fail("restore: " + snapshot.error().reason);
    restored = snapshot->world.Hash(serial);
    return spent / kMillisecond;
  });
  for (auto _ : state) pairs.AddPair();
  if (restored->value != original.hash) Fail("a restored world differs");
  Figure figure = pairs.OfSubject(Named("restore", size.agents), "ms",
                                  Clock::kThreadCpu, "memcpy");
  Print(scene.Stamp(figure));
}

// Each time after a step: its hash is of the canonical order of the ids.
void MeasureGrid(benchmark::State& state, const Size& size) {
  SteppedScene scene(SceneNamed("flock2d"), size);
  core::NeighborGrid grid;
  core::SerialFor serial;
  core::RebuildGrid(scene.world().state(), grid, serial);
  Pairs pairs(MemoryPass(size.agents), [&] {
    scene();
    return Measured(static_cast<double>(size.agents), [&] {
      core::RebuildGrid(scene.world().state(), grid, serial);
    });
  });
  for (auto _ : state) pairs.AddPair();
  Figure figure = pairs.OfSubject(Named("grid", size.agents), "ns/agent",
                                  Clock::kThreadCpu, kMemoryPass);
  figure.hash = Xxh3(grid.id);
  figure.tick = scene.world().tick();
  Print(figure);
}

}  // namespace

void RegisterState(const Suite& suite) {
  struct Kind {
    std::string_view name;
    void (*measure)(benchmark::State&, const Size&);
  };
  for (const Kind kind :
       {Kind{"hash", MeasureHash}, Kind{"snapshot", MeasureSnapshot},
        Kind{"restore", MeasureRestore}, Kind{"grid", MeasureGrid}}) {
    for (const Size& size : suite.sizes) {
      Register(
          Named(kind.name, size.agents), size.pairs,
          [kind, size](benchmark::State& state) { kind.measure(state, size); });
    }
  }
}

}  // namespace meander::bench
