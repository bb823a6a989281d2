#include "server/hosting/state_publisher.h"

#include <utility>

namespace meander::hosting {

StatePublisher::StatePublisher(std::size_t buffers,
                               std::function<void()> on_free)
    : pool_(buffers, std::move(on_free)) {}

stream::PublishedStateRef StatePublisher::Make(
    const core::World& world, std::optional<std::uint64_t> state_hash,
    std::int64_t epoch, Detail detail, core::ParallelFor& parallel) {
  std::optional<stream::DraftState> draft = pool_.Acquire();
  if (!draft) return {};
  stream::PublishedState& state = **draft;
  state.tick = world.tick();
  state.epoch = epoch;
  state.state_hash = state_hash;
  world.CopyMotion(detail == Detail::kFull ? core::MotionDetail::kAll
                                           : core::MotionDetail::kShown,
                   state.motion, parallel);
  state.cold = Cold(world, detail);
  return std::move(*draft).Seal();
}

std::shared_ptr<const core::ColdColumns> StatePublisher::Cold(
    const core::World& world, Detail detail) {
  if (cold_ != nullptr && cold_version_ == world.cold_version()) return cold_;
  cold_ = nullptr;
  if (detail == Detail::kMotion) return nullptr;
  auto copy = std::make_shared<core::ColdColumns>();
  world.CopyCold(*copy);
  cold_ = std::move(copy);
  cold_version_ = world.cold_version();
  return cold_;
}

}  // namespace meander::hosting
