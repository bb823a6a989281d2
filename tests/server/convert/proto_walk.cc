#include "tests/server/convert/proto_walk.h"

#include <cstdint>

#include "core/validation.h"

namespace meander::convert {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

void Collect(Message& message, const std::string& path,
             std::vector<Leaf>& out) {
  const Reflection& reflection = *message.GetReflection();
  const auto& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor* field = type.field(i);
    const std::string below = core::JoinPath(path, field->name());
    const bool is_message =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (field->is_repeated()) {
      for (int j = 0; j < reflection.FieldSize(message, field); ++j) {
        const std::string at =
            core::IndexPath(below, static_cast<std::size_t>(j));
        if (is_message) {
          Collect(*reflection.MutableRepeatedMessage(&message, field, j), at,
                  out);
        } else {
          out.push_back({&message, field, j, at});
        }
      }
      continue;
    }
    if ((field->has_presence() || is_message) &&
        !reflection.HasField(message, field)) {
      continue;
    }
    if (is_message) {
      Collect(*reflection.MutableMessage(&message, field), below, out);
    } else {
      out.push_back({&message, field, -1, below});
    }
  }
}

void FillFrom(Message& message, int& next) {
  const Reflection& reflection = *message.GetReflection();
  const auto& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor* field = type.field(i);
    if (field->real_containing_oneof() != nullptr) continue;
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      FillFrom(field->is_repeated()
                   ? *reflection.AddMessage(&message, field)
                   : *reflection.MutableMessage(&message, field),
               next);
      continue;
    }
    MEANDER_CHECK(!field->is_repeated() && "no message filled has such yet");
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        reflection.SetInt32(&message, field, next++);
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        reflection.SetUInt32(&message, field,
                             static_cast<std::uint32_t>(next++));
        break;
      case FieldDescriptor::CPPTYPE_FLOAT:
        reflection.SetFloat(&message, field, static_cast<float>(next++) + 0.5f);
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        reflection.SetBool(&message, field, true);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        reflection.SetEnumValue(&message, field,
                                field->enum_type()->value_count() - 1);
        break;
      default:
        MEANDER_CHECK(false && "no message filled has such a field yet");
    }
  }
}

}  // namespace

void Fill(Message& message) {
  int next = 2;
  FillFrom(message, next);
}

std::vector<Leaf> Leaves(Message& message, const std::string& path) {
  std::vector<Leaf> leaves;
  Collect(message, path, leaves);
  return leaves;
}

void Change(const Leaf& leaf) {
  const Reflection& reflection = *leaf.parent->GetReflection();
  Message* parent = leaf.parent;
  const FieldDescriptor* field = leaf.field;
  const bool repeated = leaf.index >= 0;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      if (repeated) {
        reflection.SetRepeatedInt64(
            parent, field, leaf.index,
            reflection.GetRepeatedInt64(*parent, field, leaf.index) + 1);
      } else {
        reflection.SetInt64(parent, field,
                            reflection.GetInt64(*parent, field) + 1);
      }
      break;
    case FieldDescriptor::CPPTYPE_INT32:
      reflection.SetInt32(parent, field,
                          reflection.GetInt32(*parent, field) + 1);
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      reflection.SetUInt32(parent, field,
                           reflection.GetUInt32(*parent, field) + 1);
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      reflection.SetUInt64(parent, field,
                           reflection.GetUInt64(*parent, field) + 1);
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      reflection.SetFloat(parent, field,
                          reflection.GetFloat(*parent, field) + 0.5f);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      reflection.SetBool(parent, field, !reflection.GetBool(*parent, field));
      break;
    case FieldDescriptor::CPPTYPE_ENUM: {
      // The next value; after the one that is not specified not the default,
      // which comes first.
      const int now = reflection.GetEnumValue(*parent, field);
      const int last = field->enum_type()->value_count() - 1;
      const int next = now == 0 ? 2 : now + 1;
      reflection.SetEnumValue(parent, field, next <= last ? next : 1);
      break;
    }
    default:
      MEANDER_CHECK(false && "no conversion has such a field yet");
  }
}

void SetFloat(const Leaf& leaf, float value) {
  leaf.parent->GetReflection()->SetFloat(leaf.parent, leaf.field, value);
}

void SetEnum(const Leaf& leaf, int number) {
  leaf.parent->GetReflection()->SetEnumValue(leaf.parent, leaf.field, number);
}

bool LeadsToField(const google::protobuf::Descriptor& type, std::string path) {
  const std::size_t dot = path.find('.');
  std::string name = path.substr(0, dot);
  const std::size_t bracket = name.find('[');
  const bool indexed = bracket != std::string::npos;
  if (indexed &&
      (name.back() != ']' || bracket + 2 >= name.size() ||
       name.find_first_not_of("0123456789", bracket + 1) != name.size() - 1)) {
    return false;
  }
  const FieldDescriptor* field = type.FindFieldByName(name.substr(0, bracket));
  if (field == nullptr || (indexed && !field->is_repeated())) return false;
  if (dot == std::string::npos) return true;
  return field->is_repeated() == indexed && field->message_type() != nullptr &&
         LeadsToField(*field->message_type(), path.substr(dot + 1));
}

}  // namespace meander::convert
