#include "simd.h"

#include "../platform.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#endif

namespace headframe::xhash {

namespace {

struct Features {
  bool avx2 = false;
  bool avx512 = false;
};

#if !HEADFRAME_X64
Features detect() { return {}; }
#elif defined(_MSC_VER) && !defined(__clang__)
Features detect() {
  int leaf1[4];
  int leaf7[4];
  __cpuid(leaf1, 1);
  __cpuidex(leaf7, 7, 0);
  if ((leaf1[2] & (1 << 27)) == 0) return {};  // the operating system doesn't save vector registers
  const unsigned long long saved = _xgetbv(0);
  const int ebx = leaf7[1];
  const int bmi_avx2 = (1 << 3) | (1 << 5) | (1 << 8);
  const int avx512 = (1 << 16) | (1 << 17) | (1 << 30) | static_cast<int>(1u << 31);
  Features found;
  found.avx2 = (saved & 0x6) == 0x6 && (ebx & bmi_avx2) == bmi_avx2;
  found.avx512 = found.avx2 && (saved & 0xe6) == 0xe6 && (ebx & avx512) == avx512;
  return found;
}
#else
Features detect() {
  Features found;
  found.avx2 =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
  found.avx512 = found.avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                 __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  return found;
}
#endif

}  // namespace

std::vector<Simd> supported_simd() {
  const Features found = detect();
  std::vector<Simd> levels{Simd::scalar};
  if (found.avx2) levels.push_back(Simd::avx2);
  if (found.avx512) levels.push_back(Simd::avx512);
  return levels;
}

std::string_view simd_name(Simd simd) noexcept {
  switch (simd) {
    case Simd::avx2: return "avx2";
    case Simd::avx512: return "avx512";
    default: return "scalar";
  }
}

std::optional<Simd> simd_of_name(std::string_view name) {
  const std::vector<Simd> levels = supported_simd();
  if (name.empty()) return levels.back();
  for (const Simd level : levels) {
    if (simd_name(level) == name) return level;
  }
  return std::nullopt;
}

}  // namespace headframe::xhash
