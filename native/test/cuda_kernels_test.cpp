// The shipped CUDA kernels, run on the CPU: items and searches against the plain reference and the recorded vectors.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "../src/gpu/cuda/cuda_api.h"
#include "../src/gpu/device.h"
#include "../src/xhash/cache.h"
#include "../src/xhash/sizes.h"
#include "cuda-host/kernels.h"
#include "cuda-host/warp.h"
#include "harness.h"
#include "reference.h"

using namespace headframe;
using namespace headframe::test;
using xhash::Cache;

namespace {

const std::atomic<bool> never{false};
constexpr const char* searches[] = {"xhash_search_8_dot", "xhash_search_4_dot", "xhash_search_8", "xhash_search_4"};

/// Words at an address that 16-byte reads may start at.
struct alignas(16) Block {
  std::uint32_t words[4];
};

gpu::cuda::Address address_of(const void* memory) { return reinterpret_cast<gpu::cuda::Address>(memory); }

std::vector<Block> blocks_of(const Words& words) {
  std::vector<Block> blocks(words.size() / 4);
  std::memcpy(blocks.data(), words.data(), words.size() * 4);
  return blocks;
}

struct Job {
  xhash::Hash256 seal_hash;
  std::uint64_t first_nonce;
  std::uint64_t target_top;
  const void* dataset;
  std::uint32_t rows;
};

/// Offsets in ascending order; after a launch with more hits than fit, only their number, first.
std::vector<std::uint32_t> run_search(const char* name, const Job& job, std::uint32_t batch, std::uint32_t group) {
  std::uint32_t results[1 + gpu::BatchResult::room] = {};
  gpu::cuda::SearchParameters parameters{};
  std::memcpy(parameters.seal_hash, job.seal_hash.data(), 32);
  parameters.first_nonce = job.first_nonce;
  parameters.target_top = job.target_top;
  parameters.dataset = address_of(job.dataset);
  parameters.results = address_of(results);
  parameters.rows = job.rows;
  parameters.rows_magic = UINT32_MAX / job.rows;
  parameters.nonces = batch;
  run_kernel(*find_kernel(name), (batch - 1) / group + 1, group, &parameters);
  if (results[0] > gpu::BatchResult::room) return {results[0]};
  std::vector<std::uint32_t> offsets(results + 1, results + 1 + results[0]);
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

std::uint64_t top_of(const xhash::Hash256& hash) {
  std::uint64_t top = 0;
  for (std::size_t i = 0; i < 8; i++) top = top << 8 | hash[i];
  return top;
}

/// A dataset generated when it is read: 1 GiB of address space, of which a search of 400 nonces needs 3 MB.
class LazyDataset {
public:
  LazyDataset(std::shared_ptr<const Cache> cache, std::uint64_t bytes)
      : cache_(std::move(cache)), bytes_(bytes), made_(bytes / xhash::row_bytes) {
    memory_ = static_cast<char*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    current = this;
    set_load_hook([](const void* address) { current->make(static_cast<const char*>(address)); });
  }
  ~LazyDataset() {
    set_load_hook(nullptr);
    munmap(memory_, bytes_);
  }
  LazyDataset(const LazyDataset&) = delete;
  LazyDataset& operator=(const LazyDataset&) = delete;

  [[nodiscard]] const char* memory() const { return memory_; }
  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(made_.size()); }

private:
  static inline LazyDataset* current = nullptr;

  void make(const char* address) {
    if (address < memory_ || address >= memory_ + bytes_) return;  // of the cache
    const auto row = static_cast<std::size_t>(address - memory_) / xhash::row_bytes;
    if (made_[row]) return;
    made_[row] = true;
    alignas(64) std::uint32_t items[xhash::row_words];
    const auto first = static_cast<std::uint32_t>(2 * row);
    const std::uint32_t indices[] = {first, first + 1};
    cache_->make_items(indices, items);
    std::memcpy(memory_ + row * xhash::row_bytes, items, sizeof items);
  }

  std::shared_ptr<const Cache> cache_;
  std::uint64_t bytes_;
  std::vector<bool> made_;
  char* memory_;
};

/// What a warp's load instructions touch: how many lines of the L2 cache, how many sectors of memory.
class LoadCount {
public:
  LoadCount() {
    addresses.assign(warp_lanes, {});
    set_load_hook([](const void* address) {
      addresses[warp_thread() % warp_lanes].push_back(reinterpret_cast<std::uintptr_t>(address));
    });
  }
  ~LoadCount() { set_load_hook(nullptr); }
  LoadCount(const LoadCount&) = delete;
  LoadCount& operator=(const LoadCount&) = delete;

