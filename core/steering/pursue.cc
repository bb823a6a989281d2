#include "core/steering/pursue.h"

#include <cmath>

#include "core/steering/arrive.h"
#include "core/steering/flee.h"

namespace meander::core {
namespace {

// The least t >= 0 with |r + u t| = S t: (u^2 - S^2) t^2 + 2 (r u) t + r^2 = 0.
std::optional<float> InterceptTime(const Vec3& r, const Vec3& u,
                                   float max_speed) {
  const float across = Length(Cross(r, u));
  const float reach = max_speed * Length(r);
  if (across > reach) return std::nullopt;
  const float root = std::sqrt((reach - across) * (reach + across));
  const float closing = -Dot(r, u);
  // It comes nearer: both roots are ahead, or the other one is behind.
  if (closing > 0.0f) return LengthSquared(r) / (closing + root);
  const float target_speed = Length(u);
  // It does not, and is no slower: only r = 0 would do.
  if (!(max_speed > target_speed)) return std::nullopt;
  return (root - closing) /
         ((max_speed - target_speed) * (max_speed + target_speed));
}

float UnlimitedLeadTime(Lead lead, const Vec3& r, const Vec3& u,
                        float max_speed) {
  switch (lead) {
    case Lead::kIntercept:
      if (const auto time = InterceptTime(r, u, max_speed)) return *time;
      break;
    case Lead::kClosing:
      return Length(r) / (max_speed + Length(u));
    case Lead::kDistance:
      break;
  }
  return Length(r) / max_speed;
}

Vec3 OffsetForeseen(const SteeringBlock& block, const TargetBlock& targets,
                    std::size_t i, Lead lead,
                    std::optional<float> max_prediction) {
  const Vec3 offset = block.OffsetTo(i, targets.Position(i));
  const Vec3 velocity = targets.Velocity(i);
  const float time =
      LeadTime(lead, offset, velocity, block.max_speed, max_prediction);
  return Shortest(block.wrap, offset + velocity * time);
}

}  // namespace

float LeadTime(Lead lead, const Vec3& r, const Vec3& u, float max_speed,
               std::optional<float> max_prediction) {
  const float time = UnlimitedLeadTime(lead, r, u, max_speed);
  if (!IsFinite(time)) return 0.0f;
  const float limit =
      max_prediction && *max_prediction < kMaxLead ? *max_prediction : kMaxLead;
  return time < limit ? time : limit;
}

void AddPursue(const SteeringBlock& block, const Pursue& pursue,
               const TargetBlock& targets) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (targets.present[i] == 0) continue;
    const Vec3 offset =
        OffsetForeseen(block, targets, i, pursue.lead, pursue.max_prediction);
    block.AddForce(i, ArriveForce(offset, block.Velocity(i), block.max_speed,
                                  pursue.slowing_radius));
  }
}

void AddEvade(const SteeringBlock& block, const Evade& evade,
              const TargetBlock& targets) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (targets.present[i] == 0) continue;
    const Vec3 offset =
        OffsetForeseen(block, targets, i, evade.lead, evade.max_prediction);
    block.AddForce(i, FleeForce(offset, block.Velocity(i), block.max_speed));
  }
}

}  // namespace meander::core
