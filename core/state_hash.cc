#include "core/state_hash.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/codec/archetype_codec.h"
#include "core/codec/byte_io.h"
#include "core/codec/config_codec.h"

namespace meander::core {
namespace {

// What tells the mixes apart.
enum Kind : std::uint64_t { kMotion = 1, kCold, kTick, kConfig, kArchetype };

// Stands above the kind of a target.
constexpr std::uint32_t kToldAboveKind = 256;

// Blocks that one task hashes before it adds its 256 sums to the total.
constexpr std::size_t kBlocksPerTask = 16;

// The finalizer of MurmurHash3 (A. Appleby): a bijection of 64 bits in which
// every input bit changes each output bit about half of the time.
constexpr std::uint64_t Scramble(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdu;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53u;
  value ^= value >> 33;
  return value;
}

// A chain of 64-bit words from an agent's id. For a given word each step maps
// the state by a bijection, and for a given state the word.
class WordMixer {
 public:
  WordMixer(AgentId id, Kind kind)
      : state_(Scramble(static_cast<std::uint64_t>(id) +
                        kind * 0x9e3779b97f4a7c15u)) {}

  void Add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0xd1342543de82ef95u;
    state_ ^= state_ >> 32;
  }
  // Two halves of a word.
  void Add(float low, float high) { Add(Pack(Bits(low), Bits(high))); }
  void Add(std::uint32_t low, float high) { Add(Pack(low, Bits(high))); }

  std::uint64_t Finish() const { return Scramble(state_); }

 private:
  static std::uint32_t Bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
  }
  static std::uint64_t Pack(std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{high} << 32 | low;
  }

  std::uint64_t state_;
};

void AddVector(const Vec3& vector, std::uint32_t rest, WordMixer& mixer) {
  mixer.Add(rest, vector.x);
  mixer.Add(vector.y, vector.z);
}

std::uint64_t MixMotion(const AgentColumns& agents, std::size_t row,
                        WanderForm form) {
  WordMixer mixer(agents.id[row], kMotion);
  mixer.Add(agents.position_x[row], agents.position_y[row]);
  mixer.Add(agents.position_z[row], agents.velocity_x[row]);
  mixer.Add(agents.velocity_y[row], agents.velocity_z[row]);
  mixer.Add(agents.wander_turn[row], agents.wander_elevation[row]);
  if (form == WanderForm::kHeadingOffset) {
    const WanderState wander = agents.Wander(row);
    AddVector(wander.offset, 0, mixer);
    AddVector(wander.heading, 0, mixer);
  }
  return mixer.Finish();
}

std::uint64_t MixCold(const AgentColumns& agents, std::size_t row,
                      ArchetypeId archetype, std::int64_t tick) {
  WordMixer mixer(agents.id[row], kCold);
  mixer.Add(static_cast<std::uint64_t>(archetype));
  mixer.Add(agents.seed[row]);
  mixer.Add(agents.tag[row]);
  mixer.Add(static_cast<std::uint64_t>(tick - agents.spawn_tick[row] + 1));
  AddVector(agents.FacingOf(row), agents.groups[row], mixer);
  for (const Target& target : agents.targets[row]) {
    const std::uint32_t told = target.loss_told ? kToldAboveKind : 0;
    AddVector(target.point, static_cast<std::uint32_t>(target.kind) | told,
              mixer);
    mixer.Add(static_cast<std::uint64_t>(target.agent));
  }
  return mixer.Finish();
}

std::uint64_t MixBytes(const std::string& bytes, Kind kind) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), kind);
}

std::uint64_t MixTick(std::int64_t tick) {
  return XXH3_64bits_withSeed(&tick, sizeof(tick), kTick);
}

using Sums = std::array<std::uint64_t, kHashBuckets>;

void AddBlock(const WorldState& state, const AgentBlock& block, Sums& sums) {
  const Population& population = state.populations[block.population];
  const AgentColumns& agents = population.agents;
  const WanderForm form = WanderFormOf(population.archetype);
  for (std::size_t i = 0; i < block.rows; ++i) {
    const std::size_t row = block.first_row + i;
    const auto bucket = static_cast<std::size_t>(agents.id[row]) % kHashBuckets;
    sums[bucket] += MixMotion(agents, row, form) +
                    MixCold(agents, row, population.archetype.id, state.tick);
  }
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

StateHash HashState(const WorldState& state, ParallelFor& parallel) {
  std::array<std::atomic<std::uint64_t>, kHashBuckets> totals{};
  const std::size_t blocks = state.blocks.size();
  const std::size_t tasks = (blocks + kBlocksPerTask - 1) / kBlocksPerTask;
  parallel.Run(tasks, [&](std::size_t task) {
    Sums sums{};
    const std::size_t end = std::min(blocks, (task + 1) * kBlocksPerTask);
    for (std::size_t i = task * kBlocksPerTask; i < end; ++i) {
      AddBlock(state, state.blocks[i], sums);
    }
    for (std::size_t bucket = 0; bucket < kHashBuckets; ++bucket) {
      totals[bucket].fetch_add(sums[bucket], std::memory_order_relaxed);
    }
  });
  StateHash hash;
  hash.value = MixTick(state.tick) + state.config_mix + state.archetypes_mix;
  for (std::size_t bucket = 0; bucket < kHashBuckets; ++bucket) {
    hash.buckets[bucket] = totals[bucket].load(std::memory_order_relaxed);
    hash.value += hash.buckets[bucket];
  }
  return hash;
}

}  // namespace meander::core
