#include "core/world.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/math/trig.h"
#include "core/step/step_world.h"

namespace meander::core {
namespace {

WorldState EmptyState(const SimulationConfig& config, std::uint64_t seed) {
  WorldState state;
  state.config = config;
  state.seed = seed;
  return state;
}

struct FloatCopy {
  Column<float> AgentColumns::*from;
  std::vector<float> MotionColumns::*to;
};

constexpr std::array<FloatCopy, 16> kFloatCopies = [] {
  using A = AgentColumns;
  using M = MotionColumns;
  return std::array<FloatCopy, 16>{
      {{&A::position_x, &M::position_x},
       {&A::position_y, &M::position_y},
       {&A::position_z, &M::position_z},
       {&A::velocity_x, &M::velocity_x},
       {&A::velocity_y, &M::velocity_y},
       {&A::velocity_z, &M::velocity_z},
       {&A::facing_x, &M::facing_x},
       {&A::facing_y, &M::facing_y},
       {&A::facing_z, &M::facing_z},
       {&A::wander_elevation, &M::wander_elevation},
       {&A::wander_offset_x, &M::wander_offset_x},
       {&A::wander_offset_y, &M::wander_offset_y},
       {&A::wander_offset_z, &M::wander_offset_z},
       {&A::wander_heading_x, &M::wander_heading_x},
       {&A::wander_heading_y, &M::wander_heading_y},
       {&A::wander_heading_z, &M::wander_heading_z}}};
}();
// Of position and velocity, which come first.
constexpr std::size_t kShownFloats = 6;

// Index entries of a piece of work, or more where that would make too many
// pieces.
constexpr std::size_t kCopiedEntries = 4'096;
constexpr std::size_t kMostCopyPieces = 1'024;
// Scattered rows are fetched so many agents ahead.
constexpr std::size_t kFetchedAhead = 24;

// Copies rows of columns, run by run, to places that follow each other.
class RunCopier {
 public:
  RunCopier(const WorldState& state, std::span<const RowRun> runs,
            std::size_t first)
      : state_(state), runs_(runs), first_(first) {
    for (const RowRun& run : runs) rows_ += run.rows;
  }

  std::size_t rows() const { return rows_; }

  template <typename T>
  void Copy(Column<T> AgentColumns::*column, std::vector<T>& out) const {
    T* to = out.data() + first_;
    std::uint32_t population = kNone;
    const T* from = nullptr;
    for (const RowRun& run : runs_) {
      if (run.population != population) {
        population = run.population;
        from = RowsOf(state_.populations[population].agents.*column);
      }
      if (run.rows == 1) {
        *to++ = from == nullptr ? T{} : from[run.first_row];
      } else if (from == nullptr) {
        to = std::fill_n(to, run.rows, T{});
      } else {
        to = std::copy_n(from + run.first_row, run.rows, to);
      }
    }
  }

  void CopyMotion(MotionDetail detail, std::span<const FloatCopy> copies,
                  MotionColumns& out) const {
    Copy(&AgentColumns::id, out.id);
    if (detail == MotionDetail::kAll) {
      Copy(&AgentColumns::wander_turn, out.wander_turn);
    }
    if (IsScattered()) {
      CopyFloatsByRow(copies, out);
      return;
    }
    for (const FloatCopy& copy : copies) Copy(copy.from, out.*copy.to);
  }

  // Whether runs are so short that rows are better copied whole.
  bool IsScattered() const {
    constexpr std::size_t kShort = 4;
    return rows_ < kShort * runs_.size();
  }

  void CopyFloatsByRow(std::span<const FloatCopy> copies,
                       MotionColumns& out) const {
    std::array<float*, kFloatCopies.size()> to;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      to[i] = (out.*copies[i].to).data() + first_;
    }
    std::array<const float*, kFloatCopies.size()> from{};
    std::uint32_t population = kNone;
    std::size_t place = 0;
    for (std::size_t next = 0; next < runs_.size(); ++next) {
      const RowRun& run = runs_[next];
      if (run.population != population) {
        population = run.population;
        const AgentColumns& agents = state_.populations[population].agents;
        for (std::size_t i = 0; i < copies.size(); ++i) {
          from[i] = RowsOf(agents.*copies[i].from);
        }
      }
      if (next + kFetchedAhead < runs_.size()) {
        const RowRun& ahead = runs_[next + kFetchedAhead];
        for (std::size_t i = 0; i < copies.size(); ++i) {
          if (from[i] == nullptr || ahead.population != population) continue;
          __builtin_prefetch(from[i] + ahead.first_row);
        }
      }
      for (std::uint32_t row = run.first_row; row < run.first_row + run.rows;
           ++row, ++place) {
        for (std::size_t i = 0; i < copies.size(); ++i) {
          to[i][place] = from[i] == nullptr ? 0.0f : from[i][row];
        }
      }
    }
  }

  void CopyTargets(std::size_t slot, std::vector<TargetSlots>& out) const {
    TargetSlots* to = out.data() + first_;
    for (const RowRun& run : runs_) {
      const AgentColumns& agents = state_.populations[run.population].agents;
      for (std::uint32_t i = 0; i < run.rows; ++i) {
        (*to++)[slot] = Unpack(agents.TargetAt(run.first_row + i, slot));
      }
    }
  }

