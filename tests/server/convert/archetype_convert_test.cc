#include "server/convert/archetype_convert.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/server/convert/proto_walk.h"

namespace meander::convert {
namespace {

core::Archetype Full() {
  return {
      .id = 3,
      .max_speed = 4,
      .max_force = 5,
      .mass = 6,
      .terms = {{0.5f, core::Seek{2}}, {0.0f, core::WanderWorldAngle{1, 2, 3}}},
      .external = true};
}

TEST(ArchetypeConvertTest, ShowsEveryFieldAndComesBack) {
  core::Archetype other;
  other.terms = {{1.0f, core::Seek{}}};
  for (const core::Archetype& archetype : {Full(), other, core::Archetype{}}) {
    v1::Archetype shown;
    ToProto(archetype, shown);
    const auto back = ToCore(shown, "archetype");
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, archetype);
  }
}

TEST(ArchetypeConvertTest, ShowsDefaultsAndZerosAsTheyAre) {
  v1::Archetype shown;
  shown.add_terms();  // of another archetype
  ToProto(Full(), shown);
  ASSERT_EQ(shown.terms_size(), 2);
  EXPECT_TRUE(shown.terms(1).has_weight());
  EXPECT_EQ(shown.terms(1).weight(), 0.0f);
  EXPECT_TRUE(shown.external());
  ToProto(core::Archetype{}, shown);
  EXPECT_EQ(shown.mass(), 1.0f);
  EXPECT_EQ(shown.terms_size(), 0);
  EXPECT_FALSE(shown.external());
}

// So that a field that is added to the protocol is shown.
TEST(ArchetypeConvertTest, NoFieldIsForgotten) {
  v1::Archetype shown;
  ToProto(Full(), shown);
  std::vector<const google::protobuf::FieldDescriptor*> set;
  shown.GetReflection()->ListFields(shown, &set);
  EXPECT_EQ(static_cast<int>(set.size()), shown.GetDescriptor()->field_count());
  for (const Leaf& leaf : Leaves(shown, "")) {
    v1::Archetype changed;
    ToProto(Full(), changed);
    for (const Leaf& other : Leaves(changed, "")) {
      if (other.path == leaf.path) Change(other);
    }
    const auto back = ToCore(changed, "");
    ASSERT_TRUE(back.ok());
    EXPECT_FALSE(*back == Full()) << leaf.path;
  }
}

TEST(ArchetypeConvertTest, NamesWhatIsWrongBelowItsPath) {
  v1::Archetype archetype;
  archetype.add_terms()->mutable_seek();
  archetype.add_terms();
  EXPECT_EQ(ToCore(archetype, "a.b").error().field, "a.b.terms[1]");
  for (int i = 0; i < 15; ++i) archetype.add_terms();
  EXPECT_EQ(ToCore(archetype, "a.b").error().field, "a.b.terms");
}

}  // namespace
}  // namespace meander::convert
