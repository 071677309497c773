#include "dataset.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "system/priority.h"

namespace headframe::xhash {

namespace {
constexpr std::uint64_t chunk_items = 96 * 64;  ///< 5 to 50 ms; a multiple of every kernel's group
}

HashResult Dataset::hash_full(const LightInput& input) const noexcept {
  SearchInput one{input.seal_hash, {}, input.nonce, 1};
  one.target.fill(0xff);
  Hit hit;
  search(one, &hit);
  return hit.hash;
}

std::shared_ptr<const Dataset> Dataset::with_simd(Simd simd) const {
  return std::make_shared<const Dataset>(buffer_, count_.divisor(), kernels_of(simd));
}

DatasetBuild::DatasetBuild(std::shared_ptr<const Cache> cache, std::shared_ptr<Dataset> dataset, Done done)
    : cache_(std::move(cache)),
      total_items_(dataset->bytes() / item_bytes),
      dataset_(std::move(dataset)),
      done_(std::move(done)) {}

std::shared_ptr<DatasetBuild> DatasetBuild::start(std::shared_ptr<const Cache> cache, std::uint64_t bytes,
                                                  const Workers& workers, Done done) {
  auto buffer = std::make_shared<const HugeBuffer>(static_cast<std::size_t>(bytes));
  if (buffer->words() == nullptr) return nullptr;
  const auto rows = static_cast<std::uint32_t>(bytes / row_bytes);
  auto dataset = std::make_shared<Dataset>(std::move(buffer), rows, cache->kernels());
  std::shared_ptr<DatasetBuild> build(new DatasetBuild(std::move(cache), std::move(dataset), std::move(done)));
  const unsigned threads = workers.threads;
  build->running_ = threads;
  for (unsigned i = 0; i < threads; i++) {
    try {
      build->threads_.emplace_back([raw = build.get(), urgency = workers.urgency] { raw->run(urgency); });
    } catch (const std::system_error&) {
      // Fewer threads suffice, but none don't. Those that didn't start count as ended.
      if (build->threads_.empty()) return nullptr;
      build->leave(threads - i);
      break;
    }
  }
  return build;
}

void DatasetBuild::run(Urgency urgency) noexcept {
  if (urgency == Urgency::background) idle_thread_priority();
  else lower_thread_priority();
  const std::uint64_t total = total_items_;
  std::uint32_t* const words = dataset_->buffer_->words();
  while (!cancelled_.load(std::memory_order_relaxed)) {
    const std::uint64_t first = next_item_.fetch_add(chunk_items, std::memory_order_relaxed);
    if (first >= total) break;
    const std::uint64_t count = std::min(chunk_items, total - first);
    cache_->kernels().make_range(cache_->view(), static_cast<std::uint32_t>(first), static_cast<std::size_t>(count),
                                 words + first * item_words);
    finished_items_.fetch_add(count, std::memory_order_relaxed);
  }
  leave(1);
}

void DatasetBuild::leave(unsigned threads) noexcept {
  if (running_.fetch_sub(threads, std::memory_order_acq_rel) != threads) return;
  const bool whole = finished_items_.load(std::memory_order_relaxed) == total_items_;
  std::shared_ptr<Dataset> dataset = std::move(dataset_);
  done_(whole ? std::move(dataset) : nullptr);
}

double DatasetBuild::progress() const noexcept {
  const double finished = static_cast<double>(finished_items_.load(std::memory_order_relaxed));
  return finished / static_cast<double>(total_items_);
}

void DatasetBuild::join() noexcept {
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

DatasetBuild::~DatasetBuild() {
  cancel();
  join();
}

}  // namespace headframe::xhash
