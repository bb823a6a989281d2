// A small world with anything legal in it, made of bytes.
//
// Any bytes will do: each one picks a value from the range of a field, its ends
// and 0 among them, and where there are none left they count as 0. One thread.
#ifndef MEANDER_TESTS_SCENARIOS_ANY_WORLD_H_
#define MEANDER_TESTS_SCENARIOS_ANY_WORLD_H_

#include <cstdint>
#include <span>
#include <vector>

#include "tests/scenarios/scenario.h"

namespace meander::scenarios {

// A config, up to three archetypes of up to four terms each, and up to twelve
// agents: some on one point, some with targets, some beside a face. Every
// command is valid for the config. `ticks` is 0.
Scenario AnyWorld(std::span<const std::uint8_t> bytes);

// 512 bytes that a number stands for, each as good as random.
std::vector<std::uint8_t> BytesOfNumber(std::uint32_t number);

}  // namespace meander::scenarios

#endif  // MEANDER_TESTS_SCENARIOS_ANY_WORLD_H_
