// A warp on the CPU: 32 lanes as fibers of one thread, which switch where the kernel exchanges values.
#pragma once

#include <cstdint>

namespace headframe::test {

inline constexpr std::uint32_t warp_lanes = 32;

/// Runs `body(argument)` once for each of the 32 threads from `first_thread` on. The lanes must exchange in step; a
/// kernel whose lanes diverge ends the program with a message.
void run_warp(std::uint32_t first_thread, void (*body)(const void*), const void* argument);

/// Inside a body: the index of this thread in its launch.
[[nodiscard]] std::uint32_t warp_thread();

/// Inside a body: gives `value` to all lanes, and returns what lane `source` (0..31) gave.
[[nodiscard]] std::uint32_t warp_exchange(std::uint32_t value, std::uint32_t source);

}  // namespace headframe::test
