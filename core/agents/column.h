// A column: one value for each agent, with room for whole vectors.
//
// A std::vector whose storage goes on for kVectorRows elements past its
// capacity, so that a kernel may read and write a whole vector at the last
// row. What stands there is nobody's: it decides nothing. Aligned to a cache
// line. Plain data.
#ifndef MEANDER_CORE_AGENTS_COLUMN_H_
#define MEANDER_CORE_AGENTS_COLUMN_H_

#include <cstddef>
#include <new>
#include <vector>

namespace meander::core {

// No vector of 32-bit elements has more.
inline constexpr std::size_t kVectorRows = 16;

template <typename T>
class PaddedAllocator {
 public:
  using value_type = T;

  PaddedAllocator() = default;
  template <typename U>
  PaddedAllocator(const PaddedAllocator<U>&) {}  // NOLINT: as allocators do

  T* allocate(std::size_t count) {
    return static_cast<T*>(
        ::operator new((count + kVectorRows) * sizeof(T), kAlignment));
  }
  void deallocate(T* pointer, std::size_t) {
    ::operator delete(pointer, kAlignment);
  }

  friend bool operator==(const PaddedAllocator&, const PaddedAllocator&) {
    return true;
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
};

// What the capacity of columns that are full grows to, at least: it doubles up
// to a few thousand rows; beyond, a quarter is added, for what is not used of a
// large table is much.
inline std::size_t GrownRoom(std::size_t capacity) {
  constexpr std::size_t kDoubledRows = 4096;
  return capacity < kDoubledRows ? 2 * capacity : capacity + capacity / 4;
}

template <typename T>
using Column = std::vector<T, PaddedAllocator<T>>;

}  // namespace meander::core

#endif  // MEANDER_CORE_AGENTS_COLUMN_H_
