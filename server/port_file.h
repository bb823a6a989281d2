// The file that tells the port on which a server really listens: the number in
// decimal and a line feed, whole or not there at all.
//
// Written by a server once it listens; it stays when the server ends.
#ifndef MEANDER_SERVER_PORT_FILE_H_
#define MEANDER_SERVER_PORT_FILE_H_

#include <optional>
#include <string>

namespace meander {

// What went wrong, for a person.
std::optional<std::string> WritePortFile(const std::string& path, int port);

// None when the file cannot be read or holds no port from 1 to 65535.
std::optional<int> ReadPortFile(const std::string& path);

}  // namespace meander

#endif  // MEANDER_SERVER_PORT_FILE_H_
