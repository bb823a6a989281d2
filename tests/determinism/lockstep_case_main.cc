// Writes what tests/determinism/module_test.mjs drives the WebAssembly module
// with, and what a native world did: lines of a word and what belongs to it,
// bytes in hexadecimal.
//
//   snapshot BYTES             to open
//   another_version BYTES      to be refused
//   record BYTES               to apply
//   step TICK HASH             one step, to this tick with this hash
//   column NUMBER BYTES        meander_column(NUMBER) at the end

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/agent_state.h"
#include "core/c_api/c_api.h"
#include "core/codec/command_codec.h"
#include "core/world.h"
#include "tests/scenarios/lockstep_case.h"

namespace {

using meander::scenarios::LockstepCase;
using meander::scenarios::ScenarioRun;

std::string Hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += {kDigits[value >> 4], kDigits[value & 15]};
  }
  return text;
}

template <typename T>
void PrintColumn(MeanderColumn column, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  std::cout << "column " << column << ' '
            << Hexadecimal(
                   {reinterpret_cast<const char*>(bytes.data()), bytes.size()})
            << '\n';
}

void PrintColumns(const meander::core::World& world) {
  meander::core::MotionColumns motion;
  meander::core::ColdColumns cold;
  world.CopyMotion(motion);
  world.CopyCold(cold);
  PrintColumn(kMeanderId, motion.id);
  PrintColumn(kMeanderArchetypeId, cold.archetype_id);
  PrintColumn(kMeanderTag, cold.tag);
  PrintColumn(kMeanderPositionX, motion.position_x);
  PrintColumn(kMeanderPositionY, motion.position_y);
  PrintColumn(kMeanderPositionZ, motion.position_z);
  PrintColumn(kMeanderVelocityX, motion.velocity_x);
  PrintColumn(kMeanderVelocityY, motion.velocity_y);
  PrintColumn(kMeanderVelocityZ, motion.velocity_z);
}

}  // namespace

int main() {
  const LockstepCase lockstep = meander::scenarios::MakeLockstepCase();
  ScenarioRun authority = meander::scenarios::Authority(lockstep);
  std::cout << "snapshot " << Hexadecimal(lockstep.snapshot)
            << "\nanother_version "
            << Hexadecimal(
                   meander::scenarios::OfAnotherVersion(lockstep.snapshot))
            << '\n';
  meander::core::SerialFor serial;
  auto record = lockstep.records.begin();
  while (authority.world().tick() < lockstep.last_tick) {
    // Each some ticks before it is to be applied, but in their order.
    while (record != lockstep.records.end() &&
           meander::core::DecodeCommand(*record)->apply_tick <
               authority.world().tick() + 10) {
      std::cout << "record " << Hexadecimal(*record++) << '\n';
    }
    authority.StepTo(authority.world().tick() + 1, serial);
    std::cout << "step " << authority.world().tick() << ' '
              << authority.world().Hash(serial).value << '\n';
  }
  PrintColumns(authority.world());
  return std::cout.good() ? 0 : 1;
}
