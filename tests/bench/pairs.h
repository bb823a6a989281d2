// Two kinds of work measured in turns, A B B A, so that a machine that grows
// slower or faster meanwhile does so to both.
#ifndef MEANDER_TESTS_BENCH_PAIRS_H_
#define MEANDER_TESTS_BENCH_PAIRS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/figure.h"

namespace meander::bench {

// The thread's own and the whole process's CPU time, and that of the wall.
// Nanoseconds: since some moment, or of a span.
struct Times {
  double thread_cpu = 0.0;
  double process_cpu = 0.0;
  double wall = 0.0;
};
Times Now();
Times operator+(const Times& a, const Times& b);
Times operator-(const Times& a, const Times& b);
Times operator/(const Times& times, double parts);

enum class Clock : std::uint8_t { kThreadCpu, kProcessCpu, kWall };

// Does a piece of work and tells what one unit of it took.
using Sample = std::function<Times()>;

// What `work` takes, for one of `units`.
template <typename Work>
Times Measured(double units, Work work) {
  const Times start = Now();
  work();
  return (Now() - start) / units;
}

class Pairs {
 public:
  Pairs(Sample baseline, Sample subject)
      : baseline_(std::move(baseline)), subject_(std::move(subject)) {}

  // Each of the two once. The order turns round from call to call.
  void AddPair();

  // The subject by that clock, and its ratio to the baseline: medians.
  Figure OfSubject(std::string name, std::string unit, Clock clock,
                   std::string baseline) const;
  Figure OfBaseline(std::string name, std::string unit, Clock clock) const;
  // How many times longer the one took than the other: in "x".
  Figure SubjectOverBaseline(std::string name, Clock clock,
                             std::string baseline) const;
  Figure BaselineOverSubject(std::string name, Clock clock,
                             std::string baseline) const;

 private:
  struct Pair {
    Times baseline;
    Times subject;
  };

  std::vector<double> Ratios(Clock clock) const;

  Sample baseline_;
  Sample subject_;
  std::vector<Pair> pairs_;
};

// The median of samples by the thread's clock, without a baseline.
Figure OfSamples(std::string name, std::string unit,
                 const std::vector<Times>& samples);

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_PAIRS_H_
