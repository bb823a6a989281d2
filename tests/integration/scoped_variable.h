// A variable of the environment, which programs that are started inherit, as
// long as this is in scope. Not for tests with threads that read others.
#ifndef MEANDER_TESTS_INTEGRATION_SCOPED_VARIABLE_H_
#define MEANDER_TESTS_INTEGRATION_SCOPED_VARIABLE_H_

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace meander {

class ScopedVariable {
 public:
  ScopedVariable(std::string name, const std::string& value)
      : name_(std::move(name)) {
    if (const char* const before = std::getenv(name_.c_str())) {
      before_ = before;
    }
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (before_) {
      setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      unsetenv(name_.c_str());
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const std::string name_;
  std::optional<std::string> before_;
};

}  // namespace meander

#endif  // MEANDER_TESTS_INTEGRATION_SCOPED_VARIABLE_H_
