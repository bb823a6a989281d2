// The built meanderd as a process of its own.
//
// Listens on a port of the system's choosing. Ends the process it started, and
// no other, at the latest when it goes out of scope. Single-threaded.
#ifndef MEANDER_TESTS_INTEGRATION_SERVER_PROCESS_H_
#define MEANDER_TESTS_INTEGRATION_SERVER_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace meander {

// Any program with its output in pipes.
class Process {
 public:
  // argv[0] is the path.
  explicit Process(const std::vector<std::string>& argv);
  // Kills what still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int number) const;
  // Exit code, or 128 and the number of the signal that ended it.
  int Wait();

  // The next line of its output; what there is at the end.
  std::string ReadLine();
  // The rest of its output. Ends when the process does.
  std::string ReadOutput();
  // Everything on its standard error. Ends when the process does.
  std::string ReadErrors();

 private:
  pid_t pid_ = -1;  // -1 once it has been waited for
  int exit_code_ = -1;
  int out_ = -1;
  int err_ = -1;
};

// A server that listens once it is constructed.
class ServerProcess {
 public:
  // More flags than it needs to listen.
  explicit ServerProcess(const std::vector<std::string>& flags = {});
  // Stops it, and fails the test when it does not end well.
  ~ServerProcess();

  const std::string& address() const { return address_; }
  pid_t pid() const { return process_->pid(); }

  void Signal(int number) const { process_->Signal(number); }
  // Waits for the end; the destructor asks no more.
  int Wait();

 private:
  std::string port_file_;
  std::unique_ptr<Process> process_;
  std::string address_;
  bool waited_ = false;
};

// A run of meanderd that ends by itself; one that begins to listen is killed.
struct Outcome {
  explicit Outcome(const std::vector<std::string>& flags);

  int code = -1;
  std::string output;
  std::string errors;
};

// The path of meanderd.
std::string ServerPath();
// A file name of this process that no other test uses.
std::string TemporaryPath(const std::string& name);

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_SERVER_PROCESS_H_
