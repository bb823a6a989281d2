// All commands of meanderctl, one function for each file of them.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMMANDS_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMMANDS_H_

#include <string>

#include "client_examples/meanderctl/command_line.h"

namespace meander::ctl {

void AddWorldCommands(CommandLine& line);      // create, get, list, delete
void AddUpdateCommand(CommandLine& line);      // update
void AddClockCommands(CommandLine& line);      // step, pause, resume
void AddHashCommand(CommandLine& line);        // hash
void AddSpawnCommand(CommandLine& line);       // spawn
void AddBatchCommands(CommandLine& line);      // command, outcomes
void AddAgentCommands(CommandLine& line);      // agents, archetypes
void AddWatchCommand(CommandLine& line);       // watch
void AddDemoCommand(CommandLine& line);        // demo
void AddServerCommands(CommandLine& line);     // info, health, version
void AddCompletionCommand(CommandLine& line);  // completion

// "meanderctl 0.1.0 (simulation version 1)".
std::string VersionText();

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMMANDS_H_
