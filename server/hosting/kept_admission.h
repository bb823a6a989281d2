// An admission in few bytes, to be given again when its request comes again.
//
// Sequences and agent ids of a batch are consecutive, so commands that share
// their tick and their number of agents are one run, however many they are.
// What was refused is kept in full. Immutable.
#ifndef MEANDER_SERVER_HOSTING_KEPT_ADMISSION_H_
#define MEANDER_SERVER_HOSTING_KEPT_ADMISSION_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/command.h"
#include "core/error.h"
#include "server/hosting/admission.h"

namespace meander::hosting {

class KeptAdmission {
 public:
  // Precondition: sequences, and the ids of spawned agents, are consecutive.
  explicit KeptAdmission(const Admission& admission);

  Admission Unpack() const;

  // That it holds beside itself.
  std::size_t bytes() const;

 private:
  // Commands next to each other that were admitted alike.
  struct Run {
    std::int64_t apply_tick;
    std::int64_t agent_count;  // of each
    std::size_t commands;
  };

  std::int64_t tick_;
  std::int64_t first_sequence_ = 0;
  core::AgentId first_agent_id_ = 0;
  std::vector<Run> runs_;  // in the order of the batch, refusals left out
  std::vector<std::pair<std::size_t, core::Error>> refusals_;  // by place
};

}  // namespace meander::hosting

#endif  // MEANDER_SERVER_HOSTING_KEPT_ADMISSION_H_
