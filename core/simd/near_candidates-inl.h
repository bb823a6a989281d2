// Which candidates are near any agent of a batch, and how agents and candidates
// see each other across a seam.
#if defined(MEANDER_CORE_SIMD_NEAR_CANDIDATES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef MEANDER_CORE_SIMD_NEAR_CANDIDATES_INL_H_
#undef MEANDER_CORE_SIMD_NEAR_CANDIDATES_INL_H_
#else
#define MEANDER_CORE_SIMD_NEAR_CANDIDATES_INL_H_
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/simd/neighbor_kernels.h"
#include "core/simd/neighbor_lanes-inl.h"
#include "core/simulation_config.h"

HWY_BEFORE_NAMESPACE();
namespace meander::core::HWY_NAMESPACE {
namespace neighbors {

// Through which images a candidate is seen: a bit for each axis whose image is
// not kSame. Of an axis, the ranges of a batch have one such image at most.
using Way = std::uint32_t;

// The places of a batch's agents as candidates of each way are subtracted from
// them, and what is first subtracted from those (see Image).
template <int kDims, bool kShifts>
class Sight {
 public:
  // Not inline, so that a lane is read from memory, not taken from a vector.
  HWY_NOINLINE Sight(const NeighborGrid& grid, const Vec<kDims>& places,
                     const CandidateRange* ranges, std::size_t count)
      : axes_{&grid.axis_x, &grid.axis_y, &grid.axis_z} {
    Keep(0, places);
    if constexpr (!kShifts) return;
    Way all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      all |= WayOf(ranges[i]);
      for (std::size_t axis = 0; axis < kDims; ++axis) {
        if (ranges[i].images[axis] == 0) continue;
        images_[axis] = static_cast<Image>(ranges[i].images[axis]);
      }
    }
    for (Way way = 1; way < kWays; ++way) {
      if ((way & ~all) == 0) See(way, places);
    }
  }

  static HWY_INLINE Way WayOf(const CandidateRange& range) {
    if constexpr (!kShifts) return 0;
    Way way = 0;
    for (unsigned axis = 0; axis < kDims; ++axis) {
      way |= static_cast<Way>(range.images[axis] != 0) << axis;
    }
    return way;
  }

  // Of all agents, and of one in every lane.
  HWY_INLINE Vec<kDims> Places(Way way) const {
    const auto& of = places_[way];
    if constexpr (kDims == 2) return {Load(of[0]), Load(of[1])};
    if constexpr (kDims == 3) return {Load(of[0]), Load(of[1]), Load(of[2])};
  }
  HWY_INLINE Vec<kDims> Place(Way way, std::size_t lane) const {
    const auto& of = places_[way];
    if constexpr (kDims == 2) return {Same(of[0][lane]), Same(of[1][lane])};
    if constexpr (kDims == 3) {
      return {Same(of[0][lane]), Same(of[1][lane]), Same(of[2][lane])};
    }
  }

  HWY_INLINE Vec<kDims> Candidates(Way way, const Vec<kDims>& places) const {
    if constexpr (!kShifts) return places;
    const float* const by = shifts_[way];
    if constexpr (kDims == 2) {
      return {places.x - Same(by[0]), places.y - Same(by[1])};
    }
    if constexpr (kDims == 3) {
      return {places.x - Same(by[0]), places.y - Same(by[1]),
              places.z - Same(by[2])};
    }
  }

 private:
  static constexpr Way kWays = kShifts ? 1u << kDims : 1u;

  void Keep(Way way, const Vec<kDims>& places) {
    Store(places.x, places_[way][0]);
    Store(places.y, places_[way][1]);
    if constexpr (kDims == 3) Store(places.z, places_[way][2]);
    for (float& by : shifts_[way]) by = 0.0f;
  }

