#include "client_examples/meanderctl/help.h"

#include <cstddef>
#include <string_view>

namespace meander::ctl {
namespace {

constexpr std::size_t kWidth = 80;
// Where the explanations of options and commands begin.
constexpr std::size_t kIndent = 26;

// `text` in lines of at most kWidth, each after the first indented.
std::string Wrap(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t length = text.find(' ');
    const std::string_view word = text.substr(0, length);
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(length == std::string_view::npos ? text.size()
                                                        : length + 1);
  }
  return out + '\n';
}

std::string Entry(const std::string& name, std::string_view text) {
  std::string out = "  " + name;
  if (out.size() + 2 > kIndent) {
    out += '\n' + std::string(kIndent, ' ');
  } else {
    out.resize(kIndent, ' ');
  }
  return out + Wrap(text, kIndent);
}

std::string Entry(const Option& option) {
  if (option.positional()) {
    return Entry(option.ValueName(), option.cli().get_description());
  }
  std::string name = option.cli().get_name(false, true);
  const std::size_t comma = name.find(',');
  if (comma != std::string::npos) name.insert(comma + 1, " ");
  if (!option.ValueName().empty()) name += ' ' + option.ValueName();
  return Entry(name, option.cli().get_description());
}

std::string Entries(const OptionList& list, bool positional,
                    const std::string& title) {
  std::string out;
  for (const Option& option : list.options()) {
    if (option.positional() == positional) out += Entry(option);
  }
  return out.empty() ? out : '\n' + title + ":\n" + out;
}

std::string Globals(const CommandLine& line) {
  return Entries(line.globals(), false, "Options of every command") +
         Entry("-h, --help", "explain meanderctl, or a command");
}

// Their names alone.
std::string GlobalNames(const CommandLine& line) {
  std::string names;
  for (const Option& option : line.globals().options()) {
    names += option.Name() + ' ';
  }
  return "\n" +
         Wrap("Options of every command (`meanderctl --help` explains): " +
                  names + "--help",
              0);
}

std::string Usage(const Command& command) {
  std::string out = std::string("usage: meanderctl ") + command.text().name;
  bool options = false;
  for (const Option& option : command.options()) {
    if (!option.positional()) {
      options = true;
      continue;
    }
    std::string name = option.ValueName();
    if (option.cli().get_expected_max() > 1) name += "...";
    out += option.cli().get_required() ? ' ' + name : " [" + name + ']';
  }
  return out + (options ? " [OPTION...]\n" : "\n");
}

// `print` for each line of a text that ends with a line's end.
template <typename Print>
std::string EachLine(std::string_view text, const Print& print) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += print(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return out;
}

// Lines that are set in stay as they are.
std::string Paragraphs(const CommandText& text) {
  return EachLine(text.text, [](std::string_view line) {
    return line.starts_with(' ') ? std::string(line) + '\n' : Wrap(line, 0);
  });
}

std::string Examples(const CommandText& text) {
  return "\nExamples:\n" + EachLine(text.examples, [](std::string_view line) {
           return "  " + std::string(line) + '\n';
         });
}

}  // namespace

std::string Help(const CommandLine& line) {
  std::string out =
      "usage: meanderctl [OPTION...] COMMAND ...\n\n" + Paragraphs(line.text());
  std::string_view group;
  for (const Command& command : line.commands()) {
    if (group != command.text().group) {
      group = command.text().group;
      out += '\n' + std::string(group) + ":\n";
    }
    out += Entry(command.text().name, command.text().summary);
  }
  return out + Globals(line) + Entry("--version", "say which version this is") +
         Examples(line.text());
}

std::string Help(const CommandLine& line, const Command& command) {
  return Usage(command) + '\n' + Paragraphs(command.text()) +
         Entries(command, true, "Arguments") +
         Entries(command, false, "Options") + GlobalNames(line) +
         Examples(command.text());
}

}  // namespace meander::ctl
