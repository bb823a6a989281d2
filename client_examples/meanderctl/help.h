// The help texts, from the tree of commands. Lines of at most 80 characters,
// but for examples. Pure functions.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_HELP_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_HELP_H_

#include <string>

#include "client_examples/meanderctl/command_line.h"

namespace meander::ctl {

// Of the whole program.
std::string Help(const CommandLine& line);
// Of one command.
std::string Help(const CommandLine& line, const Command& command);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_HELP_H_
