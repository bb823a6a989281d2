// Where the fields of an archetype lie in its bytes, from the grammar in
// archetype_codec.h.
#ifndef MEANDER_TESTS_CORE_CODEC_ARCHETYPE_LAYOUT_H_
#define MEANDER_TESTS_CORE_CODEC_ARCHETYPE_LAYOUT_H_

#include <cstddef>

namespace meander::core {

struct ArchetypeLayout {
  std::size_t id = 0;
  std::size_t max_speed = id + 4;
  std::size_t max_force = max_speed + 4;
  std::size_t mass = max_force + 4;
  std::size_t external = mass + 4;
  std::size_t overspeed_time_constant = external + 1;
  std::size_t combine = overspeed_time_constant + 4;
  std::size_t limit_each_term = combine + 1;
  std::size_t force_plane = limit_each_term + 1;
  std::size_t facing = force_plane + 1;
  std::size_t turn_rate = facing + 1;
  std::size_t min_facing_speed = turn_rate + 4;
  std::size_t term_count = min_facing_speed + 4;
  std::size_t terms = term_count + 1;
  // Within a term.
  std::size_t weight = 0;
  std::size_t gain = weight + 4;
  std::size_t level = gain + 4;
  std::size_t kind = level + 4;
  std::size_t behavior = kind + 1;
};
inline constexpr ArchetypeLayout kIn;

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_CODEC_ARCHETYPE_LAYOUT_H_
