#include "kernels.h"

#include "../platform.h"
#include "kernels_table.h"

namespace headframe::xhash {

const Kernels& kernels_of(Simd simd) noexcept {
#if HEADFRAME_X64
  if (simd == Simd::avx512) return avx512_kernels();
  if (simd == Simd::avx2) return avx2_kernels();
#endif
  static_cast<void>(simd);
  return scalar_kernels();
}

}  // namespace headframe::xhash
