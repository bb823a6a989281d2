#include "server/hosting/kept_admission.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace meander::hosting {
namespace {

using core::Error;
using core::ErrorCode;

void ExpectSame(const Admission& admission) {
  const Admission again = KeptAdmission(admission).Unpack();
  EXPECT_EQ(again.tick, admission.tick);
  ASSERT_EQ(again.results.size(), admission.results.size());
  for (std::size_t i = 0; i < again.results.size(); ++i) {
    const auto& expected = admission.results[i];
    ASSERT_EQ(again.results[i].ok(), expected.ok()) << i;
    if (expected.ok()) {
      EXPECT_EQ(*again.results[i], *expected) << i;
    } else {
      EXPECT_EQ(again.results[i].error(), expected.error()) << i;
    }
  }
}

const Error kRefusal{ErrorCode::kTickLate, "commands[0].apply_tick", "late"};

TEST(KeptAdmissionTest, GivesWhatWasPutIn) {
  ExpectSame({.results = {CommandAdmission{5, 9, 0, 0}, kRefusal, kRefusal,
                          CommandAdmission{6, 9, 31, 4},
                          CommandAdmission{7, 12, 35, 1},
                          CommandAdmission{8, 12, 0, 0}, kRefusal},
              .tick = 8});
  ExpectSame({.results = {kRefusal, CommandAdmission{1, 1, 1, 1}}, .tick = 0});
  ExpectSame({.results = {kRefusal}, .tick = 3});
}

TEST(KeptAdmissionTest, GivesWhatWasPutInWhateverItIs) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Admission admission{.results = {}, .tick = round};
    CommandAdmission next{.sequence = 1 + round, .first_agent_id = 1};
    for (unsigned i = random() % 40; i > 0; --i) {
      if (random() % 4 == 0) {
        admission.results.emplace_back(kRefusal);
        continue;
      }
      CommandAdmission command = next;
      command.apply_tick = random() % 3 + 1;
      command.agent_count = random() % 3;
      if (command.agent_count == 0) command.first_agent_id = 0;
      admission.results.emplace_back(command);
      ++next.sequence;
      next.first_agent_id += command.agent_count;
    }
    ExpectSame(admission);
  }
}

TEST(KeptAdmissionTest, ABatchOfLikeCommandsTakesFewBytes) {
  Admission admission;
  for (std::int64_t i = 0; i < 4'096; ++i) {
    admission.results.emplace_back(CommandAdmission{1 + i, 7, 1 + 2 * i, 2});
  }
  EXPECT_LE(KeptAdmission(admission).bytes(), 64u);
}

TEST(KeptAdmissionTest, CountsTheTextOfRefusals) {
  Admission admission;
  admission.results.emplace_back(Error{
      ErrorCode::kMalformed, std::string(300, 'f'), std::string(700, 'r')});
  EXPECT_GE(KeptAdmission(admission).bytes(), 1'000u);
}

}  // namespace
}  // namespace meander::hosting
