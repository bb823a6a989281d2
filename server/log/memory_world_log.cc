#include "server/log/memory_world_log.h"

#include <iterator>
#include <mutex>
#include <utility>

namespace meander::log {
namespace {

core::Error Full(const std::string& what, std::size_t limit) {
  return {core::ErrorCode::kQuotaExceeded, "",
          what + " would exceed the limit of " + std::to_string(limit)};
}

core::Error NoSuchWorld() {
  return {core::ErrorCode::kWorldNotFound, "", "the world has no log"};
}

std::size_t TotalBytes(std::span<const LogRecord> records) {
  std::size_t bytes = 0;
  for (const LogRecord& record : records) bytes += record.bytes.size();
  return bytes;
}

}  // namespace

struct MemoryWorldLog::WorldRecords {
  std::mutex mutex;
  std::map<std::int64_t, std::vector<LogRecord>> by_tick;
  std::size_t records = 0;
  std::size_t bytes = 0;
  bool deleted = false;
};

MemoryWorldLog::MemoryWorldLog(const MemoryWorldLogLimits& limits)
    : limits_(limits) {}

MemoryWorldLog::~MemoryWorldLog() = default;

std::optional<core::Error> MemoryWorldLog::CreateWorld(std::string_view uid) {
  auto records = std::make_shared<WorldRecords>();
  const std::unique_lock lock(mutex_);
  if (!worlds_.emplace(uid, std::move(records)).second) {
    return core::Error{core::ErrorCode::kWorldExists, "",
                       "the world already has a log"};
  }
  return std::nullopt;
}

std::optional<core::Error> MemoryWorldLog::Append(
    std::string_view uid, std::span<LogRecord> records) {
  const std::shared_ptr<WorldRecords> world = Find(uid);
  if (world == nullptr) return NoSuchWorld();
  const std::size_t bytes = TotalBytes(records);
  const std::lock_guard lock(world->mutex);
  if (world->deleted) return NoSuchWorld();
  if (records.size() > limits_.records_per_world - world->records) {
    return Full("pending commands of the world", limits_.records_per_world);
  }
  if (bytes > limits_.bytes_per_world - world->bytes) {
    return Full("bytes of the world's pending commands",
                limits_.bytes_per_world);
  }
  if (!ReserveTotal(bytes)) {
    return Full("bytes of the pending commands of all worlds",
                limits_.bytes_total);
  }
  for (LogRecord& record : records) {
    world->by_tick[record.apply_tick].push_back(std::move(record));
  }
  world->records += records.size();
  world->bytes += bytes;
  return std::nullopt;
}

void MemoryWorldLog::Collect(std::string_view uid, std::int64_t tick,
                             std::vector<LogRecord>& out) {
  const std::shared_ptr<WorldRecords> world = Find(uid);
  if (world == nullptr) return;
  const std::lock_guard lock(world->mutex);
  const auto found = world->by_tick.find(tick);
  if (found == world->by_tick.end()) return;
  std::vector<LogRecord>& records = found->second;
  const std::size_t bytes = TotalBytes(records);
  world->records -= records.size();
  world->bytes -= bytes;
  total_bytes_ -= bytes;
  out.insert(out.end(), std::make_move_iterator(records.begin()),
             std::make_move_iterator(records.end()));
  world->by_tick.erase(found);
}

void MemoryWorldLog::DeleteWorld(std::string_view uid) {
  const std::shared_ptr<WorldRecords> world = [&] {
    const std::unique_lock lock(mutex_);
    const auto found = worlds_.find(uid);
    if (found == worlds_.end()) return std::shared_ptr<WorldRecords>();
    return std::move(worlds_.extract(found).mapped());
  }();
  if (world == nullptr) return;
  const std::lock_guard lock(world->mutex);
  world->deleted = true;  // for an Append that found it before
  world->by_tick.clear();
  total_bytes_ -= world->bytes;
  world->records = world->bytes = 0;
}

std::shared_ptr<MemoryWorldLog::WorldRecords> MemoryWorldLog::Find(
    std::string_view uid) const {
  const std::shared_lock lock(mutex_);
  const auto found = worlds_.find(uid);
  return found == worlds_.end() ? nullptr : found->second;
}

bool MemoryWorldLog::ReserveTotal(std::size_t bytes) {
  std::size_t total = total_bytes_.load();
  do {
    if (bytes > limits_.bytes_total - total) return false;
  } while (!total_bytes_.compare_exchange_weak(total, total + bytes));
  return true;
}

}  // namespace meander::log
