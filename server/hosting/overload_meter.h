// Whether a world keeps overrunning: one hiccup is none of an operator's
// business, a world that cannot keep its rate is.
//
// Looks at stretches of at least a second. A world is overloaded once more than
// one in ten of the periods of each of two stretches in a row slipped, until a
// stretch in which none did. Plain data; one thread at a time.
#ifndef MEANDER_SERVER_HOSTING_OVERLOAD_METER_H_
#define MEANDER_SERVER_HOSTING_OVERLOAD_METER_H_

#include <chrono>
#include <cstdint>

namespace meander::hosting {

class OverloadMeter {
 public:
  explicit OverloadMeter(std::chrono::nanoseconds now) : since_(now) {}

  // How many ticks were taken and how many slipped until `now`, since the
  // beginning.
  void Note(std::chrono::nanoseconds now, std::int64_t taken,
            std::int64_t slipped) {
    if (now - since_ < kStretch) return;
    const std::int64_t slips = slipped - slipped_;
    const std::int64_t periods = taken - taken_ + slips;
    const bool bad = slips * kTolerated > periods;
    if (bad && was_bad_) overloaded_ = true;
    if (slips == 0) overloaded_ = false;
    was_bad_ = bad;
    since_ = now;
    taken_ = taken;
    slipped_ = slipped;
  }

  bool overloaded() const { return overloaded_; }

 private:
  static constexpr std::chrono::seconds kStretch{1};
  static constexpr std::int64_t kTolerated = 10;  // one in so many

  std::chrono::nanoseconds since_;
  std::int64_t taken_ = 0;
  std::int64_t slipped_ = 0;
  bool was_bad_ = false;
  bool overloaded_ = false;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_OVERLOAD_METER_H_
