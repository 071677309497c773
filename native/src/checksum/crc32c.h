// CRC-32C by the processor's own instruction: LevelDB's checksum. Source: RFC 3720, B.4
#pragma once

#include <cstdint>
#include <span>

namespace headframe::checksum {

/// False if the processor lacks the instruction, or this is no x86-64.
[[nodiscard]] bool has_crc32c();

/// The checksum of `bytes`; only if `has_crc32c`.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::uint8_t> bytes);

}  // namespace headframe::checksum
