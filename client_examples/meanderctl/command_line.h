// The commands of meanderctl and their options: CLI11's tree, with what it
// does not keep: examples, what a value may be, and which field it fills.
//
// A command's options live as long as the tree; Run is called with them once
// the whole line has been parsed. Help, completion and the hints of errors are
// all made from this one tree. Single-threaded.
#ifndef MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMMAND_LINE_H_
#define MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMMAND_LINE_H_

#include <CLI/App.hpp>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client_examples/meanderctl/values.h"

namespace meander::ctl {

class Session;

// What completion offers for a value.
enum class Offer { kNothing, kFiles, kWorlds };

// One option or positional argument.
class Option {
 public:
  explicit Option(CLI::Option* cli) : cli_(cli) {}

  Option& Required();
  Option& Offers(Offer offer);
  Option& OffersWords(std::vector<std::string> words);
  // The field of the request, as a path from it, that the value goes to; "*"
  // stands for any index. Errors about it or below it name this option.
  Option& Fills(std::string field);
  Option& Excludes(const Option& other);
  // More than one value.
  Option& Repeats();
  Option& Environment(const std::string& variable);

  const CLI::Option& cli() const { return *cli_; }
  bool positional() const { return cli_->get_positional(); }
  // As a person names it: "--ticks", or "WORLD".
  std::string Name() const;
  // "" for one that takes no value.
  std::string ValueName() const;
  const std::vector<std::string>& words() const { return words_; }
  Offer offer() const { return offer_; }
  const std::vector<std::string>& fields() const { return fields_; }

 private:
  CLI::Option* cli_;
  std::vector<std::string> words_;
  Offer offer_ = Offer::kNothing;
  std::vector<std::string> fields_;
};

// Options of one CLI::App.
class OptionList {
 public:
  explicit OptionList(CLI::App* app) : app_(app) {}

  // `names` as CLI11 has them: "--ticks", "-q,--quiet", "world"; `value` is
  // what stands for the value in the help.
  template <typename T>
  Option& Value(const std::string& names, std::optional<T>& target,
                const std::string& value, const std::string& help) {
    return Add(names, value, help, [&target](std::string_view text) {
      T parsed{};
      Wrong wrong = ParseValue(text, parsed);
      if (!wrong) target = parsed;
      return wrong;
    });
  }
  template <typename Enum>
  Option& Choice(const std::string& names, std::optional<Enum>& target,
                 const std::string& help) {
    const auto& type = *google::protobuf::GetEnumDescriptor<Enum>();
    return AddChoice(
        names, Choices(type), help, [&type, &target](std::string_view word) {
          const std::optional<int> number = ChoiceNumber(type, word);
          if (number) target = static_cast<Enum>(*number);
          return number.has_value();
        });
  }
  Option& Text(const std::string& names, std::string& target,
               const std::string& value, const std::string& help);
  // One or more, each after its name or all of them as positionals.
  Option& Texts(const std::string& names, std::vector<std::string>& target,
                const std::string& value, const std::string& help);
  Option& Switch(const std::string& names, bool& target,
                 const std::string& help);

  const std::list<Option>& options() const { return options_; }
  // The one whose value filled the field of a request, where there is one.
  const Option* FillerOf(std::string_view field) const;
  CLI::App& cli() const { return *app_; }

 private:
  using Parser = std::function<Wrong(std::string_view)>;
  Option& Add(const std::string& names, const std::string& value,
              const std::string& help, Parser parser);
  Option& AddChoice(const std::string& names, std::vector<std::string> words,
                    const std::string& help,
                    std::function<bool(std::string_view)> parser);

  CLI::App* app_;
  std::list<Option> options_;  // addresses stay
};

// What the help says about a command.
struct CommandText {
  const char* group;
  const char* name;
  const char* summary;   // one line
  const char* text;      // paragraphs
  const char* examples;  // lines; "$ " before what is typed
};

// The exit code of the program.
using Action = std::function<int(Session&)>;

class Command : public OptionList {
 public:
  Command(CLI::App* app, const CommandText& text)
      : OptionList(app), text_(text) {}

  // "meadow" or "worlds/meadow".
  Option& World(std::string& target);
  Option& Worlds(std::vector<std::string>& targets);
  void Does(Action action) { action_ = std::move(action); }

  const CommandText& text() const { return text_; }
  const Action& action() const { return action_; }

 private:
  CommandText text_;
  Action action_;
};

class CommandLine {
 public:
  explicit CommandLine(const CommandText& text);

  OptionList& globals() { return globals_; }
  const OptionList& globals() const { return globals_; }
  Command& Add(const CommandText& text);
  // What --version says.
  void SetVersion(const std::string& text);

  const CommandText& text() const { return text_; }
  const std::list<Command>& commands() const { return commands_; }
  // Throws what CLI11 throws: CLI::CallForHelp, or what is wrong.
  void Parse(int argc, const char* const* argv);
  // The one that was named on the parsed line; nullptr for none.
  const Command* chosen() const;
  const Command* Find(std::string_view name) const;

 private:
  CommandText text_;
  CLI::App app_;
  OptionList globals_;
  std::list<Command> commands_;
};

// "worlds/meadow" of "meadow", too.
std::string WorldName(std::string_view name);

}  // namespace meander::ctl

#endif  // MEANDER_CLIENT_EXAMPLES_MEANDERCTL_COMMAND_LINE_H_