  /// Mean number of different pieces of this many bytes that a load touches. Lanes load in step: the nth load of each
  /// is one.
  [[nodiscard]] static double pieces(std::uintptr_t bytes) {
    std::size_t all = 0;
    for (std::size_t load = 0; load < loads(); load++) {
      std::set<std::uintptr_t> touched;
      for (const auto& lane : addresses) touched.insert(lane[load] / bytes);
      all += touched.size();
    }
    return static_cast<double>(all) / static_cast<double>(loads());
  }
  [[nodiscard]] static std::size_t loads() { return addresses.front().size(); }

private:
  static inline std::vector<std::vector<std::uintptr_t>> addresses;
};

/// test/vectors/miner/xhash.json, parsed as far as needed: members of objects in a known order.
class Vectors {
public:
  Vectors() {
    std::ifstream file(HEADFRAME_VECTORS "/miner/xhash.json");
    text_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  /// Positions of the objects of array `name` (which ends where `next_name` begins) for epoch 0.
  [[nodiscard]] std::vector<std::size_t> first_epoch(const std::string& name, const std::string& next_name) const {
    std::vector<std::size_t> places;
    const std::size_t end = text_.find("\"" + next_name + "\":");
    std::size_t at = text_.find("\"" + name + "\":");
    while ((at = text_.find("\"epoch\":", at + 1)) < end) {
      if (field(at, "epoch") == "0") places.push_back(at);
    }
    return places;
  }

  /// The value of the first member `name` from `from` on, without quotes.
  [[nodiscard]] std::string field(std::size_t from, const std::string& name) const {
    const std::size_t value = text_.find_first_not_of(" \"", text_.find("\"" + name + "\":", from) + name.size() + 3);
    return text_.substr(value, text_.find_first_of("\",\n", value) - value);
  }

  /// The values of all members `name` of the object at `from`, which contains lists.
  [[nodiscard]] std::vector<std::string> fields(std::size_t from, const std::string& name) const {
    std::vector<std::string> values;
    const std::size_t end = text_.find("\"epoch\":", from + 1);
    for (std::size_t at = from; (at = text_.find("\"" + name + "\":", at + 1)) < end;)
      values.push_back(field(at, name));
    return values;
  }

private:
  std::string text_;
};

std::vector<std::uint8_t> bytes_of_hex(const std::string& digits) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

xhash::Hash256 hash_of(const std::string& digits) {
  xhash::Hash256 hash;
  std::ranges::copy(bytes_of_hex(digits), hash.begin());
  return hash;
}

}  // namespace

TEST_CASE("CUDA: the reciprocal gives every remainder", {
  Random random(1);
  for (const std::uint32_t divisor : {1u, 2u, 3u, 64u, 251u, 262139u, 8388593u, 0x40000000u, 0x7fffffffu}) {
    bool equal = true;
    const auto same_at = [&](std::uint32_t value) {
      equal = equal && kernel_remainder(value, divisor) == value % divisor;
    };
    for (std::uint32_t i = 0; i < 3; i++) {
      same_at(i);
      same_at(UINT32_MAX - i);
      same_at(divisor - 1 + i);
      same_at(UINT32_MAX / divisor * divisor - 1 + i);
    }
    for (int i = 0; i < 20000; i++) same_at(static_cast<std::uint32_t>(random.next()));
    CHECK(equal);
  }
});

TEST_CASE("CUDA: items are the reference's, in slices of any size", {
  Random random(2);
  const Words cache = reference_cache(random.hash(), 127);
  const std::vector<Block> cache_blocks = blocks_of(cache);
  const Words expected = reference_rows(cache, 150);
  for (const auto& [first, count, group] : {std::array{0u, 1u, 32u},
                                            {1u, 31u, 32u},
                                            {40u, 33u, 32u},
                                            {99u, 100u, 64u},
                                            {200u, 77u, 128u},
                                            {20u, 256u, 256u}}) {
    std::vector<Block> out(300 * 4, Block{{7, 7, 7, 7}});
    gpu::cuda::ItemsParameters slice{};
    slice.cache = address_of(cache_blocks.data());
    slice.dataset = address_of(out.data());
    slice.cache_items = 127;
    slice.cache_items_magic = UINT32_MAX / 127;
    slice.first = first;
    slice.count = count;
    run_kernel(*find_kernel("xhash_items"), (count - 1) / group + 1, group, &slice);
    Words wanted(300 * 16, 7);
    std::copy_n(expected.begin() + first * 16, count * 16, wanted.begin() + first * 16);
    CHECK(std::memcmp(out.data(), wanted.data(), wanted.size() * 4) == 0);
  }
});

TEST_CASE("CUDA: every search finds what the reference finds, for any launch shape", {
  Random random(3);
  const Words cache = reference_cache(random.hash(), 61);
  for (const std::uint32_t rows : {1u, 64u, 251u}) {
    const Words words = reference_rows(cache, rows);
    const std::vector<Block> dataset = blocks_of(words);
    const Job job{random.hash(), UINT64_MAX - 99, UINT64_MAX / 32, dataset.data(), rows};
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 256; i++) {
      const auto hash = reference_hash(words, job.seal_hash, job.first_nonce + i);
      if (top_of(hash.result) <= job.target_top) expected.push_back(i);
    }
    CHECK(!expected.empty() && expected.size() <= gpu::BatchResult::room);
    for (const char* const name : searches) {
      for (const std::uint32_t group : {32u, 128u, 256u}) CHECK(run_search(name, job, 256, group) == expected);
    }
  }
});

