// Kernels without vector instructions: any processor. Interleaving hides part of the memory latency here too.
#include "kernel_bodies.h"
#include "kernels_table.h"

namespace headframe::xhash {
namespace {

struct Words16 {
  static constexpr std::size_t group = 16;   ///< dataset items interleaved
  static constexpr std::size_t nonces = 32;  ///< hashes interleaved in a search

  std::uint32_t w[item_words];

  static HEADFRAME_INLINE Words16 load(const std::uint32_t* p) noexcept {
    Words16 out;
    std::memcpy(out.w, p, item_bytes);
    return out;
  }
  HEADFRAME_INLINE void store(std::uint32_t* p) const noexcept { std::memcpy(p, w, item_bytes); }
  static HEADFRAME_INLINE Words16 fold(const Words16& h, const Words16& v) noexcept {
    Words16 out;
    for (std::size_t i = 0; i < item_words; i++) out.w[i] = fnv1(h.w[i], v.w[i]);
    return out;
  }
};

}  // namespace

const Kernels& scalar_kernels() noexcept {
  static constexpr Kernels table = make_kernels<Words16, Word>();
  return table;
}

}  // namespace headframe::xhash
