// Text in columns: what a person reads.
//
// Columns are as wide as their widest cell; numbers stand to the right. Cells
// are plain ASCII. Single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_TABLE_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meander/v1/vector.pb.h"

namespace meander::ctl {

struct Column {
  std::string title;
  bool right = false;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);

  // As many cells as there are columns.
  void Add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  // One string for each line, the titles first.
  std::vector<std::string> Lines() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// "%.*f", without a minus before zeros.
std::string Fixed(double value, int decimals);
// Of positions, velocities and angles.
inline constexpr int kDecimals = 2;
// The shortest digits that say the same.
std::string Short(double value);
// "1,2.5,3".
std::string Point(const v1::Vec3& point);
// A state hash, 16 hexadecimal digits; "-" where there is none.
std::string Hash(std::optional<std::uint64_t> hash);
// "12.3 MB".
std::string Bytes(double bytes);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_TABLE_H_
