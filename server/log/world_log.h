// Where the admitted commands of worlds are kept: a world is its config, its
// seed and this log.
//
// A command is admitted when its record is appended, and a step applies what
// the log hands back for its tick: what was logged is what runs. Records of a
// world are appended in ascending sequence and collected tick by tick, in
// ascending tick; between the two they are pending, and the log is their only
// holder. Every store keeps pending records in memory, so that Collect waits
// for no disk. Thread-safe; calls for one world are ordered by its host.
#ifndef MEANDER_SERVER_LOG_WORLD_LOG_H_
#define MEANDER_SERVER_LOG_WORLD_LOG_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/command.h"
#include "core/error.h"

namespace meander::log {

struct LogRecord {
  std::int64_t sequence = 0;
  std::int64_t apply_tick = 0;
  core::AgentId first_agent_id = 0;  // commands that spawn; else 0
  std::int64_t agent_count = 0;      // commands that spawn; else 0
  std::string bytes;                 // as in core/codec/command_codec.h

  bool operator==(const LogRecord&) const = default;
};

class WorldLog {
 public:
  virtual ~WorldLog() = default;

  // Starts the log of a world. `uid` is unique among all worlds ever made.
  virtual std::optional<core::Error> CreateWorld(std::string_view uid) = 0;

  // Appends all records, or none and says why: kQuotaExceeded when the store
  // is full, kWorldNotFound when it has no such world. Takes the bytes of the
  // records when it succeeds and leaves them when it does not.
  virtual std::optional<core::Error> Append(std::string_view uid,
                                            std::span<LogRecord> records) = 0;

  // Moves the pending records of one tick to the end of `out`, in ascending
  // sequence. None when the world is not there (any more).
  virtual void Collect(std::string_view uid, std::int64_t tick,
                       std::vector<LogRecord>& out) = 0;

  // Ends the log of a world and frees what it holds. Does nothing when there
  // is no such world.
  virtual void DeleteWorld(std::string_view uid) = 0;
};

}  // namespace meander::log

#endif  // MEANDER_SERVER_LOG_WORLD_LOG_H_
