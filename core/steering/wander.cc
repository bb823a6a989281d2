#include "core/steering/wander.h"

#include <cmath>

#include "core/math/trig.h"
#include "core/steering/seek.h"

namespace meander::core {

std::uint32_t TurnChange(float uniform, float reach) {
  const float change = (2.0f * uniform - 1.0f) * reach;
  // Whole turns, at most 2^18 of them, go before the cast; what is left lies
  // within half a turn.
  const float part = change - ((change + kRoundingShift) - kRoundingShift);
  // 31 bits and a shift, for +0.5 has no 32-bit integer of its own.
  const auto half = static_cast<std::int32_t>(part * 0x1p31f);
  return static_cast<std::uint32_t>(half) << 1;
}

void AddWanderWorldAngle(const SteeringBlock& block,
                         const WanderWorldAngle& wander, const PlaneAxes& axes,
                         std::span<const float> uniforms,
                         std::span<std::uint32_t> turns) {
  const float reach = TurnReach(wander.jitter, block.dt);
  for (std::size_t i = 0; i < block.rows; ++i) {
    turns[i] += TurnChange(uniforms[i], reach);
    const SinCosPair angle = SinCosTurn(turns[i]);
    const Vec3 velocity = block.Velocity(i);
    const float speed_squared = LengthSquared(velocity);
    const float ahead = speed_squared > 0.0f
                            ? wander.distance / std::sqrt(speed_squared)
                            : 0.0f;
    const Vec3 on_circle = axes.first * (wander.radius * angle.cos) +
                           axes.second * (wander.radius * angle.sin);
    const Vec3 offset = velocity * ahead + on_circle;
    block.AddForce(i, SeekForce(offset, velocity, block.max_speed));
  }
}

}  // namespace meander::core
