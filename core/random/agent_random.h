// All randomness of a world: uniforms as a pure function of (seed, step count,
// purpose, block, lane).
//
// A block is one Philox4x32-10 call (philox.h): key = the seed's low and high
// word, counter = (step count low, high, purpose, block). Its words are four
// lanes; a uniform is a lane's top 24 bits times 2^-24: exact, in [0, 1).
// Invariant: nothing is kept between draws, so agents seeded alike draw alike
// and removing one changes nobody's draws. Which lane serves which use is fixed
// below; to change one is to change kSimulationVersion.
// Threads: pure functions. Errors: none, every value is valid.
// Source: Salmon et al., SC11.
#ifndef MEANDER_CORE_RANDOM_AGENT_RANDOM_H_
#define MEANDER_CORE_RANDOM_AGENT_RANDOM_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace meander::core {

// What a draw is for. The numbers enter the counter: never renumber.
enum class Purpose : std::uint32_t {
  kStep = 1,    // what steering draws in a step; the agent's seed
  kInit = 2,    // what a spawn (or a change of wander form) draws; its seed
  kDerive = 3,  // an agent's seed; the world's seed
  kArea = 4,    // places in an area; the world's seed, then a place seed
};

// The lanes that one use draws: `count` lanes of one block from `first_lane`.
struct LaneRange {
  Purpose purpose;
  std::uint32_t block;
  unsigned first_lane;
  unsigned count;
};

// Each step, always, whether or not the result is used. An agent has at most
// one wander term, so the forms may share lanes.
inline constexpr LaneRange kWorldAngleStepLanes{Purpose::kStep, 0, 0, 1};
// Azimuth, then elevation.
inline constexpr LaneRange kSphericalStepLanes{Purpose::kStep, 0, 0, 2};
// x, y, z of the offset's change; three also in a plane.
inline constexpr LaneRange kHeadingOffsetStepLanes{Purpose::kStep, 0, 0, 3};

// At spawn, with the step count 0 (else the current one, when the form of
// wander changes). One range per use, so that giving one value by hand does
// not shift another.
//
// World angle, and the azimuth of spherical wander: TurnFromUniform.
inline constexpr LaneRange kStartAngleLanes{Purpose::kInit, 0, 0, 1};
inline constexpr LaneRange kStartElevationLanes{Purpose::kInit, 0, 1, 1};
// x, y, z each.
inline constexpr LaneRange kStartOffsetLanes{Purpose::kInit, 1, 0, 3};
inline constexpr LaneRange kStartHeadingLanes{Purpose::kInit, 2, 0, 3};

// Places in an area: UniformBlock(PlaceSeed(...), index, kArea, block).
//
// Disc of radius R: u0 the azimuth (TurnFromUniform), R * sqrt(u1) the radius.
inline constexpr LaneRange kDiscLanes{Purpose::kArea, 0, 0, 2};
// Box: x, y, z, each min + u * (max - min); three also when an axis is flat.
inline constexpr LaneRange kBoxLanes{Purpose::kArea, 0, 0, 3};
// Ball of radius R: u0 the azimuth and 2 * u1 - 1 the height z of a direction
// (whose part across the axis is sqrt(1 - z * z)); the radius is R times the
// largest of the three lanes of block 1, which is distributed as a cube root.
inline constexpr LaneRange kBallDirectionLanes{Purpose::kArea, 0, 0, 2};
inline constexpr LaneRange kBallRadiusLanes{Purpose::kArea, 1, 0, 3};

// The seed of an agent that was given none: words 0 (low) and 1 (high) of the
// block (world seed; agent id low, high, kDerive, 0).
std::uint64_t DeriveAgentSeed(std::uint64_t world_seed, std::uint64_t agent_id);

// The seed for the places that one command draws: words 0 (low) and 1 (high)
// of the block (world seed; sequence low, high, kArea, 0). `sequence` is the
// command's sequence number.
std::uint64_t PlaceSeed(std::uint64_t world_seed, std::uint64_t sequence);

// The four uniforms of one block, lane by lane. `step_count` is the agent's own
// (0 in the tick of spawning), or the index of a place for kArea.
std::array<float, 4> UniformBlock(std::uint64_t seed, std::uint64_t step_count,
                                  Purpose purpose, std::uint32_t block);

// What many agents draw in one step. Pointers are to `rows` elements each.
struct StepDraw {
  std::size_t rows = 0;
  const std::uint64_t* seeds = nullptr;
  // The ticks that the agents' first steps produced; the step count is the
  // distance from there to `tick`, modulo 2^64.
  const std::int64_t* spawn_ticks = nullptr;
  std::int64_t tick = 0;
  LaneRange lanes;
  std::array<float*, 3> out{};  // one for each lane of the range
};

// out[lane][i] = UniformBlock(seeds[i], step count, ...)[first_lane + lane].
// The range has at most 3 of the 4 lanes of its block, else this aborts.
void DrawUniforms(const StepDraw& draw);

// A uniform of a block: the top 24 bits of a Philox word times 2^-24. Exact.
constexpr float UniformFromWord(std::uint32_t word) {
  constexpr float kScale = 0x1p-24f;
  return static_cast<float>(static_cast<std::int32_t>(word >> 8)) * kScale;
}

// The angle u * 2 pi as a fraction of a turn (2^32 = 2 pi), exact; u is a
// uniform of a block, hence in [0, 1) and a multiple of 2^-24.
constexpr std::uint32_t TurnFromUniform(float u) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(u * 0x1p24f))
         << 8;
}

}  // namespace meander::core

#endif  // MEANDER_CORE_RANDOM_AGENT_RANDOM_H_
