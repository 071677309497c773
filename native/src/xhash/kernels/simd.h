// Which vector instructions the processor has, and the words for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace headframe::xhash {

enum class Simd : std::uint8_t { scalar, avx2, avx512 };

/// Levels that this processor and operating system support, slowest first.
[[nodiscard]] std::vector<Simd> supported_simd();

[[nodiscard]] std::string_view simd_name(Simd simd) noexcept;

/// The level of that name when it is supported; the best one for an empty name; nothing otherwise.
[[nodiscard]] std::optional<Simd> simd_of_name(std::string_view name);

}  // namespace headframe::xhash
