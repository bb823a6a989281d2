#include "tests/bench/bench_watcher.h"

#include "tests/bench/bench_client.h"

namespace meander::bench {

Watcher::Watcher(const std::string& server, const std::string& world)
    : channel_(Connect(server)), stub_(v1::StreamService::NewStub(channel_)) {
  request_.set_world(world);
  stub_->async()->WatchWorld(&context_, &request_, this);
  StartRead(&part_);
  StartCall();
}

Watcher::Counts Watcher::counts() {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::optional<grpc::Status> Watcher::end() {
  const std::lock_guard lock(mutex_);
  return end_;
}

void Watcher::Stop() {
  context_.TryCancel();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return end_.has_value(); });
}

void Watcher::OnReadDone(bool ok) {
  if (!ok) return;
  {
    const std::lock_guard lock(mutex_);
    ++counts_.messages;
    counts_.agents += part_.part_agent_count();
    counts_.skipped += part_.skipped();
    if (part_.part() + 1 == part_.parts()) {
      ++counts_.frames;
      counts_.tick = part_.tick();
      counts_.hash = part_.state_hash();
    }
  }
  StartRead(&part_);
}

void Watcher::OnDone(const grpc::Status& status) {
  const std::lock_guard lock(mutex_);
  end_ = status;
  ended_.notify_all();
}

}  // namespace meander::bench
