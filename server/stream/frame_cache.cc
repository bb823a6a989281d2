#include "server/stream/frame_cache.h"

#include <utility>

namespace meander::stream {

std::shared_ptr<const EncodedFrame> FrameCache::Get(
    const View& view, const PublishedState& state) {
  const std::shared_ptr<Slot> slot = FindOrMake(view);
  const std::lock_guard lock(slot->mutex);
  if (slot->frame == nullptr || slot->frame->tick < state.tick) {
    slot->frame = std::make_shared<const EncodedFrame>(encode_(view, state));
    ++encodings_;
  }
  return slot->frame->tick == state.tick ? slot->frame : nullptr;
}

void FrameCache::Forget(const View& view) {
  const std::lock_guard lock(mutex_);
  slots_.erase(view);
}

std::shared_ptr<FrameCache::Slot> FrameCache::FindOrMake(const View& view) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Slot>& slot = slots_[view];
  if (slot == nullptr) slot = std::make_shared<Slot>();
  return slot;
}

}  // namespace meander::stream
