#include "client_examples/meanderctl/complete.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "client_examples/meanderctl/connection.h"

namespace meander::ctl {
namespace {

constexpr std::chrono::milliseconds kPatience{1000};

// Where the cursor is.
struct Place {
  const Command* command = nullptr;
  // The option whose value it is, or whose value follows "=".
  const Option* option = nullptr;
  std::size_t positional = 0;     // how many came before, of the command
  bool only_positionals = false;  // after "--"
  std::string server;             // of --server
};

// bash has split words at "=" and ":"; here they are whole again.
std::vector<std::string> Rejoin(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  bool open = false;  // what comes belongs to the word before
  for (const std::string& word : words) {
    const bool breaks = word == "=" || word == ":";
    if (!out.empty() && (breaks || open)) {
      out.back() += word;
    } else {
      out.push_back(word);
    }
    open = breaks;
  }
  return out;
}

bool HasName(const Option& option, const std::string& name) {
  return !option.positional() && option.cli().check_name(name);
}

const Option* FindOption(const CommandLine& line, const Command* command,
                         const std::string& name) {
  for (const OptionList* list :
       {static_cast<const OptionList*>(command), &line.globals()}) {
    if (list == nullptr) continue;
    for (const Option& option : list->options()) {
      if (HasName(option, name)) return &option;
    }
  }
  return nullptr;
}

bool TakesValue(const Option& option) { return !option.ValueName().empty(); }

// Reads the words before the cursor.
Place Walk(const CommandLine& line, const std::vector<std::string>& words) {
  Place place;
  for (const std::string& word : words) {
    const Option* const pending = std::exchange(place.option, nullptr);
    if (pending != nullptr) {
      if (pending->Name() == "--server") place.server = word;
    } else if (!place.only_positionals && word == "--") {
      place.only_positionals = true;
    } else if (!place.only_positionals && word.size() > 1 && word[0] == '-') {
      const std::size_t equals = word.find('=');
      const Option* const option =
          FindOption(line, place.command, word.substr(0, equals));
      if (option == nullptr || !TakesValue(*option)) continue;
      if (equals == std::string::npos) {
        place.option = option;
      } else if (option->Name() == "--server") {
        place.server = word.substr(equals + 1);
      }
    } else if (place.command == nullptr) {
      place.command = line.Find(word);
    } else {
      ++place.positional;
    }
  }
  return place;
}

std::vector<std::string> WorldNames(const Place& place, bool prefixed) {
  std::string server = place.server;
  if (server.empty()) {
    const char* const named = std::getenv("MEANDER_SERVER");
    server = named != nullptr && *named != '\0' ? named : kDefaultServer;
  }
  const Connection connection(server);
  v1::ListWorldsRequest request;
  constexpr int kMost = 1000;
  request.set_page_size(kMost);
  v1::ListWorldsResponse response;
  const grpc::Status status =
      Call({kPatience, 0, true}, Repeat::kUnsafe, connection.worlds,
           &v1::WorldService::Stub::ListWorlds, request, response);
  std::vector<std::string> names;
  if (!status.ok()) return names;
  const std::size_t skip = prefixed ? 0 : WorldName("").size();
  for (const v1::World& world : response.worlds()) {
    names.push_back(world.name().substr(skip));
  }
  return names;
}

// The positional that comes after so many; the last one takes all the rest.
const Option* PositionalAfter(const Command& command, std::size_t count) {
  const Option* last = nullptr;
  for (const Option& option : command.options()) {
    if (!option.positional()) continue;
    last = &option;
    if (count == 0) return last;
    --count;
  }
  return last != nullptr && last->cli().get_expected_max() > 1 ? last : nullptr;
}

std::vector<std::string> OptionNames(const CommandLine& line,
                                     const Command* command) {
  std::vector<std::string> names;
  for (const OptionList* list :
       {static_cast<const OptionList*>(command), &line.globals()}) {
    if (list == nullptr) continue;
    for (const Option& option : list->options()) {
      if (!option.positional()) names.push_back(option.Name());
    }
  }
  names.push_back("--help");
  if (command == nullptr) names.push_back("--version");
  return names;
}

std::vector<std::string> CommandNames(const CommandLine& line) {
  std::vector<std::string> names;
  for (const Command& command : line.commands()) {
    names.push_back(command.text().name);
  }
  return names;
}

void Print(const std::vector<std::string>& candidates,
           std::string_view prefix) {
  std::puts("words");
  for (const std::string& candidate : candidates) {
    if (candidate.starts_with(prefix)) std::puts(candidate.c_str());
  }
}

}  // namespace

int Complete(const CommandLine& line,
             const std::vector<std::string>& arguments) {
  const std::size_t cursor =
      arguments.empty() ? 0 : std::strtoul(arguments[0].c_str(), nullptr, 10);
  // The first word is the program.
  if (cursor == 0 || arguments.size() < 2) return 2;
  std::vector<std::string> words(
      arguments.begin() + 2,
      arguments.begin() +
          static_cast<std::ptrdiff_t>(std::min(arguments.size(), cursor + 2)));
  words.resize(cursor);
  // What bash replaces; a break alone stands for the empty word after it.
  std::string prefix = words.back();
  if (prefix == "=" || prefix == ":") prefix.clear();

  words = Rejoin(words);
  const std::string current = words.back();
  words.pop_back();
  Place place = Walk(line, words);
  const std::size_t equals = current.find('=');
  if (place.option == nullptr && current.starts_with("--") &&
      equals != std::string::npos) {
    place.option = FindOption(line, place.command, current.substr(0, equals));
  }

  const Option* value = place.option;
  if (value == nullptr && !place.only_positionals && current.starts_with('-')) {
    Print(OptionNames(line, place.command), prefix);
    return 0;
  }
  if (value == nullptr && place.command == nullptr) {
    Print(CommandNames(line), prefix);
    return 0;
  }
  if (value == nullptr) {
    value = PositionalAfter(*place.command, place.positional);
  }
  if (value == nullptr) {
    Print({}, prefix);
  } else if (value->offer() == Offer::kFiles) {
    std::puts("files");
  } else if (value->offer() == Offer::kWorlds) {
    Print(WorldNames(place, prefix.starts_with("worlds/")), prefix);
  } else {
    Print(value->words(), prefix);
  }
  return 0;
}

}  // namespace meander::ctl
