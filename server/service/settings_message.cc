#include "server/service/settings_message.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/convert/quote.h"

namespace meander::service {
namespace {

using core::ErrorCode;
using google::protobuf::FieldDescriptor;
using hosting::ClockMode;
using hosting::Durability;
using hosting::SettingsPatch;
using std::chrono::nanoseconds;

constexpr std::string_view kHostingPrefix = "hosting.";
constexpr double kTimeScaleSteps = 1000.0;  // of a time_scale of 1
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

void Refuse(std::string_view field, std::string reason,
            core::Violations& violations) {
  violations.push_back({ErrorCode::kMalformed,
                        std::string("world.hosting.").append(field),
                        std::move(reason)});
}

// Enums of the protocol are open.
void RefuseValue(std::string_view field, int value,
                 core::Violations& violations) {
  Refuse(field, std::to_string(value) + " is not one of its values",
         violations);
}

// Each reads one field, with its default when it is not set.

void ReadClockMode(const v1::HostingConfig& hosting, SettingsPatch& patch,
                   core::Violations& violations) {
  switch (hosting.clock_mode()) {
    case v1::CLOCK_MODE_UNSPECIFIED:
    case v1::CLOCK_MODE_REALTIME:
      patch.clock_mode = ClockMode::kRealtime;
      return;
    case v1::CLOCK_MODE_MANUAL:
      patch.clock_mode = ClockMode::kManual;
      return;
    case v1::CLOCK_MODE_UNTHROTTLED:
      patch.clock_mode = ClockMode::kUnthrottled;
      return;
    default:
      RefuseValue("clock_mode", hosting.clock_mode(), violations);
  }
}

void ReadDurability(const v1::HostingConfig& hosting, SettingsPatch& patch,
                    core::Violations& violations) {
  switch (hosting.durability()) {
    case v1::DURABILITY_UNSPECIFIED:
      patch.durability = hosting::HostingConfig{}.durability;
      return;
    case v1::DURABILITY_COMMITTED:
      patch.durability = Durability::kCommitted;
      return;
    case v1::DURABILITY_ASYNC:
      patch.durability = Durability::kAsync;
      return;
    case v1::DURABILITY_NONE:
      patch.durability = Durability::kNone;
      return;
    default:
      RefuseValue("durability", hosting.durability(), violations);
  }
}

// What is shown is what is in effect, so it is rounded here. What is out of
// range stays as it is, to be refused as it was sent.
void ReadTimeScale(const v1::HostingConfig& hosting, SettingsPatch& patch,
                   core::Violations& /*violations*/) {
  double scale = hosting.time_scale();
  if (scale == 0.0) scale = hosting::HostingConfig{}.time_scale;
  if (scale >= hosting::kMinTimeScale && scale <= hosting::kMaxTimeScale) {
    scale = std::round(scale * kTimeScaleSteps) / kTimeScaleSteps;
  }
  patch.time_scale = scale;
}

void ReadInputDelay(const v1::HostingConfig& hosting, SettingsPatch& patch,
                    core::Violations& /*violations*/) {
  const std::int64_t ticks = hosting.input_delay_ticks();
  patch.input_delay_ticks =
      ticks == 0 ? hosting::HostingConfig{}.input_delay_ticks : ticks;
}

void ReadHashInterval(const v1::HostingConfig& hosting, SettingsPatch& patch,
                      core::Violations& /*violations*/) {
  const std::int64_t ticks = hosting.hash_interval_ticks();
  patch.hash_interval_ticks =
      ticks == 0 ? hosting::HostingConfig{}.hash_interval_ticks : ticks;
}

void ReadIdleTtl(const v1::HostingConfig& hosting, SettingsPatch& patch,
                 core::Violations& violations) {
  const std::int64_t seconds = hosting.idle_ttl().seconds();
  const std::int64_t nanos = hosting.idle_ttl().nanos();
  if (std::abs(nanos) >= kNanosPerSecond || (seconds > 0 && nanos < 0) ||
      (seconds < 0 && nanos > 0)) {
    return Refuse("idle_ttl",
                  "must have nanos below a second and of the sign of its "
                  "seconds",
                  violations);
  }
  // Far out is as wrong as a little out, and does not overflow.
  const std::int64_t far =
      std::chrono::seconds(hosting::kMaxIdleTtl).count() + 1;
  patch.idle_ttl =
      nanoseconds(std::clamp(seconds, -far, far) * kNanosPerSecond + nanos);
}

void ReadUntilTick(const v1::HostingConfig& hosting, SettingsPatch& patch,
                   core::Violations& /*violations*/) {
  patch.until_tick = hosting.until_tick();
}

struct Field {
  std::string_view name;  // in HostingConfig
  void (*read)(const v1::HostingConfig&, SettingsPatch&, core::Violations&);
};
constexpr std::array kFields{Field{"durability", ReadDurability},
                             Field{"clock_mode", ReadClockMode},
                             Field{"time_scale", ReadTimeScale},
                             Field{"input_delay_ticks", ReadInputDelay},
                             Field{"hash_interval_ticks", ReadHashInterval},
                             Field{"idle_ttl", ReadIdleTtl},
                             Field{"until_tick", ReadUntilTick}};
constexpr std::size_t kDurabilityField = 0;

// Which parts of a world's settings are to be read. However often a mask names
// one, it is read once.
struct Choice {
  bool labels = false;
  std::bitset<kFields.size()> fields;

