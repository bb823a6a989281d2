#include "server/hosting/world_filter.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace meander::hosting {
namespace {

using core::Error;
using core::ErrorCode;

template <typename Value>
struct Name {
  std::string_view name;
  Value value;
};
constexpr std::array kStates{
    Name<ClockState>{"RUNNING", ClockState::kRunning},
    Name<ClockState>{"PAUSED", ClockState::kPaused},
    Name<ClockState>{"OVERLOADED", ClockState::kOverloaded}};
constexpr std::array kModes{
    Name<ClockMode>{"REALTIME", ClockMode::kRealtime},
    Name<ClockMode>{"MANUAL", ClockMode::kManual},
    Name<ClockMode>{"UNTHROTTLED", ClockMode::kUnthrottled}};

constexpr std::string_view kLabelPrefix = "labels.";

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

}  // namespace

// Each method takes what it is named after and returns false, with the error
// set, when something else stands there.
class WorldFilter::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { SkipSpace(); }

  bool Filter(WorldFilter& filter) {
    if (AtEnd()) return true;
    for (;;) {
      if (!Term(filter)) return false;
      if (AtEnd()) return true;
      if (TakeWord() != "AND") return Expected("AND or the end");
    }
  }

  Error error() const {
    return {ErrorCode::kMalformed, "filter",
            "at character " + std::to_string(word_start_ + 1) + ": expected " +
                expected_};
  }

 private:
  bool Term(WorldFilter& filter) {
    std::string_view subject = TakeWord();
    bool wanted = true;
    if (subject == "NOT") {
      wanted = false;
      subject = TakeWord();
    }
    std::optional<Fact> fact;
    if (subject == "labels") {
      fact = LabelPresence();
    } else if (subject.starts_with(kLabelPrefix)) {
      fact = LabelValue(subject.substr(kLabelPrefix.size()), wanted);
    } else if (subject == "state") {
      fact = OneOf(kStates, "RUNNING, PAUSED or OVERLOADED", wanted);
    } else if (subject == "clock_mode") {
      fact = OneOf(kModes, "REALTIME, MANUAL or UNTHROTTLED", wanted);
    } else {
      Expected("labels.KEY, labels:KEY, state or clock_mode");
    }
    if (!fact) return false;
    filter.terms_.push_back({*std::move(fact), wanted});
    return true;
  }

  std::optional<Fact> LabelPresence() {
    if (!TakeSymbol(":")) {
      Expected("\":\" and a label's key");
      return std::nullopt;
    }
    const std::string_view key = TakeWord();
    if (!Key(key)) return std::nullopt;
    return HasLabel{std::string(key)};
  }

  std::optional<Fact> LabelValue(std::string_view key, bool& wanted) {
    if (!Key(key) || !Operator(wanted)) return std::nullopt;
    word_start_ = at_;
    const std::size_t end =
        TakeSymbol("\"", false) ? text_.find('"', at_) : text_.npos;
    const std::string_view value = text_.substr(at_, end - at_);
    if (end == text_.npos || !IsLabelValue(value)) {
      Expected(
          "a label's value between quotation marks: at most 63 letters, "
          "digits, '-', '_' and '.'");
      return std::nullopt;
    }
    at_ = end + 1;
    SkipSpace();
    return LabelIs{std::string(key), std::string(value)};
  }

  template <typename Names>
  std::optional<Fact> OneOf(const Names& names, const char* list,
                            bool& wanted) {
    if (!Operator(wanted)) return std::nullopt;
    const std::string_view word = TakeWord();
    const auto found =
        std::find_if(names.begin(), names.end(),
                     [word](const auto& entry) { return entry.name == word; });
    if (found == names.end()) {
      Expected(list);
      return std::nullopt;
    }
    return found->value;
  }

  bool Key(std::string_view key) {
    if (IsLabelKey(key)) return true;
    return Expected(
        "a label's key: 1 to 63 lower-case letters, digits, '-', '_' and '.', "
        "the first a letter");
  }

  // "!=" turns `wanted` round.
  bool Operator(bool& wanted) {
    word_start_ = at_;
    if (TakeSymbol("=")) return true;
    if (!TakeSymbol("!=")) return Expected("\"=\" or \"!=\"");
    wanted = !wanted;
    return true;
  }

  bool Expected(const char* what) {
    expected_ = what;
    return false;
  }

  bool AtEnd() const { return at_ == text_.size(); }
  void SkipSpace() {
    while (!AtEnd() && IsSpace(text_[at_])) ++at_;
  }
  bool TakeSymbol(std::string_view symbol, bool skip_space = true) {
    word_start_ = at_;
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    if (skip_space) SkipSpace();
    return true;
  }
  // Empty when there is none.
  std::string_view TakeWord() {
    word_start_ = at_;
    while (!AtEnd() && IsWordCharacter(text_[at_])) ++at_;
    const std::string_view word = text_.substr(word_start_, at_ - word_start_);
    SkipSpace();
    return word;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t word_start_ = 0;  // of what was taken last
  const char* expected_ = "";
};

core::Result<WorldFilter> WorldFilter::Parse(std::string_view text) {
  if (text.size() > kMaxBytes) {
    return Error{ErrorCode::kOutOfBounds, "filter",
                 "must be at most " + std::to_string(kMaxBytes) +
                     " bytes; it is " + std::to_string(text.size())};
  }
  WorldFilter filter;
  Parser parser(text);
  if (!parser.Filter(filter)) return parser.error();
  return filter;
}

bool WorldFilter::IsMetBy(const WorldStatus& status) const {
  return std::all_of(terms_.begin(), terms_.end(), [&status](const Term& term) {
    return Holds(term.fact, status) == term.wanted;
  });
}

bool WorldFilter::Holds(const Fact& fact, const WorldStatus& status) {
  const WorldSettings& settings = *status.settings;
  if (const auto* has = std::get_if<HasLabel>(&fact)) {
    return settings.labels.contains(has->key);
  }
  if (const auto* is = std::get_if<LabelIs>(&fact)) {
    const auto found = settings.labels.find(is->key);
    return found != settings.labels.end() && found->second == is->value;
  }
  if (const auto* state = std::get_if<ClockState>(&fact)) {
    return status.clock == *state;
  }
  return settings.hosting.clock_mode == std::get<ClockMode>(fact);
}

}  // namespace meander::hosting