  void See(Way way, const Vec<kDims>& places) {
    float of_agents[3] = {};
    float of_candidates[3] = {};
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      if ((way >> axis & 1) == 0) continue;
      const bool below = images_[axis] == Image::kBelow;
      of_candidates[axis] = below ? axes_[axis]->high : axes_[axis]->low;
      of_agents[axis] = below ? axes_[axis]->low : axes_[axis]->high;
    }
    Vec<kDims> seen = places;
    seen.x = seen.x - Same(of_agents[0]);
    seen.y = seen.y - Same(of_agents[1]);
    if constexpr (kDims == 3) seen.z = seen.z - Same(of_agents[2]);
    Keep(way, seen);
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      shifts_[way][axis] = of_candidates[axis];
    }
  }

  const GridAxis* const axes_[3];
  Image images_[3] = {};
  HWY_ALIGN float places_[kWays][kDims][kLanes];
  float shifts_[kWays][kDims];
};

// A candidate and its way, in 32 bits.
inline constexpr unsigned kWayShift = 29;
inline constexpr std::uint32_t kAgentMask = (1u << kWayShift) - 1;
static_assert(kMaxAgents < std::int64_t{1} << kWayShift);

// How far a look through ranges has come.
struct Progress {
  std::size_t range = 0;
  std::size_t taken = 0;  // of that range
};
inline constexpr std::size_t kMostNear = 256;
using NearCandidates = std::array<std::uint32_t, kMostNear>;

// The numbers of the bits that are set in a byte, in order.
inline constexpr auto kSetBits = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    std::size_t count = 0;
    for (std::uint8_t bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) table[byte][count++] = bit;
    }
  }
  return table;
}();

// Appends first + i for each lane i of the mask. Returns how many there are
// then.
HWY_INLINE std::size_t List(LaneMask lanes, std::uint32_t first,
                            NearCandidates& near, std::size_t size) {
  const hn::CappedTag<std::uint32_t, 8> words;
  const hn::Rebind<std::uint8_t, decltype(words)> bytes;
  std::uint8_t bits[8];
  hn::StoreMaskBits(kFloats, lanes, bits);
  for (std::size_t lane = 0; lane < kLanes; lane += hn::MaxLanes(words)) {
    const std::uint8_t byte = bits[lane / 8];
    const auto places =
        hn::PromoteTo(words, hn::LoadU(bytes, kSetBits[byte].data()));
    hn::StoreU(places + hn::Set(words, first + lane), words,
               near.data() + size);
    size += static_cast<std::size_t>(std::popcount(byte));
  }
  return size;
}

// Lists the next candidates that any of `lanes` agents has within its radius;
// returns how many. Here candidates are the lanes, and agents one after
// another.
template <int kDims, bool kShifts>
HWY_INLINE std::size_t ListNear(const GridColumns<kDims>& places,
                                const Sight<kDims, kShifts>& sight,
                                const NeighborBatch& batch,
                                Floats radius_squared,
                                const CandidateRange* ranges, std::size_t count,
                                Progress& next, NearCandidates& near) {
  std::size_t size = 0;
  for (; next.range < count; ++next.range, next.taken = 0) {
    const CandidateRange& range = ranges[next.range];
    const Way way = sight.WayOf(range);
    const bool far = (way & 1) != 0;
    const std::size_t first_lane = far ? batch.far_first : 0;
    const std::size_t end_lane = far ? batch.far_end : batch.lanes;
    for (std::size_t i = range.begin + next.taken; i < range.end; i += kLanes) {
      if (size > kMostNear - kLanes) {
        next.taken = i - range.begin;
        return size;
      }
      const Vec<kDims> candidates = sight.Candidates(way, places.Next(i));
      // Squares are in the order of their bits.
      Ints least =
          BitsOf(LengthSquared(candidates - sight.Place(way, first_lane)));
      for (std::size_t lane = first_lane + 1; lane < end_lane; ++lane) {
        least = hn::Min(
            least, BitsOf(LengthSquared(candidates - sight.Place(way, lane))));
      }
      const LaneMask within = hn::And(hn::Le(FloatsOf(least), radius_squared),
                                      hn::FirstN(kFloats, range.end - i));
      size = List(within, static_cast<std::uint32_t>(i) | way << kWayShift,
                  near, size);
    }
  }
  return size;
}

}  // namespace neighbors
}  // namespace meander::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEANDER_CORE_SIMD_NEAR_CANDIDATES_INL_H_
