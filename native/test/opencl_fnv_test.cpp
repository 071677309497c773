// Folding bytes by 24-bit and byte-wise products, from resources/opencl/xhash.cl, compiled for the CPU.
#include <cstdint>

#include "../src/xhash/fnv.h"
#include "harness.h"
#include "reference.h"

namespace {

using uint = std::uint32_t;

#define PARTS 1
#define INTERLEAVE 1
#define LANES 4
#define GROUP 64
#define ROOM 16
#define FNV_BY_DOT 1
#define FNV_ALONE 1
#include "../../resources/opencl/xhash.cl"

}  // namespace

using namespace headframe;
using namespace headframe::test;

TEST_CASE("OpenCL: bytes folded by dot products are those folded by whole multiplications", {
  Random random(11);
  constexpr std::uint32_t edges[] = {0,         1,          0xff,       0x100,      0xffffff,
                                     0x1000000, 0x7fffffff, 0x80000000, 0xff000000, 0xffffffff};
  int wrong = 0;
  for (const std::uint32_t u : edges) {
    for (const std::uint32_t v : edges) wrong += fnv1(u, v) != xhash::fnv1(u, v);
  }
  for (int i = 0; i < 200'000; i++) {
    const std::uint64_t words = random.next();
    const auto u = static_cast<std::uint32_t>(words);
    const auto v = static_cast<std::uint32_t>(words >> 32);
    wrong += fnv1(u, v) != xhash::fnv1(u, v);
  }
  CHECK(wrong == 0);
});
