#include "client_examples/meanderctl/frame_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace meander::ctl {
namespace {

constexpr std::size_t kBytesPerAgent = 28;

// Little-endian, at whatever address.
std::uint32_t Read32(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

}  // namespace

bool IsWhole(const v1::Frame& part) {
  return part.part_agent_count() >= 0 &&
         part.columns().size() ==
             kBytesPerAgent * static_cast<std::size_t>(part.part_agent_count());
}

std::vector<FrameRow> Rows(const v1::Frame& part, std::size_t limit) {
  const auto agents = static_cast<std::size_t>(part.part_agent_count());
  const auto column = [&](std::size_t which, std::size_t row) {
    return Read32(part.columns(), 4 * (which * agents + row));
  };
  std::vector<FrameRow> rows(std::min(agents, limit));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].id = part.id_base() + column(0, i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      rows[i].position[axis] = std::bit_cast<float>(column(1 + axis, i));
      rows[i].velocity[axis] = std::bit_cast<float>(column(4 + axis, i));
    }
  }
  return rows;
}

Table RowTable(const std::vector<FrameRow>& rows) {
  Table table({{"AGENT", true},
               {"X", true},
               {"Y", true},
               {"Z", true},
               {"VX", true},
               {"VY", true},
               {"VZ", true},
               {"SPEED", true}});
  for (const FrameRow& row : rows) {
    std::vector<std::string> cells = {std::to_string(row.id)};
    for (const auto& vector : {row.position, row.velocity}) {
      for (const float value : vector) {
        cells.push_back(Fixed(static_cast<double>(value), kDecimals));
      }
    }
    const auto& [x, y, z] = row.velocity;
    cells.push_back(Fixed(static_cast<double>(std::hypot(x, y, z)), kDecimals));
    table.Add(std::move(cells));
  }
  return table;
}

}  // namespace meander::ctl
