#include "server/options.h"

#include <absl/flags/commandlineflag.h>
#include <absl/flags/reflection.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "core/simd/simd_target.h"
#include "server/server.h"
#include "tests/integration/scoped_variable.h"

namespace meander {
namespace {

Options Listening(const std::string& address) {
  Options options;
  options.listen = address;
  return options;
}

TEST(OptionsTest, DefaultsAreValid) {
  EXPECT_EQ(Validate(Options{}), std::nullopt);
}

TEST(OptionsTest, FlagsHaveTheDefaultsOfTheStruct) {
  const Options flags = OptionsFromFlags();
  const Options plain;
  EXPECT_EQ(flags.listen, plain.listen);
  EXPECT_EQ(flags.insecure, plain.insecure);
  EXPECT_EQ(flags.port_file, plain.port_file);
  EXPECT_EQ(flags.worker_threads, plain.worker_threads);
  EXPECT_EQ(flags.stream_threads, plain.stream_threads);
  EXPECT_EQ(flags.drain_timeout, plain.drain_timeout);
}

TEST(OptionsTest, TheEnvironmentNamesTheKernels) {
  EXPECT_EQ(kSimdVariable, std::string("MEANDER_SIMD"));
  {
    const ScopedVariable none(kSimdVariable, "");
    EXPECT_EQ(OptionsFromFlags().simd, "");
    EXPECT_EQ(Validate(OptionsFromFlags()), std::nullopt);
  }
  for (const core::SimdTarget target : core::kSimdTargets) {
    const std::string name(core::NameOf(target));
    const ScopedVariable forced(kSimdVariable, name);
    const Options options = OptionsFromFlags();
    EXPECT_EQ(options.simd, name);
    EXPECT_EQ(Validate(options).has_value(), !core::CanRun(target)) << name;
  }
}

TEST(OptionsTest, KernelsThatThereAreNotAreRefusedWithThoseThatThereAre) {
  Options options;
  options.simd = "Scalar";
  const std::string wrong = Validate(options).value_or("");
  for (const std::string& said :
       {std::string(kSimdVariable), std::string("\"Scalar\""),
        core::RunnableSimdTargets()}) {
    EXPECT_NE(wrong.find(said), std::string::npos) << wrong;
  }
  std::string error;
  EXPECT_EQ(Server::Start(options, error), nullptr);
  EXPECT_EQ(error, wrong);
}

TEST(OptionsTest, HelpNamesEveryFlagUnderItsGroup) {
  const std::string help = FlagsHelp();
  for (const char* text : {"Listening:",
                           "Threads:",
                           "Shutdown:",
                           "Health:",
                           "Environment:",
                           "MEANDER_SIMD",
                           "Limits of the server:",
                           "Limits of a world:",
                           "--listen",
                           "--insecure",
                           "--port_file",
                           "--worker_threads",
                           "--stream_threads",
                           "--drain_timeout",
                           "--healthcheck",
                           "--max_worlds",
                           "--max_request_bytes",
                           "--max_message_bytes",
                           "--max_page_size",
                           "--default_page_size",
                           "--max_pending_bytes_total",
                           "--max_agents_total",
                           "--max_batch_commands",
                           "--max_step_ticks",
                           "--max_agents",
                           "--max_pending_commands",
                           "--max_pending_bytes",
                           "--max_ticks_ahead",
                           "--max_subscribers",
                           "--max_waiting_steppers",
                           "--max_waiting_readers",
                           "--published_states",
                           "--max_kept_answers",
                           "--max_kept_answer_bytes",
                           "--max_kept_outcomes",
                           "--max_kept_events",
                           "127.0.0.1:50051"}) {
    EXPECT_NE(help.find(text), std::string::npos) << text;
  }
}

TEST(OptionsTest, EachLimitIsSetByItsFlagAndNoOther) {
  const auto defaults = LimitsByFlag(hosting::Limits{});
  EXPECT_EQ(LimitsByFlag(OptionsFromFlags().limits), defaults);
  for (const auto& [name, value] : defaults) {
    const absl::FlagSaver saver;
    std::string error;
    absl::CommandLineFlag* flag = absl::FindCommandLineFlag(name);
    ASSERT_NE(flag, nullptr) << name;
    ASSERT_TRUE(flag->ParseFrom(std::to_string(value + 1), &error)) << error;
    auto expected = defaults;
    expected[name] = value + 1;
    EXPECT_EQ(LimitsByFlag(OptionsFromFlags().limits), expected) << name;
  }
  // A limit that is added needs a flag.
  EXPECT_EQ(sizeof(hosting::Limits), defaults.size() * sizeof(std::int64_t));
}

TEST(OptionsTest, ReadsAddresses) {
  const auto four = ParseListenAddress("127.0.0.1:8080");
  ASSERT_TRUE(four.has_value());
  EXPECT_EQ(four->host, "127.0.0.1");
  EXPECT_EQ(four->port, 8080);
  EXPECT_EQ(four->WithPort(9), "127.0.0.1:9");
  const auto six = ParseListenAddress("[::1]:0");
  ASSERT_TRUE(six.has_value());
  EXPECT_EQ(six->host, "::1");
  EXPECT_EQ(six->WithPort(9), "[::1]:9");
  for (const char* bad :
       {"", "localhost", "127.0.0.1:", ":80", "a:65536", "a:-1", "a:8x", "a: 8",
        "::1:80", "unix:/tmp/socket", "[]:1"}) {
    EXPECT_FALSE(ParseListenAddress(bad).has_value()) << bad;
  }
}

TEST(OptionsTest, KnowsAddressesOfAllInterfaces) {
  for (const char* any : {"0.0.0.0:1", "[::]:1", "[0:0::0]:1"}) {
    EXPECT_TRUE(ParseListenAddress(any)->IsAnyInterface()) << any;
  }
  for (const char* one : {"127.0.0.1:1", "[::1]:1", "0.0.0.1:1", "[1::]:1",
                          "localhost:1", "0.0.0.0.example.com:1"}) {
    EXPECT_FALSE(ParseListenAddress(one)->IsAnyInterface()) << one;
  }
}

TEST(OptionsTest, PlaintextStaysOnLoopbackUnlessAskedFor) {
  for (const char* loopback :
       {"127.0.0.1:0", "127.9.9.9:0", "localhost:0", "[::1]:0"}) {
    EXPECT_EQ(Validate(Listening(loopback)), std::nullopt) << loopback;
  }
  for (const char* open : {"0.0.0.0:0", "[::]:0", "10.0.0.1:0", "example.com:0",
                           "127.0.0.1.example.com:0", "127.example.com:0"}) {
    Options options = Listening(open);
    const auto wrong = Validate(options);
    ASSERT_TRUE(wrong.has_value()) << open;
    EXPECT_NE(wrong->find("--insecure"), std::string::npos);
    EXPECT_NE(wrong->find("TLS"), std::string::npos);
    options.insecure = true;
    EXPECT_EQ(Validate(options), std::nullopt) << open;
  }
}

TEST(OptionsTest, LimitsThatCannotWorkAreRefusedByName) {
  const auto refused = [](auto spoil, const std::string& flag) {
    Options options;
    spoil(options);
    const auto wrong = Validate(options);
    EXPECT_TRUE(wrong && wrong->find("--" + flag + " ") != std::string::npos)
        << flag << ": " << wrong.value_or("nothing");
  };
  refused([](Options& o) { o.stream_threads = 0; }, "stream_threads");
  refused([](Options& o) { o.worker_threads = 5000; }, "worker_threads");
  refused([](Options& o) { o.drain_timeout = std::chrono::hours(2); },
          "drain_timeout");
  refused([](Options& o) { o.limits.max_worlds = 0; }, "max_worlds");
  refused([](Options& o) { o.limits.max_agents = -1; }, "max_agents");
  refused([](Options& o) { o.limits.max_agents = 1'000'001; }, "max_agents");
  refused([](Options& o) { o.limits.max_message_bytes = 100; },
          "max_message_bytes");
  refused([](Options& o) { o.limits.default_page_size = 2000; },
          "default_page_size");
  // A batch of refusals would not fit into a message.
  refused([](Options& o) { o.limits.max_batch_commands = 6000; },
          "max_batch_commands");
}

TEST(OptionsTest, AServerTakesOnlyValidOptions) {
  std::string error;
  EXPECT_EQ(Server::Start(Listening("0.0.0.0:0"), error), nullptr);
  EXPECT_NE(error.find("--insecure"), std::string::npos);
}

}  // namespace
}  // namespace meander
