// Which worlds a list is to show: the filter of ListWorlds.
//
//   filter = [ term { "AND" term } ]
//   term   = [ "NOT" ] ( "labels." KEY op '"' VALUE '"' | "labels" ":" KEY
//                      | "state" op STATE | "clock_mode" op MODE )
//   op     = "=" | "!="
//
// A part of https://google.aip.dev/160. Spaces may stand between any two of
// these. "!=" is the opposite of "=", so a world without a label meets every
// "!=" about it. Plain data.
#ifndef MEANDER_SERVER_HOSTING_WORLD_FILTER_H_
#define MEANDER_SERVER_HOSTING_WORLD_FILTER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.h"
#include "server/hosting/hosting_config.h"
#include "server/hosting/world_clock.h"
#include "server/hosting/world_info.h"

namespace meander::hosting {

class WorldFilter {
 public:
  static constexpr std::size_t kMaxBytes = 1024;

  // Reads anything. An error has the field "filter" and tells what was expected
  // where.
  static core::Result<WorldFilter> Parse(std::string_view text);

  // Every world meets it.
  WorldFilter() = default;

  bool IsMetBy(const WorldStatus& status) const;

 private:
  class Parser;

  struct HasLabel {
    std::string key;
  };
  struct LabelIs {
    std::string key, value;
  };
  using Fact = std::variant<HasLabel, LabelIs, ClockState, ClockMode>;
  struct Term {
    Fact fact;
    bool wanted;  // whether it must hold or must not
  };

  static bool Holds(const Fact& fact, const WorldStatus& status);

  std::vector<Term> terms_;  // all must be met
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_WORLD_FILTER_H_
