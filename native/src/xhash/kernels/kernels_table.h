// The kernel files' entry points; only kernels.cpp selects among them.
#pragma once

#include "kernels.h"

namespace headframe::xhash {

[[nodiscard]] const Kernels& scalar_kernels() noexcept;
[[nodiscard]] const Kernels& avx2_kernels() noexcept;    ///< x64 only
[[nodiscard]] const Kernels& avx512_kernels() noexcept;  ///< x64 only

}  // namespace headframe::xhash
