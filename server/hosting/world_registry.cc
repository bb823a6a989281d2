#include "server/hosting/world_registry.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace meander::hosting {
namespace {

using core::ErrorCode;

constexpr std::size_t kMaxWorldIdLength = 63;

bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }
bool IsLetterOrDigit(char c) { return IsLetter(c) || (c >= '0' && c <= '9'); }

core::Error NoSuchWorld() {
  return {ErrorCode::kWorldNotFound, "", "there is no world of this name"};
}

// 128 random bits as 32 hexadecimal digits.
std::string NewUid() {
  constexpr char kDigits[] = "0123456789abcdef";
  std::random_device random;
  std::string uid;
  while (uid.size() < 32) {
    auto word = random();
    for (int digit = 0; digit < 8; ++digit, word >>= 4) {
      uid.push_back(kDigits[word & 15]);
    }
  }
  return uid;
}

}  // namespace

bool IsWorldId(std::string_view id) {
  return !id.empty() && id.size() <= kMaxWorldIdLength &&
         IsLetter(id.front()) && IsLetterOrDigit(id.back()) &&
         std::all_of(id.begin(), id.end(),
                     [](char c) { return IsLetterOrDigit(c) || c == '-'; });
}

core::Violations ValidateNewWorld(std::string_view world_id,
                                  const core::SimulationConfig& config,
                                  const Limits& limits) {
  core::Violations violations;
  if (!IsWorldId(world_id)) {
    violations.push_back(
        {ErrorCode::kMalformed, "world_id",
         "must be 1 to 63 lower-case letters, digits and '-', the first a "
         "letter, the last not '-'"});
  }
  for (core::Error& error :
       core::Validate(core::Normalized(config), "world.simulation")) {
    violations.push_back(std::move(error));
  }
  if (config.max_agents > limits.max_agents &&
      config.max_agents <= core::kMaxAgents) {
    violations.push_back(
        {ErrorCode::kOutOfBounds, "world.simulation.max_agents",
         "must be at most " + std::to_string(limits.max_agents) +
             ", this server's limit; it is " +
             std::to_string(config.max_agents)});
  }
  return violations;
}

WorldRegistry::WorldRegistry(HostContext context)
    : context_(std::move(context)) {}

WorldRegistry::~WorldRegistry() {
  CloseAll({ErrorCode::kDraining, "", "the server is shutting down"});
}

core::Result<std::shared_ptr<WorldHost>> WorldRegistry::Create(
    std::string_view world_id, const core::SimulationConfig& config,
    std::uint64_t seed, const HostingConfig& hosting) {
  core::Violations violations =
      ValidateNewWorld(world_id, config, context_.limits);
  if (!violations.empty()) return std::move(violations.front());
  if (hosting.durability != Durability::kNone) {
    return core::Error{
        ErrorCode::kDurabilityUnavailable, "world.hosting.durability",
        "cannot be had yet: this server keeps worlds in memory only, so "
        "DURABILITY_NONE is all that it can promise"};
  }
  const std::lock_guard lock(mutex_);
  if (closed_) return *closed_;
  if (worlds_.contains(world_id)) {
    return core::Error{ErrorCode::kWorldExists, "world_id",
                       "a world of this name exists"};
  }
  if (worlds_.size() >= context_.limits.max_worlds) {
    return core::Error{ErrorCode::kQuotaExceeded, "",
                       "the server has " +
                           std::to_string(context_.limits.max_worlds) +
                           " worlds, which is its limit"};
  }
  auto host = WorldHost::Create(context_, {.id = std::string(world_id),
                                           .uid = NewUid(),
                                           .config = core::Normalized(config),
                                           .seed = seed,
                                           .hosting = hosting});
  if (host.ok()) worlds_.emplace(world_id, *host);
  return host;
}

std::shared_ptr<WorldHost> WorldRegistry::Find(
    std::string_view world_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = worlds_.find(world_id);
  return found == worlds_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<WorldHost>> WorldRegistry::List(
    std::string_view after, std::size_t limit) const {
  std::vector<std::shared_ptr<WorldHost>> listed;
  const std::lock_guard lock(mutex_);
  for (auto it = worlds_.upper_bound(after);
       it != worlds_.end() && listed.size() < limit; ++it) {
    listed.push_back(it->second);
  }
  return listed;
}

std::optional<core::Error> WorldRegistry::Delete(std::string_view world_id) {
  std::shared_ptr<WorldHost> host;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return closed_;
    const auto found = worlds_.find(world_id);
    if (found == worlds_.end()) return NoSuchWorld();
    host = std::move(worlds_.extract(found).mapped());
  }
  host->Close({ErrorCode::kWorldNotFound, "", "the world was deleted"});
  return std::nullopt;
}

void WorldRegistry::CloseAll(const core::Error& error) {
  std::vector<std::shared_ptr<WorldHost>> hosts;
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) closed_ = error;
    for (const auto& [id, host] : worlds_) hosts.push_back(host);
  }
  for (const auto& host : hosts) host->Close(error);
}

std::size_t WorldRegistry::size() const {
  const std::lock_guard lock(mutex_);
  return worlds_.size();
}

}  // namespace meander::hosting
