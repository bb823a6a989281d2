#include "core/codec/agent_sieve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/archetype.h"
#include "core/math/trig.h"
#include "core/steering/start_wander.h"

namespace meander::core {
namespace {

template <typename T>
using Rows = std::array<T, AgentSieve::kRows>;

template <typename T>
Rows<T> RowsOf(const DecodedColumn<T>& column, std::size_t first,
               std::size_t rows) {
  Rows<T> values;
  column.Copy(first, rows, values.data());
  return values;
}

bool IsZero(const DecodedColumn<float>& column, std::size_t first,
            std::size_t rows) {
  if (!column.each) return column.IsZero();
  const Rows<float> values = RowsOf(column, first, rows);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    bits |= std::bit_cast<std::uint32_t>(values[i]);
  }
  return bits == 0;
}

bool IsAllZero(const DecodedVectors& vectors, std::size_t first,
               std::size_t rows) {
  return IsZero(vectors.x, first, rows) && IsZero(vectors.y, first, rows) &&
         IsZero(vectors.z, first, rows);
}

// Of one axis.
bool Between(const DecodedColumn<float>& column, float low, float high,
             std::size_t first, std::size_t rows) {
  const Rows<float> values = RowsOf(column, first, rows);
  bool pass = true;
  for (std::size_t i = 0; i < rows; ++i) {
    pass &= values[i] >= low;
    pass &= values[i] <= high;
  }
  return pass;
}
// The upper face of an axis that wraps is its lower one.
bool CoordinatesPass(const DecodedColumn<float>& column, float low, float high,
                     const WrapAxis& axis, std::size_t first,
                     std::size_t rows) {
  if (!Between(column, low, high, first, rows)) return false;
  if (!axis.Wraps()) return true;
  const Rows<float> values = RowsOf(column, first, rows);
  bool pass = true;
  for (std::size_t i = 0; i < rows; ++i) pass &= values[i] < axis.high;
  return pass;
}
bool IsFlatThere(const DecodedVectors& vectors, Plane plane, std::size_t first,
                 std::size_t rows) {
  const Vec3 axes = PlaneMask(plane);
  return (axes.x != 0.0f || IsZero(vectors.x, first, rows)) &&
         (axes.y != 0.0f || IsZero(vectors.y, first, rows)) &&
         (axes.z != 0.0f || IsZero(vectors.z, first, rows));
}

// pass(|v|^2) for each.
template <typename Passes>
bool SquaresPass(const DecodedVectors& vectors, std::size_t first,
                 std::size_t rows, Passes passes) {
  const Rows<float> x = RowsOf(vectors.x, first, rows);
  const Rows<float> y = RowsOf(vectors.y, first, rows);
  const Rows<float> z = RowsOf(vectors.z, first, rows);
  bool pass = true;
  for (std::size_t i = 0; i < rows; ++i) {
    pass &= passes(LengthSquared(Vec3{x[i], y[i], z[i]}));
  }
  return pass;
}

bool DirectionsPass(const DecodedVectors& vectors, Plane plane,
                    std::size_t first, std::size_t rows) {
  return IsFlatThere(vectors, plane, first, rows) &&
         SquaresPass(vectors, first, rows, [](float square) {
           return std::fabs(square - 1.0f) <= kUnitRounding;
         });
}

}  // namespace

AgentSieve::AgentSieve(const WorldState& state, const DecodedAgents& agents,
                       AgentId next_agent_id)
    : state_(state),
      agents_(agents),
      next_agent_id_(next_agent_id),
      plane_(state.config.plane),
      wrap_(WrapOf(state.config)) {}

bool AgentSieve::Pass(std::size_t first, std::size_t rows) const {
  const ArchetypeId archetype = agents_.archetype_id[first];
  if (archetype < 1 || archetype > kMaxArchetypeId) return false;
  const Population* population = state_.FindPopulation(archetype);
  return population != nullptr && IdsPass(first, rows) &&
         StepsPass(first, rows) && PlacesPass(agents_.position, first, rows) &&
         VelocitiesPass(population->archetype, first, rows) &&
         DirectionsPass(agents_.facing, plane_, first, rows) &&
         WandersPass(population->archetype, first, rows) &&
         TargetsPass(first, rows);
}

bool AgentSieve::IdsPass(std::size_t first, std::size_t rows) const {
  AgentId before = first == 0 ? 0 : agents_.id[first - 1];
  const Rows<AgentId> ids = RowsOf(agents_.id, first, rows);
  bool pass = ids[rows - 1] < next_agent_id_;
  for (std::size_t i = 0; i < rows; ++i) {
    pass &= before < ids[i];
    before = ids[i];
  }
  return pass;
}

