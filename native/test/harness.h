// A minimal test harness: named cases, checks that continue after a failure, a count at the end.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace headframe::test {

struct Case {
  std::string name;
  std::function<void()> run;
};

/// Cases in the order in which their files add them.
inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

/// Failed checks of the running case.
inline int& failures() {
  static int count = 0;
  return count;
}

struct Register {
  Register(std::string name, std::function<void()> run) { cases().push_back({std::move(name), std::move(run)}); }
};

inline void check(bool holds, const char* expression, const char* file, int line) {
  if (holds) return;
  failures()++;
  std::printf("    %s:%d: %s\n", file, line, expression);
}

}  // namespace headframe::test

#define HEADFRAME_JOIN_INNER(a, b) a##b
#define HEADFRAME_JOIN(a, b) HEADFRAME_JOIN_INNER(a, b)
#define TEST_CASE(name, ...) \
  static const headframe::test::Register HEADFRAME_JOIN(register_, __LINE__)(name, []() __VA_ARGS__)
#define CHECK(expression) headframe::test::check(static_cast<bool>(expression), #expression, __FILE__, __LINE__)
