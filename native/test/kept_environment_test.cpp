// The environment after OpenCL's vendors were asked for their devices.
#include "../src/gpu/opencl/kept_environment.h"

#include <cstdlib>
#include <string>

#include "harness.h"

#ifdef __linux__
using headframe::gpu::KeptEnvironment;

TEST_CASE("OpenCL: what a vendor sets, changes and removes in the environment is undone", {
  setenv("HEADFRAME_TEST_CHANGED", "before", 1);
  setenv("HEADFRAME_TEST_REMOVED", "", 1);
  {
    const KeptEnvironment kept;
    setenv("OCL_ICD_FILENAMES", "libpocl.so.2", 1);
    setenv("HEADFRAME_TEST_CHANGED", "after", 1);
    unsetenv("HEADFRAME_TEST_REMOVED");
  }
  CHECK(std::getenv("OCL_ICD_FILENAMES") == nullptr);
  CHECK(std::getenv("HEADFRAME_TEST_CHANGED") == std::string("before"));
  CHECK(std::getenv("HEADFRAME_TEST_REMOVED") == std::string(""));
  unsetenv("HEADFRAME_TEST_CHANGED");
  unsetenv("HEADFRAME_TEST_REMOVED");
});
#endif