  void CopyArchetypes(std::vector<ArchetypeId>& out) const {
    ArchetypeId* to = out.data() + first_;
    for (const RowRun& run : runs_) {
      to = std::fill_n(to, run.rows,
                       state_.populations[run.population].archetype.id);
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Null when the column is not there: all are 0.
  template <typename T>
  static const T* RowsOf(const Column<T>& column) {
    return column.empty() ? nullptr : column.data();
  }

  const WorldState& state_;
  const std::span<const RowRun> runs_;
  const std::size_t first_;
  std::size_t rows_ = 0;
};

// copy(copier) for all agents in ascending order of id.
template <typename CopyRuns>
void ForEachCopier(const WorldState& state, CopyRuns copy) {
  std::size_t first = 0;
  state.index.ForEachRuns([&](std::span<const RowRun> runs) {
    const RunCopier copier(state, runs, first);
    copy(copier);
    first += copier.rows();
  });
}

}  // namespace

World::World(const SimulationConfig& config, std::uint64_t seed)
    : World(EmptyState(config, seed)) {}

World::World(WorldState state) : state_(std::move(state)) {
  MEANDER_CHECK(Validate(state_.config, "").empty());
  state_.config = Normalized(state_.config);
  RebuildCaches(state_);
}

void World::UseSimd(SimdTarget target) {
  MEANDER_CHECK(CanRun(target));
  state_.kernels = &KernelsOf(target);
}

void World::Step(std::span<const AdmittedCommand> commands,
                 std::span<CommandOutcome> outcomes, ParallelFor& parallel) {
  StepWorld(state_, commands, outcomes, parallel);
}

void World::AdvanceEmpty(std::int64_t ticks) {
  MEANDER_CHECK(agent_count() == 0 && ticks >= 0);
  state_.tick += ticks;
  state_.events.clear();
}

std::int32_t World::archetype_count() const {
  return static_cast<std::int32_t>(state_.archetype_count());
}

float World::LargestNeighborRadius() const {
  float largest = 0.0f;
  ForEachArchetype(state_, [&largest](const Archetype& archetype) {
    for (const Term& term : archetype.terms) {
      const Neighborhood* around = NeighborhoodOf(term.behavior);
      if (around != nullptr) largest = std::max(largest, around->radius);
    }
  });
  return largest;
}

StateHash World::Hash(ParallelFor& parallel) const {
  return HashState(state_, parallel);
}

std::optional<AgentState> World::Find(AgentId id) const {
  const AgentLocation* found = state_.index.Find(id);
  if (found == nullptr) return std::nullopt;
  const Population& population = state_.populations[found->population];
  const AgentRow row = population.agents.Row(found->row);
  return AgentState{
      .id = row.id,
      .archetype_id = population.archetype.id,
      .position = row.position,
      .velocity = row.velocity,
      .seed = row.seed,
      .tag = row.tag,
      .step_count = state_.tick - row.spawn_tick + 1,
      .targets = row.targets,
      .groups = row.groups,
      .facing = row.facing,
      .wander_angle = RadiansFromTurn(row.wander.turn),
      .wander_elevation = row.wander.elevation,
      .wander_offset = row.wander.offset,
      .wander_heading = row.wander.heading,
  };
}

void World::CopyMotion(MotionColumns& out) const {
  SerialFor alone;
  CopyMotion(MotionDetail::kAll, out, alone);
}

void World::CopyMotion(MotionDetail detail, MotionColumns& out,
                       ParallelFor& parallel) const {
  const AgentIndex& index = state_.index;
  out.Resize(index.size(), detail);
  const auto copies =
      std::span(kFloatCopies)
          .first(detail == MotionDetail::kAll ? kFloatCopies.size()
                                              : kShownFloats);
  const std::size_t entries = index.entries();
  const std::size_t of_piece =
      std::max(kCopiedEntries, entries / kMostCopyPieces + 1);
  const std::size_t pieces = (entries + of_piece - 1) / of_piece;
  // Where each piece's agents begin.
  std::array<std::size_t, kMostCopyPieces> starts;
  std::size_t start = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    starts[piece] = start;
    start += index.CountLiving(piece * of_piece,
                               std::min((piece + 1) * of_piece, entries));
  }
  RunPieces(parallel, pieces, [&](std::size_t piece) {
    std::size_t first = starts[piece];
    index.ForEachRuns(piece * of_piece,
                      std::min((piece + 1) * of_piece, entries),
                      [&](std::span<const RowRun> runs) {
                        const RunCopier copier(state_, runs, first);
                        copier.CopyMotion(detail, copies, out);
                        first += copier.rows();
                      });
  });
}

void World::CopyCold(ColdColumns& out) const {
  using C = AgentColumns;
  out.Resize(state_.index.size());
  ForEachCopier(state_, [&out](const RunCopier& copier) {
    copier.CopyArchetypes(out.archetype_id);
    copier.Copy(&C::seed, out.seed);
    copier.Copy(&C::tag, out.tag);
    copier.Copy(&C::groups, out.groups);
    copier.Copy(&C::spawn_tick, out.spawn_tick);
    for (std::size_t slot = 0; slot < kTargetSlots; ++slot) {
      copier.CopyTargets(slot, out.targets);
    }
  });
  // Each in place of another, so that what is allocated for terms is kept.
  out.archetypes.resize(state_.archetype_count());
  std::size_t place = 0;
  ForEachArchetype(state_, [&](const Archetype& archetype) {
    out.archetypes[place++] = archetype;
  });
}

}  // namespace meander::core
