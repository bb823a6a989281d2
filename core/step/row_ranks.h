// Where in memory agents would be if all rows were in canonical order: what is
// far from there, and bringing all of them there.
//
// Made for one tick, of the grid as it is; in pieces that do not depend on the
// number of threads. Its memory is kept in AllRowsOrder. One world, one caller.
#ifndef MEANDER_CORE_STEP_ROW_RANKS_H_
#define MEANDER_CORE_STEP_ROW_RANKS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel_for.h"
#include "core/world_state.h"

namespace meander::core {

class RowRanks {
 public:
  RowRanks(WorldState& state, ParallelFor& parallel);

  // How many agents are further than that from their rank, in rows.
  std::size_t CountAway(std::int64_t rows);
  // The first of these, at most `most`, as ascending places in the grid.
  // Precondition: CountAway.
  void ListAway(std::int64_t rows, std::size_t most,
                std::vector<std::uint32_t>& places);
  // Gives every agent the row of its rank; locations follow.
  void OrderAll();

 private:
  template <typename Function>
  void ForEachAgent(std::size_t piece, Function function);
  template <typename Function>
  void ForEachAway(std::size_t piece, std::int64_t rows, Function function);
  void OrderPopulation(std::uint32_t population, std::size_t first);

  WorldState& state_;
  ParallelFor& parallel_;
  AllRowsOrder& order_;
  const std::size_t populations_;
  const std::size_t pieces_;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_STEP_ROW_RANKS_H_
