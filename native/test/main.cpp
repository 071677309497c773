// Runs every case; with `--only WORD`, those whose name contains it. tools/test-native.mjs reads the last line.
#include <cstring>

#include "harness.h"

int main(int argc, char** argv) {
  const std::string only = argc > 2 && std::strcmp(argv[1], "--only") == 0 ? argv[2] : "";
  int passed = 0;
  int failed = 0;
  for (const headframe::test::Case& test : headframe::test::cases()) {
    if (test.name.find(only) == std::string::npos) continue;
    headframe::test::failures() = 0;
    test.run();
    const bool good = headframe::test::failures() == 0;
    std::printf("%s %s\n", good ? "ok  " : "FAIL", test.name.c_str());
    std::fflush(stdout);
    (good ? passed : failed)++;
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
