#include "client_examples/meanderctl/hosting_options.h"

#include <cstddef>

namespace meander::ctl {

void HostingOptions::Set(v1::HostingConfig& hosting) const {
  if (clock) hosting.set_clock_mode(*clock);
  if (time_scale) hosting.set_time_scale(*time_scale);
  if (input_delay) hosting.set_input_delay_ticks(*input_delay);
  if (hash_interval) hosting.set_hash_interval_ticks(*hash_interval);
  if (idle_ttl) {
    constexpr std::int64_t kMicroseconds = 1'000'000;
    auto& duration = *hosting.mutable_idle_ttl();
    duration.set_seconds(idle_ttl->count() / kMicroseconds);
    duration.set_nanos(
        static_cast<std::int32_t>(idle_ttl->count() % kMicroseconds * 1000));
  }
  if (until) hosting.set_until_tick(*until);
}

void HostingOptions::Name(google::protobuf::FieldMask& mask) const {
  if (clock) mask.add_paths("hosting.clock_mode");
  if (time_scale) mask.add_paths("hosting.time_scale");
  if (input_delay) mask.add_paths("hosting.input_delay_ticks");
  if (hash_interval) mask.add_paths("hosting.hash_interval_ticks");
  if (idle_ttl) mask.add_paths("hosting.idle_ttl");
  if (until) mask.add_paths("hosting.until_tick");
}

void AddHostingOptions(Command& command, const std::string& prefix,
                       HostingOptions& options) {
  command
      .Choice("--clock", options.clock,
              "what makes it step: its own clock, `meanderctl step` alone, or "
              "as fast as the server can up to --until; default realtime")
      .Fills(prefix + "clock_mode");
  command
      .Value("--time-scale", options.time_scale, "FACTOR",
             "seconds of simulated time in a second of a realtime clock; "
             "default 1")
      .Fills(prefix + "time_scale");
  command
      .Value("--input-delay", options.input_delay, "TICKS",
             "how many ticks ahead a command applies that names none; default "
             "1")
      .Fills(prefix + "input_delay_ticks");
  command
      .Value("--hash-interval", options.hash_interval, "TICKS",
             "the state is hashed at ticks divisible by it; default 1")
      .Fills(prefix + "hash_interval_ticks");
  command
      .Value("--idle-ttl", options.idle_ttl, "TIME",
             "delete it when nobody has asked for it for so long: 90s, 10m, "
             "2h; default 0: never")
      .Fills(prefix + "idle_ttl");
  command
      .Value("--until", options.until, "TICK",
             "where an unthrottled clock stops")
      .Fills(prefix + "until_tick");
}

Wrong SetLabel(const std::string& text, v1::World& world) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return '"' + text + "\" must be KEY=VALUE";
  }
  (*world.mutable_labels())[text.substr(0, equals)] = text.substr(equals + 1);
  return std::nullopt;
}

}  // namespace meander::ctl
