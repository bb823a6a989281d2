// Who takes calls now, and who wants to know.
//
// A server is healthy from the beginning until it drains. A watcher is told
// the status when it is added; when the server drains it is told NOT_SERVING
// and ended. Thread-safe; watchers are called with no lock held.
#ifndef MEANDER_SERVER_SERVICE_HEALTH_BOARD_H_
#define MEANDER_SERVER_SERVICE_HEALTH_BOARD_H_

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meander::service {

enum class Health { kServing, kNotServing, kUnknownService };
// Why a watching call ends.
enum class WatchEnd { kReaderGone, kDrained };

// The state of one watching call: what it was told, and how it ends.
//
//   idle -> writing -> idle ... -> finished
//
// Invariants: one write in flight at most, Finish once and last, and a status
// that was told before the end is written before it. Thread-safe; the sink is
// called with no lock held.
class HealthWatcher {
 public:
  class Sink {
   public:
    virtual ~Sink() = default;
    // Starts a write; WriteDone must follow.
    virtual void Write(Health health) = 0;
    // The last call: the sink may be gone before it returns.
    virtual void Finish(WatchEnd end) = 0;
  };

  // `sink` must live until its Finish is called.
  explicit HealthWatcher(Sink& sink) : sink_(sink) {}
  HealthWatcher(const HealthWatcher&) = delete;
  HealthWatcher& operator=(const HealthWatcher&) = delete;

  void Tell(Health health);
  // Tells a last status and ends it once that is written.
  void Drain(Health health);
  // Not `ok`: the reader is gone.
  void WriteDone(bool ok);
  // Ends it without what is not yet written.
  void Cancel();

 private:
  using Lock = std::unique_lock<std::mutex>;
  void Advance(Lock lock);

  Sink& sink_;
  std::mutex mutex_;  // guards all below
  std::optional<Health> told_, written_;
  bool drained_ = false;
  bool gone_ = false;
  bool writing_ = false;
  bool finished_ = false;
};

class HealthBoard {
 public:
  // `services` by their full names; "" for the server is added.
  explicit HealthBoard(std::vector<std::string> services);

  Health Check(std::string_view service) const;

  void Add(std::string_view service,
           const std::shared_ptr<HealthWatcher>& watcher);
  void Remove(const std::shared_ptr<HealthWatcher>& watcher);

  // NOT_SERVING from now on. Ends all watchers, those to come too.
  void Drain();

 private:
  bool Knows(std::string_view service) const {
    return services_.find(service) != services_.end();
  }

  const std::set<std::string, std::less<>> services_;
  mutable std::mutex mutex_;  // guards all below
  // Watchers, and whether each asks for a service that the server has.
  std::map<std::shared_ptr<HealthWatcher>, bool> watchers_;
  bool drained_ = false;
};

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_HEALTH_BOARD_H_
