#include "server/port_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace meander {

std::optional<std::string> WritePortFile(const std::string& path, int port) {
  const std::string draft = path + '.' + std::to_string(getpid());
  const std::string text = std::to_string(port) + '\n';
  std::FILE* file = std::fopen(draft.c_str(), "w");
  bool written = file != nullptr;
  if (file != nullptr) {
    written = std::fputs(text.c_str(), file) >= 0;
    written = std::fclose(file) == 0 && written;
  }
  if (written && std::rename(draft.c_str(), path.c_str()) == 0) return {};
  return "cannot write --port_file=" + path + ": " + std::strerror(errno);
}

std::optional<int> ReadPortFile(const std::string& path) {
  std::ifstream file(path);
  int port = 0;
  if (!(file >> port) || port < 1 || port > 65'535) return std::nullopt;
  return port;
}

}  // namespace meander
