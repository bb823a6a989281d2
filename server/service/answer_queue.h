// Takes the answers that worlds give off the threads that step them.
//
// Serializing an answer and sending it costs tens of microseconds inside the
// thread that does it; a world that has just ticked must not pay that for each
// of its readers. First come, first served on threads of its own. Thread-safe.
#ifndef MEANDER_SERVER_SERVICE_ANSWER_QUEUE_H_
#define MEANDER_SERVER_SERVICE_ANSWER_QUEUE_H_

#include <cstddef>
#include <functional>
#include <thread>
#include <utility>

#include "server/stream/broadcaster.h"

namespace meander::service {

class AnswerQueue {
 public:
  explicit AnswerQueue(std::size_t threads = 1) : threads_(threads) {}

  void Post(std::function<void()> answer);

  // A callback that takes a Result from a world, good for one call: called by
  // the thread that made it, while it still asks, it answers at once; called by
  // any other thread, from the queue.
  template <typename Result, typename Answer>
  std::function<void(Result)> OffWorker(Answer answer) {
    return [this, asker = std::this_thread::get_id(),
            answer = std::move(answer)](Result result) mutable {
      if (std::this_thread::get_id() == asker) return answer(std::move(result));
      Post([answer = std::move(answer), result = std::move(result)]() mutable {
        answer(std::move(result));
      });
    };
  }

 private:
  stream::Broadcaster threads_;
};

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_ANSWER_QUEUE_H_
