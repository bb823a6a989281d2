// Rows of one population, one behind the other, whose agents follow each other
// in ascending order of id too: what can be copied at once. Plain data.
#ifndef MEANDER_CORE_AGENTS_ROW_RUN_H_
#define MEANDER_CORE_AGENTS_ROW_RUN_H_

#include <cstdint>

namespace meander::core {

struct RowRun {
  std::uint32_t population = 0;
  std::uint32_t first_row = 0;
  std::uint32_t rows = 0;
};

}  // namespace meander::core

#endif  // MEANDER_CORE_AGENTS_ROW_RUN_H_
