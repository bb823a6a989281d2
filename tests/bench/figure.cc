#include "tests/bench/figure.h"

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace meander::bench {

void Fail(const std::string& what) {
  std::fprintf(stderr, "bench: %s\n", what.c_str());
  std::exit(1);
}

core::SimdTarget SimdInUse() {
  static const core::SimdTarget target = [] {
    constexpr char kVariable[] = "MEANDER_SIMD";
    const core::SimdChoice choice =
        core::ChooseSimdTarget(std::getenv(kVariable));
    if (!choice.refusal.empty()) {
      Fail(std::string(kVariable) + ": " + choice.refusal);
    }
    return choice.target;
  }();
  return target;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half]
                                : (values[half - 1] + values[half]) / 2.0;
}

std::array<double, 2> Quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto half = static_cast<std::ptrdiff_t>((values.size() + 1) / 2);
  return {Median({values.begin(), values.begin() + half}),
          Median({values.end() - half, values.end()})};
}

void Print(const Figure& figure) {
  std::printf("{\"bench\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"",
              figure.name.c_str(), figure.value, figure.unit.c_str());
  if (figure.baseline.empty()) {
    std::printf(", \"baseline\": null, \"ratio\": null");
  } else {
    std::printf(", \"baseline\": \"%s\", \"ratio\": %.4g",
                figure.baseline.c_str(), figure.ratio);
  }
  std::printf(", \"simd\": \"%s\"",
              std::string(core::NameOf(figure.simd)).c_str());
  if (figure.hash) {
    std::printf(", \"hash\": \"%016" PRIx64 "\"", *figure.hash);
  } else {
    std::printf(", \"hash\": null");
  }
  if (figure.tick > 0) std::printf(", \"tick\": %" PRId64, figure.tick);
  if (!figure.clock.empty()) {
    std::printf(", \"clock\": \"%s\"", figure.clock.c_str());
  }
  if (figure.quartiles) {
    std::printf(", \"quartiles\": [%.6g, %.6g]", figure.quartiles->front(),
                figure.quartiles->back());
  }
  if (figure.samples > 0) std::printf(", \"samples\": %d", figure.samples);
  std::printf("}\n");
  std::fflush(stdout);
}

}  // namespace meander::bench
