#include "client_examples/meanderctl/command_line.h"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <utility>

namespace meander::ctl {
namespace {

// Whether `pattern` names `field` or a field that it is in, where "*" stands
// for digits.
bool Covers(std::string_view pattern, std::string_view field) {
  while (!pattern.empty()) {
    if (pattern.front() == '*') {
      pattern.remove_prefix(1);
      while (!field.empty() && field.front() >= '0' && field.front() <= '9') {
        field.remove_prefix(1);
      }
    } else if (!field.empty() && field.front() == pattern.front()) {
      pattern.remove_prefix(1);
      field.remove_prefix(1);
    } else {
      return false;
    }
  }
  return field.empty() || field.front() == '.' || field.front() == '[';
}

}  // namespace

Option& Option::Required() {
  cli_->required();
  return *this;
}

Option& Option::Offers(Offer offer) {
  offer_ = offer;
  return *this;
}

Option& Option::OffersWords(std::vector<std::string> words) {
  words_ = std::move(words);
  return *this;
}

Option& Option::Fills(std::string field) {
  fields_.push_back(std::move(field));
  return *this;
}

Option& Option::Excludes(const Option& other) {
  cli_->excludes(other.cli_);
  return *this;
}

Option& Option::Repeats() {
  if (positional()) {
    cli_->expected(CLI::detail::expected_max_vector_size);
  } else {
    // Each name takes one value, and may come again.
    cli_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  return *this;
}

Option& Option::Environment(const std::string& variable) {
  cli_->envname(variable);
  return *this;
}

std::string Option::Name() const {
  return positional() ? ValueName() : cli_->get_name();
}

std::string Option::ValueName() const {
  return cli_->get_expected_max() == 0 ? "" : cli_->get_type_name();
}

Option& OptionList::Add(const std::string& names, const std::string& value,
                        const std::string& help, Parser parser) {
  CLI::Option* const option = app_->add_option(
      names,
      CLI::callback_t([parser = std::move(parser), names,
                       value](const CLI::results_t& results) {
        for (const std::string& text : results) {
          if (const Wrong wrong = parser(text)) {
            const bool flag = names.front() == '-';
            throw CLI::ValidationError((flag ? names : value) + ": \"" + text +
                                       "\" " + *wrong);
          }
        }
        return true;
      }),
      help);
  option->type_name(value)->expected(1);
  return options_.emplace_back(option);
}

Option& OptionList::AddChoice(const std::string& names,
                              std::vector<std::string> words,
                              const std::string& help,
                              std::function<bool(std::string_view)> parser) {
  std::string all;
  for (const std::string& word : words) {
    if (!all.empty()) all += '|';
    all += word;
  }
  return Add(names, all, help,
             [parser = std::move(parser), all](std::string_view text) -> Wrong {
               if (parser(text)) return std::nullopt;
               return "is not one of " + all;
             })
      .OffersWords(std::move(words));
}

Option& OptionList::Text(const std::string& names, std::string& target,
                         const std::string& value, const std::string& help) {
  return Add(names, value, help, [&target](std::string_view text) -> Wrong {
    target = text;
    return std::nullopt;
  });
}

Option& OptionList::Texts(const std::string& names,
                          std::vector<std::string>& target,
                          const std::string& value, const std::string& help) {
  Option& option =
      Add(names, value, help, [&target](std::string_view text) -> Wrong {
        target.emplace_back(text);
        return std::nullopt;
      });
  return option.Repeats();
}

Option& OptionList::Switch(const std::string& names, bool& target,
                           const std::string& help) {
  return options_.emplace_back(app_->add_flag(names, target, help));
}

const Option* OptionList::FillerOf(std::string_view field) const {
  const Option* best = nullptr;
  std::size_t longest = 0;
  for (const Option& option : options_) {
    // What was not given did not fill anything.
    if (option.cli().count() == 0) continue;
    for (const std::string& pattern : option.fields()) {
      if (pattern.size() > longest && Covers(pattern, field)) {
        best = &option;
        longest = pattern.size();
      }
    }
  }
  return best;
}

Option& Command::World(std::string& target) {
  return Text("WORLD", target, "WORLD", "the world: meadow, or worlds/meadow")
      .Required()
      .Offers(Offer::kWorlds)
      .Fills("world")
      .Fills("name");
}

Option& Command::Worlds(std::vector<std::string>& targets) {
  return Texts("WORLD", targets, "WORLD",
               "the worlds: meadow, or worlds/meadow")
      .Required()
      .Offers(Offer::kWorlds)
      .Fills("name");
}

CommandLine::CommandLine(const CommandText& text)
    : text_(text), app_("", text.name), globals_(&app_) {
  app_.require_subcommand(1);
  // Options for every command may stand before its name or after it.
  app_.fallthrough();
}

Command& CommandLine::Add(const CommandText& text) {
  return commands_.emplace_back(app_.add_subcommand(text.name, ""), text);
}

void CommandLine::SetVersion(const std::string& text) {
  app_.set_version_flag("--version", text);
}

void CommandLine::Parse(int argc, const char* const* argv) {
  std::vector<std::string> arguments;  // the last one first
  for (int i = argc - 1; i > 0; --i) {
    std::string argument = argv[i];
    // CLI11 would split "[a,b]" at its commas; to JSON a space is nothing.
    if (argument.starts_with('[')) argument.insert(0, 1, ' ');
    arguments.push_back(std::move(argument));
  }
  try {
    app_.parse(std::move(arguments));
  } catch (const CLI::RequiredError&) {
    const std::vector<std::string> unknown = app_.remaining();
    if (chosen() != nullptr || unknown.empty()) throw;
    const bool option = unknown.front().starts_with('-');
    throw CLI::ExtrasError(std::string("there is no ") +
                               (option ? "option" : "command") + " \"" +
                               unknown.front() + '"',
                           CLI::ExitCodes::ExtrasError);
  }
}

const Command* CommandLine::chosen() const {
  for (const Command& command : commands_) {
    if (command.cli().parsed()) return &command;
  }
  return nullptr;
}

const Command* CommandLine::Find(std::string_view name) const {
  for (const Command& command : commands_) {
    if (name == command.text().name) return &command;
  }
  return nullptr;
}

std::string WorldName(std::string_view name) {
  constexpr std::string_view kPrefix = "worlds/";
  if (name.starts_with(kPrefix)) return std::string(name);
  return std::string(kPrefix).append(name);
}

}  // namespace meander::ctl
