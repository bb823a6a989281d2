#include "core/agents/agent_index.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "core/agents/column.h"
#include "core/error.h"

namespace meander::core {
namespace {

// Gaps are closed when they are more than one in so many entries.
constexpr std::size_t kEntriesPerGap = 4;

// Ids are distinct and ascend, so an id lies no farther in than it is above the
// first; where all ids are there, just so far.
template <typename Entries>
auto FindIn(Entries& entries, AgentId id) -> decltype(entries.data()) {
  if (entries.empty() || id < entries.front().id) return nullptr;
  const auto above = static_cast<std::uint64_t>(id - entries.front().id);
  const auto last = std::uint64_t{entries.size() - 1};
  auto* found =
      entries.data() + static_cast<std::size_t>(std::min(above, last));
  if (found->id != id) {
    found = std::lower_bound(
        entries.data(), found, id,
        [](const auto& entry, AgentId wanted) { return entry.id < wanted; });
  }
  return found->id == id && !found->IsGap() ? found : nullptr;
}

}  // namespace

void AgentIndex::ReserveMore(std::size_t ids) {
  const std::size_t wanted = main_.size() + ids;
  if (wanted <= main_.capacity()) return;
  main_.reserve(std::max(wanted, GrownRoom(main_.capacity())));
}

void AgentIndex::Insert(AgentId id, AgentLocation location) {
  const Entry entry{id, location};
  if (recent_.empty() && (main_.empty() || main_.back().id < id)) {
    ReserveMore(1);
    main_.push_back(entry);
    return;
  }
  if (recent_.empty() || recent_.back().id < id) {
    recent_.push_back(entry);
    return;
  }
  recent_.insert(std::upper_bound(recent_.begin(), recent_.end(), id,
                                  [](AgentId wanted, const Entry& there) {
                                    return wanted < there.id;
                                  }),
                 entry);
}

AgentIndex::Entry* AgentIndex::FindEntry(AgentId id) {
  Entry* entry = FindIn(main_, id);
  return entry != nullptr ? entry : FindIn(recent_, id);
}

const AgentLocation* AgentIndex::FindElsewhere(AgentId id) const {
  const Entry* entry = FindIn(main_, id);
  if (entry == nullptr) entry = FindIn(recent_, id);
  return entry == nullptr ? nullptr : &entry->location;
}

bool AgentIndex::HasAny(AgentId first, std::int64_t count) const {
  auto entry = std::lower_bound(
      main_.begin(), main_.end(), first,
      [](const Entry& there, AgentId id) { return there.id < id; });
  while (entry != main_.end() && entry->IsGap()) ++entry;
  return entry != main_.end() && entry->id - first < count;
}

std::size_t AgentIndex::CountLiving(std::size_t first, std::size_t end) const {
  if (gaps_ == 0) return end - first;
  const auto at = main_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto to = main_.begin() + static_cast<std::ptrdiff_t>(end);
  return static_cast<std::size_t>(
      std::count_if(at, to, [](const Entry& entry) { return !entry.IsGap(); }));
}

void AgentIndex::Move(AgentId id, AgentLocation location) {
  Entry* entry = FindEntry(id);
  MEANDER_CHECK(entry != nullptr);
  entry->location = location;
}

void AgentIndex::Erase(AgentId id) {
  Entry* entry = FindEntry(id);
  MEANDER_CHECK(entry != nullptr);
  entry->location.population = kGap;
  ++gaps_;
}

void AgentIndex::Settle() {
  if (!recent_.empty()) {
    std::vector<Entry> merged;
    merged.reserve(main_.size() + recent_.size());
    std::merge(main_.begin(), main_.end(), recent_.begin(), recent_.end(),
               std::back_inserter(merged),
               [](const Entry& a, const Entry& b) { return a.id < b.id; });
    main_ = std::move(merged);
    recent_.clear();
  }
  if (gaps_ * kEntriesPerGap <= main_.size()) return;
  std::erase_if(main_, [](const Entry& entry) { return entry.IsGap(); });
  gaps_ = 0;
  if (main_.capacity() > 4 * main_.size()) main_.shrink_to_fit();
}

}  // namespace meander::core
