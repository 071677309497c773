#include "crc32c.h"

#include "../xhash/platform.h"

#if HEADFRAME_X64
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "../xhash/kernels/simd.h"

HEADFRAME_TARGET_BEGIN("sse4.2")

namespace headframe::checksum {

std::uint32_t crc32c(std::span<const std::uint8_t> bytes) {
  std::uint64_t crc = 0xffffffff;
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    crc = _mm_crc32_u64(crc, word);
  }
  auto rest = static_cast<std::uint32_t>(crc);
  for (; left > 0; left--) rest = _mm_crc32_u8(rest, *at++);
  return ~rest;
}

}  // namespace headframe::checksum

HEADFRAME_TARGET_END

namespace headframe::checksum {

/// Every processor with AVX2 has SSE4.2.
bool has_crc32c() {
  const auto levels = xhash::supported_simd();
  return std::find(levels.begin(), levels.end(), xhash::Simd::avx2) != levels.end();
}

}  // namespace headframe::checksum

#else

namespace headframe::checksum {

bool has_crc32c() { return false; }

std::uint32_t crc32c(std::span<const std::uint8_t>) { return 0; }

}  // namespace headframe::checksum

#endif
