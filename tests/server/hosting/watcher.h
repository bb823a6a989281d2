// A reader of frames that tests can ask what it was given.
#ifndef MEANDER_TESTS_SERVER_HOSTING_WATCHER_H_
#define MEANDER_TESTS_SERVER_HOSTING_WATCHER_H_

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/agent_state.h"
#include "core/error.h"
#include "server/stream/subscription.h"

namespace meander::hosting {

// Raw bytes of the columns that watchers see.
inline std::string MotionBytes(const core::MotionColumns& motion) {
  std::string bytes;
  const auto add = [&bytes](const auto& column) {
    const auto raw = std::as_bytes(std::span(column));
    bytes.append(reinterpret_cast<const char*>(raw.data()), raw.size());
  };
  add(motion.id);
  for (const auto* column :
       {&motion.position_x, &motion.position_y, &motion.position_z,
        &motion.velocity_x, &motion.velocity_y, &motion.velocity_z}) {
    add(*column);
  }
  return bytes;
}

// A watcher that takes every frame at once, or only when it is told.
class Watcher final : public stream::FrameSink {
 public:
  struct Seen {
    std::int64_t tick = 0;
    std::int64_t skipped = 0;
    std::string bytes;
    stream::FrameEvents events = {};
  };

  explicit Watcher(std::int32_t interval_ticks = 1, bool stalled = false,
                   bool events = false)
      : subscription_(std::make_shared<stream::Subscription>(
            stream::View{interval_ticks, events}, *this)),
        stalled_(stalled) {}

  const std::shared_ptr<stream::Subscription>& subscription() const {
    return subscription_;
  }

  void Write(std::shared_ptr<const stream::EncodedFrame> frame, std::size_t,
             const stream::OwnFields& own) override {
    {
      const std::lock_guard lock(mutex_);
      last_tick_ = frame->tick;
      if (keep_)
        seen_.push_back(
            {frame->tick, own.skipped, frame->parts.at(0), own.events});
      changed_.notify_all();
    }
    if (!stalled_) subscription_->WriteDone(true);
  }

  void Finish(std::optional<core::Error> error) override {
    const std::lock_guard lock(mutex_);
    ++finishes_;
    error_ = std::move(error);
    changed_.notify_all();
  }

  // Forgets frames from now on but for their ticks.
  void StopKeeping() {
    const std::lock_guard lock(mutex_);
    keep_ = false;
  }

  void AwaitTick(std::int64_t tick) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return last_tick_ >= tick; });
  }
  std::optional<core::Error> AwaitFinish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finishes_ > 0; });
    EXPECT_EQ(finishes_, 1);
    return error_;
  }
  std::vector<Seen> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  const std::shared_ptr<stream::Subscription> subscription_;
  const bool stalled_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<Seen> seen_;
  bool keep_ = true;
  std::int64_t last_tick_ = -1;
  int finishes_ = 0;
  std::optional<core::Error> error_;
};

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_WATCHER_H_
