// The answers of requests that came with a request id, for when they come
// again.
//
// A key is kept for an hour, and no longer than the limits allow: the oldest go
// first, the newest stays whatever its size. An id names one payload; with
// another one it is refused. Answers are copied in and out, so they should be
// small. A book that nobody uses holds no memory of its own. Thread-safe.
#ifndef MEANDER_SERVER_HOSTING_REQUEST_BOOK_H_
#define MEANDER_SERVER_HOSTING_REQUEST_BOOK_H_

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/error.h"
#include "server/hosting/clock.h"
#include "server/hosting/limits.h"

namespace meander::hosting {

// The methods that take a request id; each has ids of its own.
enum class KeyedMethod : std::uint8_t {
  kCreateWorld,
  kStepWorld,
  kSubmitCommands,
};

struct RequestId {
  KeyedMethod method = KeyedMethod::kSubmitCommands;
  std::array<std::uint8_t, 16> uuid{};

  auto operator<=>(const RequestId&) const = default;
};

struct RequestKey {
  RequestId id;
  std::uint64_t fingerprint = 0;  // of everything else in the request
};

template <typename Answer>
class RequestBook {
 public:
  static constexpr std::chrono::hours kKeptFor{1};

  // Both outlive the book.
  RequestBook(const Limits& limits, Clock& clock)
      : limits_(limits), clock_(clock) {}

  // The answer kept under the key, if any. kRequestIdReused, with the field
  // "request_id", when the id came with another payload.
  core::Result<std::optional<Answer>> Find(const RequestKey& key) {
    const std::lock_guard lock(mutex_);
    DropOld();
    const auto found = entries_.find(key.id);
    if (found == entries_.end()) return std::optional<Answer>();
    if (found->second.fingerprint != key.fingerprint) {
      return core::Error{core::ErrorCode::kRequestIdReused, "request_id",
                         "came before with another payload"};
    }
    return std::optional<Answer>(found->second.answer);
  }

  // Keeps the answer, from now on, in place of the one that was kept under the
  // key. `bytes` is what it holds beside itself.
  void Keep(const RequestKey& key, Answer answer, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    DropOld();
    const auto before = entries_.find(key.id);
    if (before != entries_.end()) Drop(before);
    bytes += kEntryBytes;
    entries_.emplace(key.id, Entry{.fingerprint = key.fingerprint,
                                   .kept_at = clock_.Now(),
                                   .bytes = bytes,
                                   .place = ages_.insert(ages_.end(), key.id),
                                   .answer = std::move(answer)});
    bytes_ += bytes;
    while (entries_.size() > 1 && (entries_.size() > limits_.max_kept_answers ||
                                   bytes_ > limits_.max_kept_answer_bytes)) {
      Drop(Oldest());
    }
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }
  // What the entries take.
  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  struct Entry {
    std::uint64_t fingerprint;
    std::chrono::nanoseconds kept_at;
    std::size_t bytes;
    std::list<RequestId>::iterator place;  // among the ages
    Answer answer;
  };
  using Entries = std::map<RequestId, Entry>;

  // An entry, with the nodes of the map and of the list.
  static constexpr std::size_t kEntryBytes =
      sizeof(Entry) + 2 * sizeof(RequestId) + 64;

  typename Entries::iterator Oldest() { return entries_.find(ages_.front()); }
  void DropOld() {
    const std::chrono::nanoseconds now = clock_.Now();
    while (!ages_.empty() && now - Oldest()->second.kept_at >= kKeptFor) {
      Drop(Oldest());
    }
  }
  void Drop(typename Entries::iterator entry) {
    bytes_ -= entry->second.bytes;
    ages_.erase(entry->second.place);
    entries_.erase(entry);
  }

  const Limits& limits_;
  Clock& clock_;
  mutable std::mutex mutex_;  // guards all below
  Entries entries_;
  std::list<RequestId> ages_;  // the oldest first
  std::size_t bytes_ = 0;
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_REQUEST_BOOK_H_
