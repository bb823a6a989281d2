#include "tests/integration/server_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "core/error.h"

extern char** environ;

namespace meander {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe MakePipe() {
  int ends[2];
  MEANDER_CHECK(pipe2(ends, O_CLOEXEC) == 0);
  return {ends[0], ends[1]};
}

// One byte, or false at the end.
bool ReadByte(int fd, char& byte) {
  for (;;) {
    const ssize_t got = read(fd, &byte, 1);
    if (got == 1) return true;
    if (got == 0 || errno != EINTR) return false;
  }
}

std::string ReadAll(int fd) {
  std::string text;
  for (char byte; ReadByte(fd, byte);) text += byte;
  return text;
}

}  // namespace

Process::Process(const std::vector<std::string>& argv) {
  const Pipe out = MakePipe();
  const Pipe err = MakePipe();
  out_ = out.read_end;
  err_ = err.read_end;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& argument : argv) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const int failure = posix_spawn(&pid_, argv[0].c_str(), &actions, nullptr,
                                  arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out.write_end);
  close(err.write_end);
  if (failure != 0) {
    ADD_FAILURE() << argv[0] << " does not start: error " << failure;
    pid_ = -1;
  }
}

Process::~Process() {
  if (pid_ > 0) {
    Signal(SIGKILL);
    Wait();
  }
  close(out_);
  close(err_);
}

void Process::Signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

int Process::Wait() {
  if (pid_ <= 0) return exit_code_;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

std::string Process::ReadLine() {
  std::string line;
  for (char byte; ReadByte(out_, byte) && byte != '\n';) line += byte;
  return line;
}

std::string Process::ReadOutput() { return ReadAll(out_); }

std::string Process::ReadErrors() { return ReadAll(err_); }

ServerProcess::ServerProcess(const std::vector<std::string>& flags)
    : port_file_(TemporaryPath("port")) {
  std::vector<std::string> argv = {ServerPath(), "--listen=127.0.0.1:0",
                                   "--port_file=" + port_file_};
  argv.insert(argv.end(), flags.begin(), flags.end());
  process_ = std::make_unique<Process>(argv);
  // The line comes when the server listens and the file is there.
  const std::string line = process_->ReadLine();
  std::string port;
  std::ifstream(port_file_) >> port;
  address_ = "127.0.0.1:" + port;
  if (line.find(address_ + " ") == std::string::npos) {
    ADD_FAILURE() << "the server says \"" << line << "\" and its port file \""
                  << port << "\"";
  }
}

ServerProcess::~ServerProcess() {
  if (!waited_) {
    Signal(SIGTERM);
    EXPECT_EQ(Wait(), 0);
  }
  std::remove(port_file_.c_str());
}

int ServerProcess::Wait() {
  waited_ = true;
  const int code = process_->Wait();
  // What a sanitizer or a failed check has to say.
  if (code != 0) ADD_FAILURE() << process_->ReadErrors();
  return code;
}

Outcome::Outcome(const std::vector<std::string>& flags) {
  std::vector<std::string> argv = {ServerPath()};
  argv.insert(argv.end(), flags.begin(), flags.end());
  Process process(argv);
  for (std::string line; !(line = process.ReadLine()).empty();) {
    output += line + '\n';
    if (line.find("listens") != std::string::npos) process.Signal(SIGKILL);
  }
  errors = process.ReadErrors();
  code = process.Wait();
}

std::string ServerPath() { return MEANDERD_PATH; }

std::string TemporaryPath(const std::string& name) {
  static int serial = 0;
  return testing::TempDir() + "meander_" + std::to_string(getpid()) + "_" +
         std::to_string(serial++) + "_" + name;
}

}  // namespace meander
