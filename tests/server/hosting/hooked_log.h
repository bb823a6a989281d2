// A log in memory with an ear for the steps that ask it.
#ifndef MEANDER_TESTS_SERVER_HOSTING_HOOKED_LOG_H_
#define MEANDER_TESTS_SERVER_HOSTING_HOOKED_LOG_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "server/log/memory_world_log.h"

namespace meander::hosting {

// A log that tells when a step collects, from within its turn.
class HookedLog final : public log::WorldLog {
 public:
  // Set before anything can collect.
  std::function<void(std::string_view uid, std::int64_t tick)> on_collect;

  std::optional<core::Error> CreateWorld(std::string_view uid) override {
    return log_.CreateWorld(uid);
  }
  std::optional<core::Error> Append(
      std::string_view uid, std::span<log::LogRecord> records) override {
    return log_.Append(uid, records);
  }
  void Collect(std::string_view uid, std::int64_t tick,
               std::vector<log::LogRecord>& out) override {
    if (on_collect) on_collect(uid, tick);
    log_.Collect(uid, tick, out);
  }
  void DeleteWorld(std::string_view uid) override { log_.DeleteWorld(uid); }

  std::size_t pending_bytes() const { return log_.pending_bytes(); }

 private:
  log::MemoryWorldLog log_;
};

}  // namespace meander::hosting

#endif  // MEANDER_TESTS_SERVER_HOSTING_HOOKED_LOG_H_