TEST_CASE("CUDA: a hit equal to the target counts, one above it does not, and too many are counted", {
  Random random(4);
  const Words cache = reference_cache(random.hash(), 61);
  const Words words = reference_rows(cache, 97);
  const std::vector<Block> dataset = blocks_of(words);
  Job job{random.hash(), 1000, 0, dataset.data(), 97};
  const std::vector<std::uint32_t> all_five{0, 1, 2, 3, 4};
  std::uint64_t best = UINT64_MAX;
  std::uint32_t best_offset = 0;
  for (std::uint32_t i = 0; i < 32; i++) {
    const std::uint64_t top = top_of(reference_hash(words, job.seal_hash, 1000 + i).result);
    if (top < best) best_offset = i;
    best = std::min(best, top);
  }
  for (const char* const name : searches) {
    job.target_top = best;
    CHECK(run_search(name, job, 32, 32) == std::vector{best_offset});
    job.target_top = best - 1;
    CHECK(run_search(name, job, 32, 32).empty());
    job.target_top = UINT64_MAX;
    CHECK(run_search(name, job, 96, 32) == std::vector{96u});
    CHECK(run_search(name, job, 5, 32) == all_five);
  }
});

TEST_CASE("CUDA: a warp's load reads whole rows, 4 of 128 bytes or 8 items of 64", {
  Random random(5);
  struct alignas(xhash::row_bytes) Row {
    Block blocks[8];
  };
  constexpr std::uint32_t count = 8191;  // few enough for a test, so many that two hashes rarely pick the same
  std::vector<Row> rows(count);
  const Job job{random.hash(), 7, 0, rows.data(), count};
  for (const char* const name : searches) {
    const LoadCount counted;
    CHECK(run_search(name, job, 32, 32).empty());
    CHECK(counted.loads() == xhash::accesses * 8);
    CHECK(counted.pieces(xhash::row_bytes) <= 4.0);
    CHECK(counted.pieces(32) <= 16.0);
  }
  std::vector<Row> made(16);
  gpu::cuda::ItemsParameters slice{};
  slice.cache = address_of(rows.data());
  slice.dataset = address_of(made.data());
  slice.cache_items = 2 * count - 1;
  slice.cache_items_magic = UINT32_MAX / slice.cache_items;
  slice.count = 32;
  const LoadCount counted;
  run_kernel(*find_kernel("xhash_items"), 1, 32, &slice);
  CHECK(counted.loads() == (1 + xhash::item_parents) * 4);
  CHECK(counted.pieces(xhash::item_bytes) <= 8.0);
  CHECK(counted.pieces(32) <= 16.0);
});

TEST_CASE("CUDA: recorded rows are made, and recorded searches find exactly the recorded nonces", {
  const Vectors vectors;
  const auto cache = Cache::build({}, xhash::cache_bytes(xhash::full_sizes, 0), xhash::supported_simd().back(), never);
  const LazyDataset dataset(cache, xhash::dataset_bytes(xhash::full_sizes, 0));
  std::size_t rows = 0;
  for (const std::size_t at : vectors.first_epoch("datasetItems", "hashes")) {
    const auto row = static_cast<std::uint32_t>(std::stoul(vectors.field(at, "index")));
    gpu::cuda::ItemsParameters slice{};
    slice.cache = address_of(cache->view().words);
    slice.dataset = address_of(dataset.memory());
    slice.cache_items = cache->view().count.divisor();
    slice.cache_items_magic = UINT32_MAX / slice.cache_items;
    slice.first = 2 * row;
    slice.count = 2;
    run_kernel(*find_kernel("xhash_items"), 1, 32, &slice);
    const auto expected = bytes_of_hex(vectors.field(at, "item"));
    CHECK(expected.size() == xhash::row_bytes);
    CHECK(std::memcmp(dataset.memory() + row * xhash::row_bytes, expected.data(), expected.size()) == 0);
    rows++;
  }
  CHECK(rows >= 5);
  std::size_t found = 0;
  for (const std::size_t at : vectors.first_epoch("searches", "mock")) {
    const std::uint64_t start = std::stoull(vectors.field(at, "start"), nullptr, 16);
    const auto count = static_cast<std::uint32_t>(std::stoul(vectors.field(at, "count")));
    std::vector<std::uint32_t> expected;
    for (const std::string& nonce : vectors.fields(at, "nonce")) {
      expected.push_back(static_cast<std::uint32_t>(std::stoull(nonce, nullptr, 16) - start));
    }
    if (expected.empty()) continue;  // to save time
    const Job job{hash_of(vectors.field(at, "header")), start, top_of(hash_of(vectors.field(at, "target"))),
                  dataset.memory(), dataset.rows()};
    for (const char* const name : searches) {
      const std::vector<std::uint32_t> offsets = run_search(name, job, count, 32);
      CHECK(offsets == expected);
      found += offsets.size();
    }
  }
  CHECK(found == 2 * std::size(searches));
});
