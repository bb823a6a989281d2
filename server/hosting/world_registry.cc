#include "server/hosting/world_registry.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <random>
#include <utility>

namespace meander::hosting {
namespace {

using core::ErrorCode;

constexpr std::size_t kMaxWorldIdLength = 63;
constexpr std::chrono::seconds kSweepPeriod{1};
// What a creation that is kept for its key takes beside itself.
constexpr std::size_t kCreationBytes = 512;
constexpr std::size_t kLabelBytes = 288;

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

std::size_t BytesOf(const Creation& creation) {
  const Labels& labels = creation.status.settings->labels;
  return sizeof(Creation) + kCreationBytes + labels.size() * kLabelBytes;
}

}  // namespace

bool IsWorldId(std::string_view id) {
  return !id.empty() && id.size() <= kMaxWorldIdLength &&
         IsLetter(id.front()) && IsLetterOrDigit(id.back()) &&
         std::all_of(id.begin(), id.end(),
                     [](char c) { return IsLetterOrDigit(c) || c == '-'; });
}

core::Violations Validate(const NewWorld& world, const Limits& limits) {
  core::Violations violations;
  const auto add = [&violations](core::Violations more) {
    std::move(more.begin(), more.end(), std::back_inserter(violations));
  };
  if (!IsWorldId(world.id)) {
    violations.push_back(
        {ErrorCode::kMalformed, "world_id",
         "must be 1 to 63 lower-case letters, digits and '-', the first a "
         "letter, the last not '-'"});
  }
  add(core::Validate(core::Normalized(world.config), "world.simulation"));
  const std::int64_t max_agents = world.config.max_agents;
  if (max_agents > limits.max_agents && max_agents <= core::kMaxAgents) {
    violations.push_back(
        {ErrorCode::kOutOfBounds, "world.simulation.max_agents",
         "must be at most " + std::to_string(limits.max_agents) +
             ", this server's limit; it is " + std::to_string(max_agents)});
  }
  add(Validate(world.settings, limits, "world"));
  return violations;
}

// Looks for expired worlds once a second.
class WorldRegistry::Sweeper final
    : public TickTimer,
      public std::enable_shared_from_this<Sweeper> {
 public:
  explicit Sweeper(WorldRegistry& registry) : registry_(&registry) {}

  void Start() {
    const HostContext& context = registry_->context_;
    context.workers.Arm(shared_from_this(), NextSweep());
  }

  // Waits for a sweep that is under way. Nothing happens any more after it.
  void Stop() {
    WorkerPool& workers = registry_->context_.workers;
    {
      const std::lock_guard lock(mutex_);
      registry_ = nullptr;
    }
    workers.Disarm(*this);
  }

 private:
  void OnDue() override {
    const std::lock_guard lock(mutex_);
    if (registry_ == nullptr) return;
    registry_->DeleteExpired();
    registry_->context_.workers.ArmNext(shared_from_this(), NextSweep());
  }
  std::chrono::nanoseconds NextSweep() const {
    return registry_->context_.clock.Now() + kSweepPeriod;
  }

  std::mutex mutex_;         // guards registry_, held during a sweep
  WorldRegistry* registry_;  // null once stopped
};

WorldRegistry::WorldRegistry(HostContext context)
    : context_(std::move(context)),
      creations_(context_.limits, context_.clock),
      sweeper_(std::make_shared<Sweeper>(*this)) {
  sweeper_->Start();
}

WorldRegistry::~WorldRegistry() {
  sweeper_->Stop();
  CloseAll({ErrorCode::kDraining, "", "the server is shutting down"});
}

core::Result<std::shared_ptr<const Creation>> WorldRegistry::Create(
    NewWorld world) {
  core::Violations violations = Validate(world, context_.limits);
  if (!violations.empty()) return std::move(violations.front());
  const std::lock_guard lock(mutex_);
  if (world.key) {
    auto known = creations_.Find(*world.key);
    if (!known.ok()) return known.error();
    if (*known) return **known;
  }
  auto creation = CreateLocked(world);
  if (creation.ok() && world.key) {
    creations_.Keep(*world.key, *creation, BytesOf(**creation));
  }
  return creation;
}

core::Result<std::shared_ptr<const Creation>> WorldRegistry::CreateLocked(
    NewWorld& world) {
  if (closed_) return *closed_;
  if (world.settings.hosting.durability != Durability::kNone) {
    return core::Error{
        ErrorCode::kDurabilityUnavailable, "world.hosting.durability",
        "cannot be had yet: this server keeps worlds in memory only, so "
        "DURABILITY_NONE is all that it can promise"};
  }
  if (worlds_.contains(world.id)) {
    return core::Error{ErrorCode::kWorldExists, "world_id",
                       "a world of this name exists"};
  }
  if (worlds_.size() >= context_.limits.max_worlds) {
    return core::Error{ErrorCode::kQuotaExceeded, "",
                       "the server has " +
                           std::to_string(context_.limits.max_worlds) +
                           " worlds, which is its limit"};
  }
  auto host = WorldHost::Create(context_,
                                {.id = world.id,
                                 .uid = NewUid(),
                                 .config = core::Normalized(world.config),
                                 .seed = world.seed},
                                std::move(world.settings));
  if (!host.ok()) return host.error();
  auto creation = std::make_shared<Creation>(Creation{
      .identity = (*host)->identity(), .status = (*host)->StatusAsleep()});
  worlds_.emplace(world.id, *std::move(host));
  return std::shared_ptr<const Creation>(std::move(creation));
}

std::shared_ptr<WorldHost> WorldRegistry::Find(
    std::string_view world_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = worlds_.find(world_id);
  if (found == worlds_.end()) return nullptr;
  found->second->Touch();
  return found->second;
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

void WorldRegistry::DeleteExpired() {
  std::vector<std::shared_ptr<WorldHost>> expired;
  {
    // Found and taken under one lock: nobody finds a world that is about to go.
    const std::lock_guard lock(mutex_);
    for (auto it = worlds_.begin(); it != worlds_.end();) {
      if (it->second->HasExpired(kSweepPeriod)) {
        expired.push_back(std::move(it->second));
        it = worlds_.erase(it);
      } else {
        ++it;
      }
    }
  }
  for (const auto& host : expired) {
    host->Close({ErrorCode::kWorldNotFound, "",
                 "the world was deleted, for nobody had used it for as long as "
                 "its idle_ttl says"});
  }
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
