// A log that lives in memory: for worlds of durability NONE, and for tests.
//
// Holds what is pending and forgets what was collected. Bounded three ways: by
// records and bytes of one world, and by the bytes of all. Thread-safe; worlds
// do not wait for each other.
#ifndef MEANDER_SERVER_LOG_MEMORY_WORLD_LOG_H_
#define MEANDER_SERVER_LOG_MEMORY_WORLD_LOG_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/log/world_log.h"

namespace meander::log {

// What may be pending.
struct MemoryWorldLogLimits {
  std::size_t records_per_world = 65'536;
  std::size_t bytes_per_world = std::size_t{64} << 20;
  std::size_t bytes_total = std::size_t{1} << 30;
};

class MemoryWorldLog final : public WorldLog {
 public:
  explicit MemoryWorldLog(const MemoryWorldLogLimits& limits = {});
  ~MemoryWorldLog() override;

  std::optional<core::Error> CreateWorld(std::string_view uid) override;
  std::optional<core::Error> Append(std::string_view uid,
                                    std::span<LogRecord> records) override;
  void Collect(std::string_view uid, std::int64_t tick,
               std::vector<LogRecord>& out) override;
  void DeleteWorld(std::string_view uid) override;

  // Bytes of all pending records.
  std::size_t pending_bytes() const { return total_bytes_.load(); }

 private:
  struct WorldRecords;

  std::shared_ptr<WorldRecords> Find(std::string_view uid) const;
  bool ReserveTotal(std::size_t bytes);

  const MemoryWorldLogLimits limits_;
  std::atomic<std::size_t> total_bytes_{0};
  mutable std::shared_mutex mutex_;  // guards worlds_
  std::map<std::string, std::shared_ptr<WorldRecords>, std::less<>> worlds_;
};

}  // namespace meander::log

#endif  // MEANDER_SERVER_LOG_MEMORY_WORLD_LOG_H_
