// Admitted commands that between them use every operation, behavior, kind of
// target and kind of area: for tests of codecs, and as the vectors in
// tests/vectors/commands.txt.
#ifndef MEANDER_TESTS_CORE_CODEC_SAMPLE_COMMANDS_H_
#define MEANDER_TESTS_CORE_CODEC_SAMPLE_COMMANDS_H_

#include <string>
#include <vector>

#include "core/command.h"

namespace meander::core {

struct SampleCommand {
  std::string name;
  AdmittedCommand command;
};

std::vector<SampleCommand> SampleCommands();

}  // namespace meander::core

#endif  // MEANDER_TESTS_CORE_CODEC_SAMPLE_COMMANDS_H_
