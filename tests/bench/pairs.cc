#include "tests/bench/pairs.h"

#include <ctime>
#include <utility>

namespace meander::bench {
namespace {

double Read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e9 +
         static_cast<double>(now.tv_nsec);
}

double By(Clock clock, const Times& times) {
  switch (clock) {
    case Clock::kThreadCpu:
      return times.thread_cpu;
    case Clock::kProcessCpu:
      return times.process_cpu;
    case Clock::kWall:
      break;
  }
  return times.wall;
}

std::string NameOf(Clock clock) {
  switch (clock) {
    case Clock::kThreadCpu:
      return "thread CPU";
    case Clock::kProcessCpu:
      return "process CPU";
    case Clock::kWall:
      break;
  }
  return "wall";
}

Figure OfValues(std::string name, std::string unit, Clock clock,
                const std::vector<double>& values) {
  Figure figure;
  figure.name = std::move(name);
  figure.unit = std::move(unit);
  figure.clock = NameOf(clock);
  figure.value = Median(values);
  figure.quartiles = Quartiles(values);
  figure.samples = static_cast<int>(values.size());
  return figure;
}

}  // namespace

Times Now() {
  return {Read(CLOCK_THREAD_CPUTIME_ID), Read(CLOCK_PROCESS_CPUTIME_ID),
          Read(CLOCK_MONOTONIC)};
}

Times operator+(const Times& a, const Times& b) {
  return {a.thread_cpu + b.thread_cpu, a.process_cpu + b.process_cpu,
          a.wall + b.wall};
}

Times operator-(const Times& a, const Times& b) {
  return {a.thread_cpu - b.thread_cpu, a.process_cpu - b.process_cpu,
          a.wall - b.wall};
}

Times operator/(const Times& times, double parts) {
  return {times.thread_cpu / parts, times.process_cpu / parts,
          times.wall / parts};
}

void Pairs::AddPair() {
  Pair pair;
  const bool subject_first = pairs_.size() % 2 == 1;
  if (subject_first) pair.subject = subject_();
  pair.baseline = baseline_();
  if (!subject_first) pair.subject = subject_();
  pairs_.push_back(pair);
}

std::vector<double> Pairs::Ratios(Clock clock) const {
  std::vector<double> ratios;
  for (const Pair& pair : pairs_) {
    ratios.push_back(By(clock, pair.subject) / By(clock, pair.baseline));
  }
  return ratios;
}

Figure Pairs::OfSubject(std::string name, std::string unit, Clock clock,
                        std::string baseline) const {
  std::vector<double> values;
  for (const Pair& pair : pairs_) values.push_back(By(clock, pair.subject));
  Figure figure = OfValues(std::move(name), std::move(unit), clock, values);
  figure.baseline = std::move(baseline);
  figure.ratio = Median(Ratios(clock));
  return figure;
}

Figure Pairs::OfBaseline(std::string name, std::string unit,
                         Clock clock) const {
  std::vector<double> values;
  for (const Pair& pair : pairs_) values.push_back(By(clock, pair.baseline));
  return OfValues(std::move(name), std::move(unit), clock, values);
}

Figure Pairs::SubjectOverBaseline(std::string name, Clock clock,
                                  std::string baseline) const {
  Figure figure = OfValues(std::move(name), "x", clock, Ratios(clock));
  figure.baseline = std::move(baseline);
  figure.ratio = figure.value;
  return figure;
}

Figure Pairs::BaselineOverSubject(std::string name, Clock clock,
                                  std::string baseline) const {
  std::vector<double> inverse = Ratios(clock);
  for (double& ratio : inverse) ratio = 1.0 / ratio;
  Figure figure = OfValues(std::move(name), "x", clock, inverse);
  figure.baseline = std::move(baseline);
  figure.ratio = figure.value;
  return figure;
}

Figure OfSamples(std::string name, std::string unit,
                 const std::vector<Times>& samples) {
  std::vector<double> values;
  for (const Times& times : samples) values.push_back(times.thread_cpu);
  return OfValues(std::move(name), std::move(unit), Clock::kThreadCpu, values);
}

}  // namespace meander::bench
