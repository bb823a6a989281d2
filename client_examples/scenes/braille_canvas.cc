#include "client_examples/scenes/braille_canvas.h"

#include <cmath>

namespace meander::scenes {
namespace {

// Unicode counts the dots of the six-dot letters first, column by column.
constexpr std::uint8_t
    kBits[BrailleCanvas::kDotsDown][BrailleCanvas::kDotsAcross] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

// U+2800 and the dots, in UTF-8.
void AppendLetter(std::uint8_t dots, std::string& out) {
  out += '\xe2';
  out += static_cast<char>(0xa0 | dots >> 6);
  out += static_cast<char>(0x80 | (dots & 0x3f));
}

}  // namespace

void BrailleCanvas::Dot(const Spot& spot, TerminalColor color) {
  if (!(spot.x >= 0.0 && spot.x < width() && spot.y >= 0.0 &&
        spot.y < height())) {
    return;
  }
  const auto x = static_cast<std::size_t>(spot.x);
  const auto y = static_cast<std::size_t>(spot.y);
  Cell& cell = cells_[y / kDotsDown * columns_ + x / kDotsAcross];
  cell.dots |= kBits[y % kDotsDown][x % kDotsAcross];
  cell.color = color;
}

void BrailleCanvas::Circle(const Spot& center, double radius,
                           TerminalColor color) {
  constexpr double kTurn = 6.283185307179586;
  // Dots that touch, but for large ones, of which little is seen.
  const double most = 4.0 * (width() + height());
  const int dots =
      1 + static_cast<int>(std::fmin(kTurn * std::fabs(radius), most));
  for (int i = 0; i < dots; ++i) {
    const double angle = kTurn * i / dots;
    Dot({center.x + radius * std::cos(angle),
         center.y + radius * std::sin(angle)},
        color);
  }
}

std::vector<std::string> BrailleCanvas::Lines(bool colors) const {
  std::vector<std::string> lines(rows_);
  for (std::size_t row = 0; row < rows_; ++row) {
    TerminalColor now = 0;
    for (std::size_t column = 0; column < columns_; ++column) {
      const Cell& cell = cells_[row * columns_ + column];
      if (cell.dots == 0) {
        lines[row] += ' ';
        continue;
      }
      if (colors && cell.color != now) {
        lines[row] += "\x1b[" + std::to_string(cell.color) + 'm';
        now = cell.color;
      }
      AppendLetter(cell.dots, lines[row]);
    }
    if (now != 0) lines[row] += "\x1b[m";
  }
  return lines;
}

}  // namespace meander::scenes
