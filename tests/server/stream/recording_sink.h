// A sink whose writes end when the test says so, and that checks what every
// sink is promised. Thread-safe.
#ifndef MEANDER_TESTS_SERVER_STREAM_RECORDING_SINK_H_
#define MEANDER_TESTS_SERVER_STREAM_RECORDING_SINK_H_

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "server/stream/subscription.h"

namespace meander::stream {

struct Written {
  std::int64_t tick = 0;
  std::size_t part = 0;
  std::int64_t skipped = 0;
  FrameEvents events = {};

  bool operator==(const Written&) const = default;
};

class RecordingSink final : public FrameSink {
 public:
  enum class Writes { kStall, kEndAtOnce };

  explicit RecordingSink(const View& view = {}, Writes writes = Writes::kStall)
      : subscription_(std::make_shared<Subscription>(view, *this)),
        writes_(writes) {}

  const std::shared_ptr<Subscription>& subscription() { return subscription_; }

  void Write(std::shared_ptr<const EncodedFrame> frame, std::size_t part,
             const OwnFields& own) override {
    {
      const std::lock_guard lock(mutex_);
      EXPECT_FALSE(in_flight_) << "two writes in flight";
      EXPECT_EQ(finishes_, 0) << "a write after Finish";
      in_flight_ = true;
      written_.push_back({frame->tick, part, own.skipped, own.events});
      frame_ = std::move(frame);
      changed_.notify_all();
    }
    if (writes_ == Writes::kEndAtOnce) EndWrite();
  }

  void Finish(std::optional<core::Error> error) override {
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(in_flight_) << "Finish during a write";
    ++finishes_;
    error_ = std::move(error);
    changed_.notify_all();  // under the lock: the sink may go right after it
  }

  // Ends the write in flight.
  void EndWrite(bool ok = true) {
    {
      const std::lock_guard lock(mutex_);
      ASSERT_TRUE(in_flight_);
      in_flight_ = false;
      frame_.reset();
    }
    subscription_->WriteDone(ok);
  }

  // Waits until so many parts were written.
  void AwaitWrites(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return written_.size() >= count; });
  }
  void AwaitFinish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finishes_ > 0; });
  }

  std::vector<Written> written() const {
    const std::lock_guard lock(mutex_);
    return written_;
  }
  bool in_flight() const {
    const std::lock_guard lock(mutex_);
    return in_flight_;
  }
  int finishes() const {
    const std::lock_guard lock(mutex_);
    return finishes_;
  }
  std::optional<core::Error> error() const {
    const std::lock_guard lock(mutex_);
    return error_;
  }
  // Of the write in flight.
  std::shared_ptr<const EncodedFrame> frame() const {
    const std::lock_guard lock(mutex_);
    return frame_;
  }

 private:
  const std::shared_ptr<Subscription> subscription_;
  const Writes writes_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  bool in_flight_ = false;
  std::vector<Written> written_;
  std::shared_ptr<const EncodedFrame> frame_;
  int finishes_ = 0;
  std::optional<core::Error> error_;
};

}  // namespace meander::stream

#endif  // MEANDER_TESTS_SERVER_STREAM_RECORDING_SINK_H_
