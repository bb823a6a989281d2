// Ctrl-C as an event.
//
// While one lives, SIGINT and SIGTERM do not end the process: the first of them
// calls a function, on a thread of its own; a second one ends it at once. Must
// be made before any other thread, for threads inherit what they block.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_INTERRUPT_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_INTERRUPT_H_

#include <functional>
#include <thread>

namespace meander::ctl {

class Interrupt {
 public:
  explicit Interrupt(std::function<void()> on_signal);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::thread thread_;
};

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_INTERRUPT_H_
