#include "core/steering/neighbor_sums.h"

#include "core/world_state.h"

namespace meander::core {
namespace {

// Off a plane, for any block.
constexpr std::array<float, kBlockRows + kVectorRows> kZeros{};

}  // namespace

NeighborSums NeighborScratch::Sums(std::uint32_t population, std::size_t term,
                                   std::uint32_t first_row) const {
  const PopulationScans& planned = populations[population];
  const TermSums& place = planned.terms[term];
  const NeighborScan& scan = planned.scans[place.scan];
  const SumColumns& columns = place.kind == SumKind::kPushes ? scan.pushes
                              : place.kind == SumKind::kVelocities
                                  ? scan.velocities
                                  : scan.offsets;
  const auto from = [first_row](const auto& column, auto* otherwise) {
    return column.empty() ? otherwise : column.data() + first_row;
  };
  const float* const x = from(columns.x, kZeros.data());
  const float* const y = from(columns.y, kZeros.data());
  const float* const z = from(columns.z, kZeros.data());
  NeighborSums sums{.x = x, .y = y, .z = z};
  if (grid.plane == Plane::kXZ) sums = {.x = x, .y = z, .z = y};
  if (grid.plane == Plane::kYZ) sums = {.x = z, .y = x, .z = y};
  const std::uint32_t* const none = nullptr;
  const float* const nothing = nullptr;
  sums.count = from(scan.count, none);
  sums.nearest_squared = from(scan.nearest_squared, nothing);
  return sums;
}

}  // namespace meander::core
