// The agents of a frame: frame.proto has the layout of its columns. Pure
// functions.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FRAME_ROWS_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FRAME_ROWS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "client_examples/meanderctl/table.h"
#include "meander/v1/frame.pb.h"

namespace meander::ctl {

struct FrameRow {
  std::int64_t id = 0;
  std::array<float, 3> position{};  // units
  std::array<float, 3> velocity{};  // units per second
};

// Whether the columns are as long as the part says.
bool IsWhole(const v1::Frame& part);

// The first agents of a whole part, at most so many.
std::vector<FrameRow> Rows(const v1::Frame& part, std::size_t limit);

Table RowTable(const std::vector<FrameRow>& rows);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_FRAME_ROWS_H_
