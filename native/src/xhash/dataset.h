// The whole dataset of one epoch in native memory, and its build on several threads with progress and cancel.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "cache.h"
#include "system/huge_buffer.h"

namespace headframe::xhash {

/// Read-only once built; shared by the searches that use it.
class Dataset {
public:
  Dataset(std::shared_ptr<const HugeBuffer> buffer, std::uint32_t rows, const Kernels& kernels) noexcept
      : buffer_(std::move(buffer)), count_(rows), kernels_(kernels) {}

  [[nodiscard]] DatasetView view() const noexcept { return {buffer_->words(), count_}; }
  [[nodiscard]] std::size_t bytes() const noexcept { return std::size_t{count_.divisor()} * row_bytes; }

  /// Tries input.count nonces; hits (room for input.count) in nonce order; returns their number.
  std::size_t search(const SearchInput& input, Hit* hits) const noexcept {
    return kernels_.search(view(), input, hits);
  }

  /// The same memory, searched with other kernels; for tests and benchmarks.
  [[nodiscard]] std::shared_ptr<const Dataset> with_simd(Simd simd) const;

  /// One full hash. Same result as Cache::hash_light.
  [[nodiscard]] HashResult hash_full(const LightInput& input) const noexcept;

private:
  friend class DatasetBuild;
  std::shared_ptr<const HugeBuffer> buffer_;
  FastModulus count_;
  const Kernels& kernels_;
};

/// Whether a caller waits for the dataset.
enum class Urgency : std::uint8_t { awaited, background };

/// Threads that fill one dataset. The destructor cancels and joins.
class DatasetBuild {
public:
  /// Called once, on a build thread, with the dataset, or with null after cancel().
  using Done = std::function<void(std::shared_ptr<const Dataset>)>;

  struct Workers {
    unsigned threads;
    Urgency urgency = Urgency::awaited;
  };
  /// `bytes`: a multiple of 128. Null when memory can't be allocated or no thread could be started.
  [[nodiscard]] static std::shared_ptr<DatasetBuild> start(std::shared_ptr<const Cache> cache, std::uint64_t bytes,
                                                           const Workers& workers, Done done);
  ~DatasetBuild();
  DatasetBuild(const DatasetBuild&) = delete;
  DatasetBuild& operator=(const DatasetBuild&) = delete;

  /// Returns immediately; the threads end within a chunk (about 10 ms).
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  /// 0..1
  [[nodiscard]] double progress() const noexcept;
  /// Waits for the threads. Not on a build thread.
  void join() noexcept;

private:
  DatasetBuild(std::shared_ptr<const Cache> cache, std::shared_ptr<Dataset> dataset, Done done);
  void run(Urgency urgency) noexcept;
  /// `threads` threads have ended (or never began); the last one reports.
  void leave(unsigned threads) noexcept;

  std::shared_ptr<const Cache> cache_;
  std::uint64_t total_items_;
  std::shared_ptr<Dataset> dataset_;
  Done done_;
  std::atomic<std::uint64_t> next_item_{0};
  std::atomic<std::uint64_t> finished_items_{0};
  std::atomic<unsigned> running_{0};
  std::atomic<bool> cancelled_{false};
  std::vector<std::thread> threads_;
};

}  // namespace headframe::xhash
