#include "server/hosting/reader_queue.h"

#include <algorithm>
#include <utility>

namespace meander::hosting {
namespace {

// How many readers are answered at a time. The others wait until ticks that
// are due, and other worlds, have had their turn: answering takes time, too.
constexpr std::size_t kAnswersAtOnce = 16;

// For how long after a look every tick is published.
constexpr std::chrono::seconds kLookSpan{1};

}  // namespace

bool Serves(const stream::PublishedState& state, Detail detail) {
  return detail == Detail::kMotion ||
         (state.cold != nullptr && state.motion.complete());
}

void ReaderQueue::Look(Detail detail, std::chrono::nanoseconds now) {
  looked_until_ = now + kLookSpan;
  if (detail == Detail::kFull) looked_full_until_ = now + kLookSpan;
}

std::optional<Detail> ReaderQueue::LookAt(std::chrono::nanoseconds now) const {
  if (now < looked_full_until_ || AnyWantsFull()) return Detail::kFull;
  if (now < looked_until_ || !readers_.empty()) return Detail::kMotion;
  return std::nullopt;
}

void ReaderQueue::Add(Detail detail, ReadCallback done) {
  readers_.push_back({detail, std::move(done)});
}

bool ReaderQueue::AnyWantsFull() const {
  return std::any_of(
      readers_.begin(), readers_.end(),
      [](const Reader& reader) { return reader.detail == Detail::kFull; });
}

bool ReaderQueue::Answer(const stream::PublishedStateRef& state, Calls& calls) {
  if (!state) return false;
  bool more = false;
  std::size_t answered = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    const bool served = Serves(*state, readers_[i].detail);
    if (served && answered < kAnswersAtOnce) {
      ++answered;
      calls.emplace_back(
          [done = std::move(readers_[i].done), state] { done(state); });
      continue;
    }
    more = more || served;
    if (kept != i) readers_[kept] = std::move(readers_[i]);
    ++kept;
  }
  readers_.resize(kept);
  return more;
}

void ReaderQueue::FailAll(const core::Error& error, Calls& calls) {
  for (Reader& reader : readers_) {
    calls.emplace_back([done = std::move(reader.done), error] { done(error); });
  }
  readers_.clear();
}

}  // namespace meander::hosting
