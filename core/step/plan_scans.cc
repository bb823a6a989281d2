#include "core/step/plan_scans.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace meander::core {
namespace {

void ResizeSums(std::size_t rows, bool planar, SumColumns& sums) {
  ResizeScratch(sums.x, rows);
  ResizeScratch(sums.y, rows);
  ResizeScratch(sums.z, planar ? 0 : rows);
}

void ResizeSums(std::size_t rows, bool planar, NeighborScan& scan) {
  const bool fades = scan.separation != nullptr &&
                     scan.separation->falloff == Falloff::kNearestFade;
  ResizeSums(scan.separation != nullptr ? rows : 0, planar, scan.pushes);
  ResizeSums(scan.moves ? rows : 0, planar, scan.velocities);
  ResizeSums(scan.gathers ? rows : 0, planar, scan.offsets);
  ResizeScratch(scan.count, scan.moves || scan.gathers ? rows : 0);
  ResizeScratch(scan.nearest_squared, fades ? rows : 0);
}

// The scan that a term joins; `seen` are the neighborhoods of the first
// `count`. Those after keep memory of earlier ticks.
std::size_t ScanFor(const Behavior& behavior, const NeighborGrid& grid,
                    std::vector<NeighborScan>& scans,
                    std::array<const Neighborhood*, kMaxTerms>& seen,
                    std::size_t& count) {
  const Neighborhood& neighborhood = *NeighborhoodOf(behavior);
  const auto* const separation = std::get_if<Separation>(&behavior);
  for (std::size_t i = 0; i < count; ++i) {
    const Separation* const other = scans[i].separation;
    if (*seen[i] == neighborhood &&
        (separation == nullptr || other == nullptr || *separation == *other)) {
      return i;
    }
  }
  if (count == scans.size()) scans.emplace_back();
  NeighborScan& scan = scans[count];
  scan.query = NeighborQuery(grid, neighborhood);
  scan.moves = scan.gathers = false;
  scan.separation = nullptr;
  seen[count] = &neighborhood;
  return count++;
}

void Join(const Behavior& behavior, NeighborScan& scan, TermSums& term) {
  if (const auto* const separation = std::get_if<Separation>(&behavior)) {
    scan.separation = separation;
    term.kind = SumKind::kPushes;
  } else if (std::holds_alternative<Alignment>(behavior)) {
    scan.moves = true;
    term.kind = SumKind::kVelocities;
  } else {
    scan.gathers = true;
    term.kind = SumKind::kOffsets;
  }
}

bool AddsUpTheSame(const Separation* a, const Separation* b) {
  return (a == nullptr) == (b == nullptr) && (a == nullptr || *a == *b);
}

bool LookAlike(const PopulationScans& a, const PopulationScans& b) {
  return std::equal(
      a.scans.begin(), a.scans.end(), b.scans.begin(), b.scans.end(),
      [](const NeighborScan& one, const NeighborScan& other) {
        return one.query == other.query && one.moves == other.moves &&
               one.gathers == other.gathers &&
               AddsUpTheSame(one.separation, other.separation);
      });
}

}  // namespace

bool HasNeighborTerms(const Archetype& archetype) {
  return std::any_of(archetype.terms.begin(), archetype.terms.end(),
                     [](const Term& term) {
                       return NeighborhoodOf(term.behavior) != nullptr;
                     });
}

void PlanScans(const Population& population, const NeighborGrid& grid,
               PopulationScans& planned) {
  const std::vector<Term>& terms = population.archetype.terms;
  const std::size_t rows = population.agents.size();
  if (rows == 0 || !HasNeighborTerms(population.archetype)) {
    planned = {};
    return;
  }
  planned.terms.assign(terms.size(), {});
  std::array<const Neighborhood*, kMaxTerms> seen{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Behavior& behavior = terms[i].behavior;
    if (NeighborhoodOf(behavior) == nullptr) continue;
    const std::size_t scan =
        ScanFor(behavior, grid, planned.scans, seen, count);
    planned.terms[i].scan = static_cast<std::uint8_t>(scan);
    Join(behavior, planned.scans[scan], planned.terms[i]);
  }
  planned.scans.resize(count);
  for (NeighborScan& scan : planned.scans) {
    ResizeSums(rows, grid.planar(), scan);
  }
}

void FindLookalikes(std::span<PopulationScans> populations) {
  constexpr std::size_t kMostLooks = 16;
  std::array<std::uint32_t, kMostLooks> looks;
  std::size_t count = 0;
  for (std::uint32_t p = 0; p < populations.size(); ++p) {
    populations[p].looks_as = p;
    const std::uint32_t* const first = looks.data();
    const std::uint32_t* const end = first + count;
    const std::uint32_t* const found =
        std::find_if(first, end, [&](std::uint32_t other) {
          return LookAlike(populations[other], populations[p]);
        });
    if (found != end) {
      populations[p].looks_as = *found;
    } else if (count < kMostLooks) {
      looks[count++] = p;
    }
  }
}

}  // namespace meander::core
