// The vector instructions that the processor supports, and their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace headframe::xhash {

enum class Simd : std::uint8_t { scalar, avx2, avx512 };

/// Levels supported by this processor and operating system, slowest first.
[[nodiscard]] std::vector<Simd> supported_simd();

[[nodiscard]] std::string_view simd_name(Simd simd) noexcept;

/// The level of that name if supported; the best one for an empty name; nothing otherwise.
[[nodiscard]] std::optional<Simd> simd_of_name(std::string_view name);

}  // namespace headframe::xhash
