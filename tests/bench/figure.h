// Measured figures and how they are printed: what all benchmarks share.
#ifndef MEANDER_TESTS_BENCH_FIGURE_H_
#define MEANDER_TESTS_BENCH_FIGURE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/simd/simd_target.h"

namespace meander::bench {

// Ends the program with a message.
[[noreturn]] void Fail(const std::string& what);

// Whose kernels are measured: those that MEANDER_SIMD names, as a server does
// that is started with the same environment, else the fastest. Ends the
// program when there are none of that name.
core::SimdTarget SimdInUse();

double Median(std::vector<double> values);
// The medians of the lower and the upper half.
std::array<double, 2> Quartiles(std::vector<double> values);

// One measured figure. The hash, where states were computed, says that the
// answer was right: a figure beside a wrong one is not printed.
struct Figure {
  std::string name;
  double value = 0.0;
  std::string unit;
  std::optional<std::uint64_t> hash;
  std::string baseline;  // "" for none
  double ratio = 0.0;    // value over that of the baseline
  // Of the repetitions of which the value is the median, if it is one, and
  // their number.
  std::optional<std::array<double, 2>> quartiles = {};
  int samples = 0;
  std::string clock;      // what was read, where it is a time; "" else
  std::int64_t tick = 0;  // of the hash, where it is of a world; 0 else
  core::SimdTarget simd = SimdInUse();
};
// As a JSON object on a line.
void Print(const Figure& figure);

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_FIGURE_H_
