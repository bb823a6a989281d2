#include "client_examples/meanderctl/table.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace meander::ctl {
namespace {

std::string Pad(const std::string& cell, std::size_t width, bool right) {
  const std::string spaces(width - cell.size(), ' ');
  return right ? spaces + cell : cell + spaces;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::Add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::string> Table::Lines() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = columns_[i].title.size();
    for (const auto& row : rows_) width = std::max(width, row[i].size());
    widths.push_back(width);
  }
  const auto line = [&](const auto& cell) {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) text += "  ";
      text += Pad(cell(i), widths[i], columns_[i].right);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::vector<std::string> lines;
  lines.push_back(line([&](std::size_t i) { return columns_[i].title; }));
  for (const auto& row : rows_) {
    lines.push_back(line([&](std::size_t i) { return row[i]; }));
  }
  return lines;
}

std::string Fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string out = text;
  const bool zero = out.find_first_of("123456789in") == std::string::npos;
  if (zero && out.starts_with('-')) out.erase(0, 1);
  return out;
}

std::string Short(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string Point(const v1::Vec3& point) {
  return Short(static_cast<double>(point.x())) + ',' +
         Short(static_cast<double>(point.y())) + ',' +
         Short(static_cast<double>(point.z()));
}

std::string Hash(std::optional<std::uint64_t> hash) {
  if (!hash) return "-";
  char text[20];
  std::snprintf(text, sizeof text, "%016" PRIx64, *hash);
  return text;
}

std::string Bytes(double bytes) {
  constexpr std::array<const char*, 4> kUnits{"B", "kB", "MB", "GB"};
  std::size_t unit = 0;
  while (bytes >= 1000.0 && unit + 1 < kUnits.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return Fixed(bytes, unit == 0 ? 0 : 2) + ' ' + kUnits[unit];
}

}  // namespace meander::ctl
