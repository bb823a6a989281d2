#include "server/hosting/kept_admission.h"

#include <utility>

namespace meander::hosting {

KeptAdmission::KeptAdmission(const Admission& admission)
    : tick_(admission.tick) {
  for (std::size_t i = 0; i < admission.results.size(); ++i) {
    const core::Result<CommandAdmission>& result = admission.results[i];
    if (!result.ok()) {
      refusals_.emplace_back(i, result.error());
      continue;
    }
    if (runs_.empty()) first_sequence_ = result->sequence;
    if (first_agent_id_ == 0) first_agent_id_ = result->first_agent_id;
    if (runs_.empty() || runs_.back().apply_tick != result->apply_tick ||
        runs_.back().agent_count != result->agent_count) {
      runs_.push_back({result->apply_tick, result->agent_count, 0});
    }
    ++runs_.back().commands;
  }
  runs_.shrink_to_fit();
  refusals_.shrink_to_fit();
}

Admission KeptAdmission::Unpack() const {
  Admission admission{.results = {}, .tick = tick_};
  AdmissionResults& results = admission.results;
  std::int64_t sequence = first_sequence_;
  core::AgentId agent_id = first_agent_id_;
  auto refusal = refusals_.begin();
  const auto add_refusals = [&] {
    while (refusal != refusals_.end() && refusal->first == results.size()) {
      results.emplace_back((refusal++)->second);
    }
  };
  add_refusals();
  for (const Run& run : runs_) {
    for (std::size_t i = 0; i < run.commands; ++i) {
      results.emplace_back(
          CommandAdmission{.sequence = sequence,
                           .apply_tick = run.apply_tick,
                           .first_agent_id = run.agent_count > 0 ? agent_id : 0,
                           .agent_count = run.agent_count});
      sequence += 1;
      agent_id += run.agent_count;
      add_refusals();
    }
  }
  return admission;
}

std::size_t KeptAdmission::bytes() const {
  std::size_t bytes = runs_.capacity() * sizeof(Run) +
                      refusals_.capacity() * sizeof(refusals_.front());
  for (const auto& [place, error] : refusals_) {
    bytes += error.field.capacity() + error.reason.capacity();
  }
  return bytes;
}

}  // namespace meander::hosting
