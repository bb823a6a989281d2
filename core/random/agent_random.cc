#include "core/random/agent_random.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/error.h"
#include "core/random/philox.h"

namespace meander::core {
namespace {

constexpr std::uint32_t Low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

constexpr std::uint32_t High(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

constexpr std::array<std::uint32_t, 4> WordBlock(std::uint64_t seed,
                                                 std::uint64_t step_count,
                                                 Purpose purpose,
                                                 std::uint32_t block) {
  return Philox4x32({Low(step_count), High(step_count),
                     static_cast<std::uint32_t>(purpose), block},
                    {Low(seed), High(seed)});
}

constexpr std::uint64_t SeedFromWords(
    const std::array<std::uint32_t, 4>& words) {
  return (std::uint64_t{words[1]} << 32) | words[0];
}

}  // namespace

std::uint64_t DeriveAgentSeed(std::uint64_t world_seed,
                              std::uint64_t agent_id) {
  return SeedFromWords(WordBlock(world_seed, agent_id, Purpose::kDerive, 0));
}

std::uint64_t PlaceSeed(std::uint64_t world_seed, std::uint64_t sequence) {
  return SeedFromWords(WordBlock(world_seed, sequence, Purpose::kArea, 0));
}

std::array<float, 4> UniformBlock(std::uint64_t seed, std::uint64_t step_count,
                                  Purpose purpose, std::uint32_t block) {
  const std::array<std::uint32_t, 4> words =
      WordBlock(seed, step_count, purpose, block);
  return {UniformFromWord(words[0]), UniformFromWord(words[1]),
          UniformFromWord(words[2]), UniformFromWord(words[3])};
}

void DrawUniforms(const StepDraw& draw) {
  const LaneRange& lanes = draw.lanes;
  MEANDER_CHECK(lanes.count <= draw.out.size());
  MEANDER_CHECK(lanes.first_lane + lanes.count <= 4);
  for (std::size_t i = 0; i < draw.rows; ++i) {
    const std::uint64_t step_count =
        static_cast<std::uint64_t>(draw.tick) -
        static_cast<std::uint64_t>(draw.spawn_ticks[i]);
    const std::array<float, 4> uniforms =
        UniformBlock(draw.seeds[i], step_count, lanes.purpose, lanes.block);
    for (unsigned lane = 0; lane < lanes.count; ++lane) {
      draw.out[lane][i] = uniforms[lanes.first_lane + lane];
    }
  }
}

}  // namespace meander::core
