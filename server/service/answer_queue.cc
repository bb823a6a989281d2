#include "server/service/answer_queue.h"

#include <memory>

namespace meander::service {
namespace {

class Answer final : public stream::Delivery {
 public:
  explicit Answer(std::function<void()> answer) : answer_(std::move(answer)) {}

  void Deliver() override { answer_(); }

 private:
  std::function<void()> answer_;
};

}  // namespace

void AnswerQueue::Post(std::function<void()> answer) {
  threads_.Queue(std::make_shared<Answer>(std::move(answer)));
}

}  // namespace meander::service
