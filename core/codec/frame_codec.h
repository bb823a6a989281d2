// The COLUMNS encoding of frames: 28 bytes an agent, for simple clients.
//
//   columns := u32 id - id_base, f32 position_x, position_y, position_z,
//              f32 velocity_x, velocity_y, velocity_z, each n times,
//              little-endian, agents in ascending order of id
//
// A part is a run of rows whose ids span less than 2^32 and whose bytes stay
// within a limit. Pure functions.
#ifndef MEANDER_CORE_CODEC_FRAME_CODEC_H_
#define MEANDER_CORE_CODEC_FRAME_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/agent_state.h"

namespace meander::core {

inline constexpr std::size_t kColumnsBytesPerAgent = 28;

// Rows [first_row, first_row + rows) of the columns. id_base is the id of the
// first row, 0 when there is none.
struct FramePart {
  std::size_t first_row = 0;
  std::size_t rows = 0;
  AgentId id_base = 0;

  bool operator==(const FramePart&) const = default;
};

// Cuts all rows into parts of at most max_rows (at least 1) rows. At least one
// part, empty when there are no agents.
std::vector<FramePart> SplitIntoParts(const MotionColumns& motion,
                                      std::size_t max_rows);

// Appends the columns of one part.
void EncodeColumns(const MotionColumns& motion, const FramePart& part,
                   std::string& out);

}  // namespace meander::core

#endif  // MEANDER_CORE_CODEC_FRAME_CODEC_H_
