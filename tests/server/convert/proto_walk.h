// Visits every value of a message, so that a test can change one at a time and
// nobody can add a field and forget it.
//
// Single-threaded.
#ifndef MEANDER_TESTS_SERVER_CONVERT_PROTO_WALK_H_
#define MEANDER_TESTS_SERVER_CONVERT_PROTO_WALK_H_

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace meander::convert {

// One number, text or enum inside a message, at its path.
struct Leaf {
  google::protobuf::Message* parent;
  const google::protobuf::FieldDescriptor* field;
  int index;  // -1 when the field is not repeated
  std::string path;
};

// All leaves of the messages that are set, in the order of the descriptors.
// Members of a oneof count only when set.
std::vector<Leaf> Leaves(google::protobuf::Message& message,
                         const std::string& path);

// The message that is written as text; fails the test when it is none.
template <typename Message>
Message FromText(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message))
      << text;
  return message;
}

// Sets every field to values that are no defaults and differ from each other
// where their type has so many; repeated ones to one element. Leaves members of
// a oneof alone.
void Fill(google::protobuf::Message& message);

// Gives the leaf another value, within the ranges of its type.
void Change(const Leaf& leaf);

// Precondition: the leaf is a float.
void SetFloat(const Leaf& leaf, float value);
// Precondition: the leaf is an enum. The number need not be one of its values.
void SetEnum(const Leaf& leaf, int number);

// Whether a path such as "commands[3].set_target.agent_ids[0]" leads to a field
// below `type`. An index is needed exactly on elements of repeated fields; the
// whole list may be named without one.
bool LeadsToField(const google::protobuf::Descriptor& type, std::string path);

}  // namespace meander::convert

#endif  // MEANDER_TESTS_SERVER_CONVERT_PROTO_WALK_H_