  // False when there is no such path.
  bool Add(std::string_view path) {
    if (path == "labels") return labels = true;
    if (path == "hosting") {
      const bool durability = fields[kDurabilityField];
      fields.set();
      fields[kDurabilityField] = durability;
      return true;
    }
    return path.starts_with(kHostingPrefix) &&
           AddField(path.substr(kHostingPrefix.size()));
  }
  bool AddField(std::string_view name) {
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      if (kFields[i].name == name) {
        fields.set(i);
        return true;
      }
    }
    return false;
  }
};

SettingsPatch Read(const v1::World& world, const Choice& choice,
                   core::Violations& violations) {
  SettingsPatch patch;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if (choice.fields[i]) kFields[i].read(world.hosting(), patch, violations);
  }
  if (choice.labels) {
    patch.labels.emplace(world.labels().begin(), world.labels().end());
  }
  return patch;
}

Choice ChooseWhatIsSet(const v1::World& world) {
  Choice choice;
  choice.labels = !world.labels().empty();
  std::vector<const FieldDescriptor*> set;
  world.hosting().GetReflection()->ListFields(world.hosting(), &set);
  for (const FieldDescriptor* field : set) choice.AddField(field->name());
  return choice;
}

v1::ClockMode ClockModeOf(ClockMode mode) {
  switch (mode) {
    case ClockMode::kManual:
      return v1::CLOCK_MODE_MANUAL;
    case ClockMode::kUnthrottled:
      return v1::CLOCK_MODE_UNTHROTTLED;
    case ClockMode::kRealtime:
      break;
  }
  return v1::CLOCK_MODE_REALTIME;
}

}  // namespace

hosting::WorldSettings ToSettings(const v1::World& world,
                                  core::Violations& violations) {
  Choice all{.labels = true, .fields = {}};
  all.fields.set();
  hosting::WorldSettings settings;
  Read(world, all, violations).ApplyTo(settings);
  return settings;
}

SettingsPatch ToPatch(const v1::UpdateWorldRequest& request,
                      core::Violations& violations) {
  Choice choice;
  for (const std::string& path : request.update_mask().paths()) {
    if (choice.Add(path)) continue;
    violations.push_back(
        {ErrorCode::kMalformed, "update_mask",
         "has the path " + convert::Quoted(path) +
             "; it must be labels, hosting, or a field of hosting such as "
             "hosting.time_scale"});
    return {};
  }
  if (request.update_mask().paths().empty()) {
    choice = ChooseWhatIsSet(request.world());
  }
  return Read(request.world(), choice, violations);
}

void ToMessage(const hosting::WorldSettings& settings, v1::World& out) {
  const hosting::HostingConfig& from = settings.hosting;
  v1::HostingConfig& hosting = *out.mutable_hosting();
  hosting.set_clock_mode(ClockModeOf(from.clock_mode));
  hosting.set_durability(ToMessage(from.durability));
  hosting.set_time_scale(from.time_scale);
  hosting.set_input_delay_ticks(from.input_delay_ticks);
  hosting.set_hash_interval_ticks(from.hash_interval_ticks);
  const std::int64_t ttl = from.idle_ttl.count();
  hosting.mutable_idle_ttl()->set_seconds(ttl / kNanosPerSecond);
  hosting.mutable_idle_ttl()->set_nanos(
      static_cast<std::int32_t>(ttl % kNanosPerSecond));
  hosting.set_until_tick(from.until_tick);
  out.mutable_labels()->insert(settings.labels.begin(), settings.labels.end());
}

v1::Durability ToMessage(Durability durability) {
  switch (durability) {
    case Durability::kCommitted:
      return v1::DURABILITY_COMMITTED;
    case Durability::kAsync:
      return v1::DURABILITY_ASYNC;
    case Durability::kNone:
      break;
  }
  return v1::DURABILITY_NONE;
}

}  // namespace meander::service
