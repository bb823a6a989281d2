// Completion for bash: what may stand where the cursor is.
//
// The script that `meanderctl completion bash` prints asks this program, which
// walks the tree of commands; so it is never older than the program. Names of
// worlds come from the server, if it answers within a second.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMPLETE_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMPLETE_H_

#include <string>
#include <vector>

#include "client_examples/meanderctl/command_line.h"

namespace meander::ctl {

// The first argument that asks for it.
inline constexpr char kCompleteWord[] = "__complete";

// `arguments` are bash's COMP_CWORD and then its COMP_WORDS. Prints "files",
// or "words" and a candidate a line. Returns the exit code.
int Complete(const CommandLine& line,
             const std::vector<std::string>& arguments);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMPLETE_H_