bool AgentSieve::StepsPass(std::size_t first, std::size_t rows) const {
  const Rows<std::int64_t> steps = RowsOf(agents_.step_count, first, rows);
  bool pass = true;
  for (std::size_t i = 0; i < rows; ++i) {
    pass &= steps[i] >= 1;
    pass &= steps[i] <= state_.tick;
  }
  return pass;
}

bool AgentSieve::PlacesPass(const DecodedVectors& places, std::size_t first,
                            std::size_t rows) const {
  const Vec3& low = state_.config.bounds_min;
  const Vec3& high = state_.config.bounds_max;
  return IsFlatThere(places, plane_, first, rows) &&
         CoordinatesPass(places.x, low.x, high.x, wrap_.x, first, rows) &&
         CoordinatesPass(places.y, low.y, high.y, wrap_.y, first, rows) &&
         CoordinatesPass(places.z, low.z, high.z, wrap_.z, first, rows);
}

bool AgentSieve::VelocitiesPass(const Archetype& archetype, std::size_t first,
                                std::size_t rows) const {
  // Half of what rounding is given, which is more than what a square in
  // binary32 is wrong by, but for one that is next to nothing.
  constexpr float kHalfRounded = 1.000005f;
  constexpr float kLeast = 1.0e-3f;
  const bool slows = archetype.overspeed_time_constant > 0.0f;
  const float most =
      archetype.external || slows ? kMaxCommandedSpeed : archetype.max_speed;
  if (most < kLeast) return IsAllZero(agents_.velocity, first, rows);
  const float limit = kHalfRounded * most * (kHalfRounded * most);
  return IsFlatThere(agents_.velocity, plane_, first, rows) &&
         SquaresPass(agents_.velocity, first, rows,
                     [limit](float square) { return square <= limit; });
}

bool AgentSieve::WandersPass(const Archetype& archetype, std::size_t first,
                             std::size_t rows) const {
  const WanderForm form = WanderFormOf(archetype);
  if (form != WanderForm::kWorldAngle && form != WanderForm::kSpherical) {
    const Rows<std::uint32_t> turns = RowsOf(agents_.wander_turn, first, rows);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < rows; ++i) bits |= turns[i];
    if (bits != 0) return false;
  }
  const bool elevations_pass =
      form == WanderForm::kSpherical
          ? Between(agents_.wander_elevation, -kHalfPi, kHalfPi, first, rows)
          : IsZero(agents_.wander_elevation, first, rows);
  if (!elevations_pass) return false;
  if (form == WanderForm::kHeadingOffset) {
    const Plane plane = WanderPlaneOf(archetype, plane_);
    return DirectionsPass(agents_.wander_offset, plane, first, rows) &&
           DirectionsPass(agents_.wander_heading, plane, first, rows);
  }
  return IsAllZero(agents_.wander_offset, first, rows) &&
         IsAllZero(agents_.wander_heading, first, rows);
}

// Slots that are not set, set by all to points, or by all to agents.
bool AgentSieve::TargetsPass(std::size_t first, std::size_t rows) const {
  return std::all_of(agents_.slots.begin(), agents_.slots.end(),
                     [=, this](const DecodedSlot& slot) {
                       return SlotPasses(slot, first, rows);
                     });
}
bool AgentSieve::SlotPasses(const DecodedSlot& slot, std::size_t first,
                            std::size_t rows) const {
  if (slot.IsUnset()) return true;
  const Rows<std::uint8_t> kinds = RowsOf(slot.kind, first, rows);
  if (!std::all_of(kinds.begin(), kinds.begin() + rows,
                   [&kinds](std::uint8_t kind) { return kind == kinds[0]; })) {
    return false;
  }
  const Rows<AgentId> ids = RowsOf(slot.agent, first, rows);
  if (kinds[0] == static_cast<std::uint8_t>(Target::Kind::kPoint)) {
    return std::all_of(ids.begin(), ids.begin() + rows,
                       [](AgentId id) { return id == 0; }) &&
           PlacesPass(slot.point, first, rows);
  }
  // Told or not.
  const unsigned kind = kinds[0] & (DecodedAgents::kLossToldBit - 1u);
  const bool agent = kind == static_cast<unsigned>(Target::Kind::kAgent);
  const bool none = kind == static_cast<unsigned>(Target::Kind::kNone);
  if (!(agent || none) || !IsAllZero(slot.point, first, rows)) return false;
  const AgentId least = agent ? 1 : 0;
  const AgentId end = agent ? next_agent_id_ : 1;
  return std::all_of(ids.begin(), ids.begin() + rows,
                     [=](AgentId id) { return id >= least && id < end; });
}

}  // namespace meander::core
