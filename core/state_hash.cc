#include "core/state_hash.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/agents/agent_mix.h"
#include "core/codec/archetype_codec.h"
#include "core/codec/byte_io.h"
#include "core/codec/config_codec.h"

namespace meander::core {
namespace {

// What tells the mixes of what is global apart.
enum Kind : std::uint64_t { kTick = 3, kConfig, kArchetype };

// Blocks that one task hashes before it adds its 256 sums to the total.
constexpr std::size_t kBlocksPerTask = 16;

std::uint64_t MixBytes(const std::string& bytes, Kind kind) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), kind);
}

std::uint64_t MixTick(std::int64_t tick) {
  return XXH3_64bits_withSeed(&tick, sizeof(tick), kTick);
}

std::size_t BucketOf(AgentId id) {
  return static_cast<std::size_t>(id) % kHashBuckets;
}

// Of as many agents of a block as `columns` has.
void AddMixes(const WorldState& state, const AgentBlock& block,
              const MixColumns& columns, BucketSums& sums) {
  std::array<std::uint64_t, kBlockRows + kVectorRows> mixes;
  state.kernels->hash.mix_rows(columns, block.rows, mixes.data());
  const AgentId* const ids =
      &state.populations[block.population].agents.id[block.first_row];
  for (std::size_t i = 0; i < block.rows; ++i) {
    sums[BucketOf(ids[i])] += mixes[i];
  }
}

void AddMotionMixes(const WorldState& state, const AgentBlock& block,
                    BucketSums& sums) {
  const AgentColumns& agents = state.populations[block.population].agents;
  AddMixes(state, block,
           MotionWords(agents, state.config.plane, block.first_row), sums);
}

// The sums of agents' motion over all blocks. Few are not worth a thread.
BucketSums SumMotionMixes(const WorldState& state, ParallelFor& parallel) {
  BucketSums sums{};
  const std::size_t blocks = state.blocks.size();
  const std::size_t tasks = (blocks + kBlocksPerTask - 1) / kBlocksPerTask;
  if (tasks <= 1) {
    for (const AgentBlock& block : state.blocks) {
      AddMotionMixes(state, block, sums);
    }
    return sums;
  }
  std::array<std::atomic<std::uint64_t>, kHashBuckets> totals{};
  parallel.Run(tasks, [&](std::size_t task) {
    BucketSums part{};
    const std::size_t end = std::min(blocks, (task + 1) * kBlocksPerTask);
    for (std::size_t i = task * kBlocksPerTask; i < end; ++i) {
      AddMotionMixes(state, state.blocks[i], part);
    }
    for (std::size_t bucket = 0; bucket < kHashBuckets; ++bucket) {
      totals[bucket].fetch_add(part[bucket], std::memory_order_relaxed);
    }
  });
  for (std::size_t bucket = 0; bucket < kHashBuckets; ++bucket) {
    sums[bucket] = totals[bucket].load(std::memory_order_relaxed);
  }
  return sums;
}

std::uint64_t ColdMixAt(const WorldState& state, const AgentLocation& at) {
  const Population& population = state.populations[at.population];
  return ColdMix(population.agents, population.archetype.id, at.row);
}

std::uint64_t& ColdSumOf(WorldState& state, const AgentLocation& at) {
  const AgentColumns& agents = state.populations[at.population].agents;
  return state.cold_sums[BucketOf(agents.id[at.row])];
}

}  // namespace

std::uint64_t MixConfig(const SimulationConfig& config, std::uint64_t seed) {
  std::string bytes;
  ByteWriter out(bytes);
  out.Put(seed);
  EncodeConfig(config, out);
  return MixBytes(bytes, kConfig);
}

std::uint64_t MixArchetype(const Archetype& archetype) {
  std::string bytes;
  ByteWriter out(bytes);
  EncodeArchetype(archetype, out);
  return MixBytes(bytes, kArchetype);
}

void AddColdMix(WorldState& state, const AgentLocation& at) {
  ColdSumOf(state, at) += ColdMixAt(state, at);
}

void SubtractColdMix(WorldState& state, const AgentLocation& at) {
  ColdSumOf(state, at) -= ColdMixAt(state, at);
}

BucketSums SumColdMixes(const WorldState& state) {
  BucketSums sums{};
  for (const AgentBlock& block : state.blocks) {
    const Population& population = state.populations[block.population];
    AddMixes(
        state, block,
        ColdWords(population.agents, population.archetype.id, block.first_row),
        sums);
  }
  return sums;
}

StateHash HashState(const WorldState& state, ParallelFor& parallel) {
  StateHash hash;
  hash.value = MixTick(state.tick) + state.config_mix + state.archetypes_mix;
  hash.buckets = SumMotionMixes(state, parallel);
  for (std::size_t bucket = 0; bucket < kHashBuckets; ++bucket) {
    hash.buckets[bucket] += state.cold_sums[bucket];
    hash.value += hash.buckets[bucket];
  }
  return hash;
}

}  // namespace meander::core
