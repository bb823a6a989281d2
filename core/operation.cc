#include "core/operation.h"

#include <cstdint>
#include <variant>

namespace meander::core {
bool IsTidy(const Target& target) {
  const bool point = target.kind == Target::Kind::kPoint;
  const bool agent = target.kind == Target::Kind::kAgent;
  return !target.loss_told && (point || IsPositiveZero(target.point)) &&
         (agent || target.agent == 0);
}

std::int64_t SpawnCount(const Operation& operation) {
  const auto* spawn = std::get_if<SpawnAgents>(&operation);
  if (spawn == nullptr) return 0;
  if (const auto* area = std::get_if<AreaPlacement>(&spawn->placement)) {
    return area->count;
  }
  return static_cast<std::int64_t>(
      std::get<std::vector<NewAgent>>(spawn->placement).size());
}

}  // namespace meander::core
