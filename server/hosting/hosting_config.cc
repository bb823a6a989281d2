#include "server/hosting/hosting_config.h"

#include <algorithm>
#include <cmath>

#include "core/validation.h"

namespace meander::hosting {
namespace {

using core::ErrorCode;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsMark(char c) { return c == '-' || c == '_' || c == '.'; }

template <typename T>
void Take(const std::optional<T>& from, T& to) {
  if (from) to = *from;
}

void CheckHosting(const HostingConfig& hosting, const Limits& limits,
                  core::FieldChecker check) {
  if (!std::isfinite(hosting.time_scale)) {
    check.Fail(ErrorCode::kNonFinite, "time_scale", "must be a finite number");
  } else if (hosting.time_scale < kMinTimeScale ||
             hosting.time_scale > kMaxTimeScale) {
    check.Fail(
        ErrorCode::kOutOfBounds, "time_scale",
        "must be 0.01 to 100; it is " + std::to_string(hosting.time_scale));
  }
  check.Integer("input_delay_ticks", hosting.input_delay_ticks, 1,
                limits.max_ticks_ahead);
  check.Integer("hash_interval_ticks", hosting.hash_interval_ticks, 1,
                kMaxHashInterval);
  if (hosting.idle_ttl.count() != 0 &&
      (hosting.idle_ttl < kMinIdleTtl || hosting.idle_ttl > kMaxIdleTtl)) {
    check.Fail(ErrorCode::kOutOfBounds, "idle_ttl",
               "must be 1 second to 30 days, or 0 for never");
  }
  if (check.Integer("until_tick", hosting.until_tick, 0, kMaxUntilTick) &&
      hosting.clock_mode == ClockMode::kUnthrottled &&
      hosting.until_tick == 0) {
    check.Fail(ErrorCode::kMalformed, "until_tick",
               "must be set for CLOCK_MODE_UNTHROTTLED");
  }
}

// Keys and values are not repeated in messages: they are what is wrong.
void CheckLabels(const Labels& labels, core::FieldChecker check) {
  if (labels.size() > kMaxLabels) {
    check.Fail(ErrorCode::kOutOfBounds, "labels",
               "must hold at most " + std::to_string(kMaxLabels) +
                   " labels; it holds " + std::to_string(labels.size()));
    return;
  }
  for (const auto& [key, value] : labels) {
    if (!IsLabelKey(key)) {
      check.Fail(ErrorCode::kMalformed, "labels",
                 "has a key that is not 1 to 63 lower-case letters, digits, "
                 "'-', '_' and '.', the first a letter");
      return;
    }
    if (!IsLabelValue(value)) {
      check.Fail(ErrorCode::kMalformed, "labels." + key,
                 "must be at most 63 letters, digits, '-', '_' and '.'");
      return;
    }
  }
}

}  // namespace

void SettingsPatch::ApplyTo(WorldSettings& settings) const {
  HostingConfig& hosting = settings.hosting;
  Take(clock_mode, hosting.clock_mode);
  Take(durability, hosting.durability);
  Take(time_scale, hosting.time_scale);
  Take(input_delay_ticks, hosting.input_delay_ticks);
  Take(hash_interval_ticks, hosting.hash_interval_ticks);
  Take(idle_ttl, hosting.idle_ttl);
  Take(until_tick, hosting.until_tick);
  Take(labels, settings.labels);
}

bool IsLabelKey(std::string_view key) {
  return !key.empty() && key.size() <= kMaxLabelLength &&
         IsLower(key.front()) &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return IsLower(c) || IsDigit(c) || IsMark(c);
         });
}

bool IsLabelValue(std::string_view value) {
  return value.size() <= kMaxLabelLength &&
         std::all_of(value.begin(), value.end(), [](char c) {
           return IsLower(c) || IsUpper(c) || IsDigit(c) || IsMark(c);
         });
}

core::Violations Validate(const WorldSettings& settings, const Limits& limits,
                          std::string_view path) {
  core::Violations violations;
  CheckHosting(settings.hosting, limits,
               {violations, core::JoinPath(path, "hosting")});
  CheckLabels(settings.labels, {violations, path});
  return violations;
}

}  // namespace meander::hosting
