// A drawing of dots on a terminal: eight in each cell, as Braille letters.
//
// Dots are counted from 0 at the upper left; a cell is two wide and four high.
// What lies outside is left out. A cell has one color, that of its latest dot.
// Plain data and pure functions; single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_SCENES_BRAILLE_CANVAS_H_
#define MEANDER_CLIENT_EXAMPLES_SCENES_BRAILLE_CANVAS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client_examples/scenes/camera.h"

namespace meander::scenes {

// The number in ESC [ ... m.
using TerminalColor = int;

class BrailleCanvas {
 public:
  static constexpr std::size_t kDotsAcross = 2;
  static constexpr std::size_t kDotsDown = 4;

  BrailleCanvas(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), cells_(columns * rows) {}

  // In dots.
  double width() const { return static_cast<double>(columns_ * kDotsAcross); }
  double height() const { return static_cast<double>(rows_ * kDotsDown); }

  // The dot that the spot lies in; NaN lies nowhere.
  void Dot(const Spot& spot, TerminalColor color);
  void Circle(const Spot& center, double radius, TerminalColor color);

  // A string for each row, one letter for each column; with colors also their
  // sequences.
  std::vector<std::string> Lines(bool colors) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;
    TerminalColor color = 0;
  };

  std::size_t columns_;
  std::size_t rows_;
  std::vector<Cell> cells_;
};

}  // namespace meander::scenes

#endif  // MEANDER_CLIENT_EXAMPLES_SCENES_BRAILLE_CANVAS_H_
