// A client that watches a world, and counts what it is shown.
//
// Thread-safe.
#ifndef MEANDER_TESTS_BENCH_BENCH_WATCHER_H_
#define MEANDER_TESTS_BENCH_BENCH_WATCHER_H_

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "meander/v1/stream_service.grpc.pb.h"

namespace meander::bench {

// One reader with a connection of its own. Must have been stopped before it is
// destroyed.
class Watcher final : public grpc::ClientReadReactor<v1::Frame> {
 public:
  Watcher(const std::string& server, const std::string& world);

  struct Counts {
    std::int64_t frames = 0;
    std::int64_t messages = 0;
    std::int64_t agents = 0;   // of all messages
    std::int64_t skipped = 0;  // frames that were left out
    std::int64_t tick = 0;     // of the newest frame, with its hash
    std::uint64_t hash = 0;
  };
  Counts counts();
  // How the call has ended, once it has.
  std::optional<grpc::Status> end();

  // Ends the call, and returns when it is over.
  void Stop();

 private:
  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::StreamService::Stub> stub_;
  grpc::ClientContext context_;
  v1::WatchWorldRequest request_;
  v1::Frame part_;
  std::mutex mutex_;  // guards all below
  std::condition_variable ended_;
  Counts counts_;
  std::optional<grpc::Status> end_;
};

}  // namespace meander::bench

#endif  // MEANDER_TESTS_BENCH_BENCH_WATCHER_H_
