#include "client_examples/meanderctl/values.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>
#include <utility>

namespace meander::ctl {
namespace {

constexpr char kNotANumber[] = "is not a number";

// Nothing may be left over.
template <typename Number, typename... Base>
Wrong Parse(std::string_view text, Number& value, Base... base) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base...);
  if (error == std::errc::result_out_of_range) return "is too large a number";
  if (error != std::errc() || stop != end) return kNotANumber;
  return std::nullopt;
}

template <typename Integer>
Wrong ParseInteger(std::string_view text, Integer& value) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    // A second sign would pass as part of the digits.
    text.remove_prefix(2);
    if (text.starts_with('-')) return kNotANumber;
    return Parse(text, value, 16);
  }
  if (Parse(text, value)) {
    double number = 0.0;
    return Parse(text, number) ? kNotANumber
                               : "is no whole number of its range";
  }
  return std::nullopt;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// One number is for all three axes.
Wrong ParseCorner(std::string_view text, v1::Vec3& value) {
  float all = 0.0f;
  if (Parse(text, all)) return ParseValue(text, value);
  value.set_x(all);
  value.set_y(all);
  value.set_z(all);
  return std::nullopt;
}

// Round is Disc or Ball.
template <typename Round>
Wrong ParseRound(std::string_view text, Round& value) {
  constexpr char kForm[] = "must be RADIUS or X,Y,Z:RADIUS";
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    if (ParseValue(text.substr(0, colon), *value.mutable_center())) {
      return kForm;
    }
    text.remove_prefix(colon + 1);
  }
  float radius = 0.0f;
  if (Parse(text, radius)) return kForm;
  value.set_radius(radius);
  return std::nullopt;
}

// What all names of the enum begin with: that of 0 ends in UNSPECIFIED.
std::string_view PrefixOf(const google::protobuf::EnumDescriptor& type) {
  constexpr std::string_view kZero = "UNSPECIFIED";
  const std::string_view name = type.FindValueByNumber(0)->name();
  return name.substr(0, name.size() - kZero.size());
}

std::string WordOf(const google::protobuf::EnumValueDescriptor& value) {
  std::string word(
      std::string_view(value.name()).substr(PrefixOf(*value.type()).size()));
  for (char& letter : word) {
    if (letter == '_') letter = '-';
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return word;
}

}  // namespace

Wrong ParseValue(std::string_view text, std::int64_t& value) {
  return ParseInteger(text, value);
}

Wrong ParseValue(std::string_view text, std::uint64_t& value) {
  return ParseInteger(text, value);
}

Wrong ParseValue(std::string_view text, std::int32_t& value) {
  return ParseInteger(text, value);
}

Wrong ParseValue(std::string_view text, std::uint32_t& value) {
  return ParseInteger(text, value);
}

Wrong ParseValue(std::string_view text, double& value) {
  return Parse(text, value);
}

Wrong ParseValue(std::string_view text, float& value) {
  return Parse(text, value);
}

Wrong ParseValue(std::string_view text, Microseconds& value) {
  constexpr char kForm[] =
      "must be seconds or a number with a unit: 500ms, 5s, 10m, 2h, 1d";
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}, {"d", 86400.0}}};
  double unit = 1.0;
  for (const auto& [name, seconds] : kUnits) {
    if (!text.ends_with(name)) continue;
    unit = seconds;
    text.remove_suffix(name.size());
    break;
  }
  double number = 0.0;
  if (Parse(text, number)) return kForm;
  // A century is within what every clock can hold.
  const double seconds = number * unit;
  if (!(seconds >= 0.0 && seconds <= 3.2e9)) {
    return "must be at least 0 and below a century";
  }
  value = Microseconds(static_cast<std::int64_t>(std::llround(seconds * 1e6)));
  return std::nullopt;
}

Wrong ParseValue(std::string_view text, v1::Vec3& value) {
  constexpr char kForm[] = "must be X,Y,Z or X,Y";
  const std::vector<std::string_view> parts = Split(text, ',');
  std::array<float, 3> axes{};
  if (parts.size() < 2 || parts.size() > axes.size()) return kForm;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (Parse(parts[i], axes[i])) return kForm;
  }
  value.set_x(axes[0]);
  value.set_y(axes[1]);
  value.set_z(axes[2]);
  return std::nullopt;
}

Wrong ParseValue(std::string_view text, v1::Box& value) {
  const std::vector<std::string_view> corners = Split(text, ':');
  if (corners.size() != 2 || ParseCorner(corners[0], *value.mutable_min()) ||
      ParseCorner(corners[1], *value.mutable_max())) {
    return "must be LOW:HIGH, each X,Y,Z or one number for all axes";
  }
  return std::nullopt;
}

Wrong ParseValue(std::string_view text, v1::Disc& value) {
  return ParseRound(text, value);
}

Wrong ParseValue(std::string_view text, v1::Ball& value) {
  return ParseRound(text, value);
}

Wrong ParseValue(std::string_view text, v1::WanderWorldAngle& value) {
  const std::vector<std::string_view> parts = Split(text, ',');
  std::array<float, 3> numbers{};
  bool whole = parts.size() == numbers.size();
  for (std::size_t i = 0; whole && i < numbers.size(); ++i) {
    whole = !Parse(parts[i], numbers[i]);
  }
  if (!whole) return "must be RADIUS,DISTANCE,JITTER";
  value.set_radius(numbers[0]);
  value.set_distance(numbers[1]);
  value.set_jitter(numbers[2]);
  return std::nullopt;
}

Wrong ParseValue(std::string_view text, v1::Target& value) {
  constexpr char kForm[] = "must be a point X,Y,Z or agent:ID";
  constexpr std::string_view kAgent = "agent:";
  if (text.starts_with(kAgent)) {
    std::int64_t id = 0;
    if (ParseInteger(text.substr(kAgent.size()), id)) return kForm;
    value.set_agent_id(id);
    return std::nullopt;
  }
  if (ParseValue(text, *value.mutable_point())) return kForm;
  return std::nullopt;
}

std::vector<std::string> Choices(const google::protobuf::EnumDescriptor& type) {
  std::vector<std::string> words;
  for (int i = 0; i < type.value_count(); ++i) {
    if (type.value(i)->number() != 0) words.push_back(WordOf(*type.value(i)));
  }
  return words;
}

std::optional<int> ChoiceNumber(const google::protobuf::EnumDescriptor& type,
                                std::string_view word) {
  for (int i = 0; i < type.value_count(); ++i) {
    const google::protobuf::EnumValueDescriptor& value = *type.value(i);
    if (value.number() != 0 && WordOf(value) == word) return value.number();
  }
  return std::nullopt;
}

std::string ChoiceWord(const google::protobuf::EnumDescriptor& type,
                       int number) {
  const auto* const value = type.FindValueByNumber(number);
  return value == nullptr ? std::to_string(number) : WordOf(*value);
}

}  // namespace meander::ctl
