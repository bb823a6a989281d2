// Options that say how the server runs a world: those of create and update.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_HOSTING_OPTIONS_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_HOSTING_OPTIONS_H_

#include <google/protobuf/field_mask.pb.h>

#include <cstdint>
#include <optional>
#include <string>

#include "client_examples/meanderctl/command_line.h"
#include "meander/v1/world.pb.h"

namespace meander::ctl {

struct HostingOptions {
  std::optional<v1::ClockMode> clock;
  std::optional<double> time_scale;
  std::optional<std::int64_t> input_delay;
  std::optional<std::int64_t> hash_interval;
  std::optional<Microseconds> idle_ttl;
  std::optional<std::int64_t> until;

  // Sets what was given, and leaves the rest.
  void Set(v1::HostingConfig& hosting) const;
  // The paths of what was given, from a World.
  void Name(google::protobuf::FieldMask& mask) const;
};

// `prefix` is the path of the HostingConfig, with its dot.
void AddHostingOptions(Command& command, const std::string& prefix,
                       HostingOptions& options);

// KEY=VALUE as a label.
Wrong SetLabel(const std::string& text, v1::World& world);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_HOSTING_OPTIONS_H_
