// The tests' own main: they start this program a second time, as a client.

#include <gtest/gtest.h>

#include "tests/integration/doomed_client.h"

int main(int argc, char** argv) {
  if (meander::RunDoomedClient({argv, argv + argc})) return 0;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
