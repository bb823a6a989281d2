// Who looks at a world: readers that wait for a state, and who looked lately.
//
// While anybody looked within the last second every tick is published, so that
// a reader rarely waits. Answers are handed out as calls to be made with no
// lock held. Not thread-safe: guarded by its host.
#ifndef MEANDER_SERVER_HOSTING_READER_QUEUE_H_
#define MEANDER_SERVER_HOSTING_READER_QUEUE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/error.h"
#include "server/hosting/calls.h"
#include "server/hosting/state_publisher.h"
#include "server/stream/published_state.h"

namespace meander::hosting {

using ReadCallback =
    std::function<void(core::Result<stream::PublishedStateRef>)>;

// Whether a state has all that a reader needs.
bool Serves(const stream::PublishedState& state, Detail detail);

class ReaderQueue {
 public:
  // Somebody looks.
  void Look(Detail detail, std::chrono::nanoseconds now);
  // How those who looked lately look at `now`; none when nobody did.
  std::optional<Detail> LookAt(std::chrono::nanoseconds now) const;

  void Add(Detail detail, ReadCallback done);
  std::size_t size() const { return readers_.size(); }
  bool AnyWantsFull() const;

  // Answers a few of those that `state`, if any, serves. True when more could
  // be answered by it.
  bool Answer(const stream::PublishedStateRef& state, Calls& calls);

  void FailAll(const core::Error& error, Calls& calls);

 private:
  struct Reader {
    Detail detail;
    ReadCallback done;
  };

  std::vector<Reader> readers_;
  std::chrono::nanoseconds looked_until_{0};       // publish until then
  std::chrono::nanoseconds looked_full_until_{0};  // with all columns
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_READER_QUEUE_H_
