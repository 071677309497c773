// Times the kernels alone, per thread CPU second, for every instruction set: native_bench [scalar|avx2|avx512]
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

#include "../src/xhash/cache.h"
#include "../src/xhash/dataset.h"
#include "../src/xhash/sizes.h"

using namespace headframe::xhash;  // a benchmark: names of the one thing under test

namespace {

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of(const std::function<void()>& work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

/// A made-up dataset of full size: its content doesn't affect the time of a search.
void bench_search(const Cache& cache, std::uint64_t bytes) {
  const auto buffer = std::make_shared<const HugeBuffer>(static_cast<std::size_t>(bytes));
  if (buffer->words() == nullptr) return;
  std::memset(buffer->words(), 0x5a, static_cast<std::size_t>(bytes));
  for (std::uint64_t i = 0; i < bytes / 4; i += 16) buffer->words()[i] = static_cast<std::uint32_t>(i * 2654435761u);
  const Dataset dataset(buffer, static_cast<std::uint32_t>(bytes / row_bytes), cache.kernels());
  SearchInput input{};
  input.count = 256;
  Hit hits[256];
  constexpr int batches = 800;
  const double taken = seconds_of([&] {
    for (int i = 0; i < batches; i++) {
      input.start_nonce += input.count;
      dataset.search(input, hits);
    }
  });
  std::printf("  search           %10.0f H/s\n", batches * 256 / taken);
}

void bench(Simd simd) {
  const std::atomic<bool> never{false};
  const std::uint64_t dataset_size = dataset_bytes(full_sizes, 0);
  std::printf("%s\n", simd_name(simd).data());
  std::shared_ptr<const Cache> cache;
  std::printf("  cache epoch 0    %10.3f s\n",
              seconds_of([&] { cache = Cache::build(seed_hash(0), cache_bytes(full_sizes, 0), simd, never); }));
  const HugeBuffer items(item_bytes * 16384);
  const double made = seconds_of([&] { cache->kernels().make_range(cache->view(), 12345, 16384, items.words()); });
  std::printf("  128-byte item    %10.2f us\n", made / 8192 * 1e6);
  std::vector<LightInput> inputs(8);
  for (std::size_t i = 0; i < 8; i++) inputs[i].nonce = i;
  HashResult results[8];
  for (const std::size_t batch : {1u, 2u, 4u, 8u}) {
    constexpr int rounds = 40;
    const double taken = seconds_of([&] {
      for (int i = 0; i < rounds; i++) {
        for (LightInput& input : inputs) input.nonce += 8;  // the same nonce would find its parents still cached
        cache->hash_light(dataset_size, {inputs.data(), batch}, results);
      }
    });
    std::printf("  light, %zu at once %10.3f ms a hash\n", batch, taken / rounds / static_cast<double>(batch) * 1e3);
  }
  bench_search(*cache, dataset_size);
}

}  // namespace

int main(int argc, char** argv) {
  for (const Simd simd : supported_simd()) {
    if (argc < 2 || simd_name(simd) == argv[1]) bench(simd);
  }
  return 0;
}
