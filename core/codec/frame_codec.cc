#include "core/codec/frame_codec.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "core/codec/byte_io.h"

namespace meander::core {

std::vector<FramePart> SplitIntoParts(const MotionColumns& motion,
                                      std::size_t max_rows) {
  constexpr AgentId kWidestSpan = std::numeric_limits<std::uint32_t>::max();
  std::vector<FramePart> parts;
  std::size_t first = 0;
  while (first < motion.size()) {
    const AgentId base = motion.id[first];
    const auto begin = motion.id.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t most = std::min(max_rows, motion.size() - first);
    const auto end = std::upper_bound(
        begin, begin + static_cast<std::ptrdiff_t>(most), kWidestSpan,
        [base](AgentId span, AgentId id) { return span < id - base; });
    const auto rows = static_cast<std::size_t>(end - begin);
    parts.push_back({first, rows, base});
    first += rows;
  }
  if (parts.empty()) parts.emplace_back();
  return parts;
}

void EncodeColumns(const MotionColumns& motion, const FramePart& part,
                   std::string& bytes) {
  bytes.reserve(bytes.size() + part.rows * kColumnsBytesPerAgent);
  ByteWriter out(bytes);
  for (std::size_t i = 0; i < part.rows; ++i) {
    out.Put(static_cast<std::uint32_t>(motion.id[part.first_row + i] -
                                       part.id_base));
  }
  const std::array<const std::vector<float>*, 6> columns{
      &motion.position_x, &motion.position_y, &motion.position_z,
      &motion.velocity_x, &motion.velocity_y, &motion.velocity_z};
  for (const std::vector<float>* column : columns) {
    out.PutAll(
        std::span<const float>(*column).subspan(part.first_row, part.rows));
  }
}

}  // namespace meander::core
