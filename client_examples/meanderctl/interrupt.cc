#include "client_examples/meanderctl/interrupt.h"

#include <pthread.h>
#include <signal.h>

#include <cstdlib>
#include <utility>

namespace meander::ctl {
namespace {

// Ends the thread.
constexpr int kStop = SIGUSR1;
constexpr int kSignalExit = 128;  // As a shell counts.

}  // namespace

Interrupt::Interrupt(std::function<void()> on_signal) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, kStop}) {
    sigaddset(&signals, number);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::thread([signals, on_signal = std::move(on_signal)] {
    for (bool first = true;; first = false) {
      int number = 0;
      while (sigwait(&signals, &number) != 0) {
      }
      if (number == kStop) return;
      if (!first) std::_Exit(kSignalExit + number);
      on_signal();
    }
  });
}

Interrupt::~Interrupt() {
  pthread_kill(thread_.native_handle(), kStop);
  thread_.join();
}

}  // namespace meander::ctl
