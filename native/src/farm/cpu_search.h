// A CPU device: threads that search one dataset for one job at a time. Independent of JavaScript.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../xhash/dataset.h"

namespace headframe::farm {

struct Job {
  std::uint64_t token;  ///< grows by one per job; echoed in every event
  xhash::Hash256 seal_hash;
  xhash::Hash256 target;      ///< big-endian; a result <= target is a hit
  std::uint64_t start_nonce;  ///< the device's segment is [start_nonce, start_nonce + 2^segment_bits), modulo 2^64
  std::uint8_t segment_bits;  ///< 0..63
};

/// A hit, or the end of a job's segment.
struct SearchEvent {
  std::uint64_t token;
  std::optional<xhash::Hit> hit;  ///< nothing: segment done
};

class CpuSearch {
public:
  /// Called on a device thread after an event was queued; must return immediately. Not called again before
  /// take_events().
  using Notify = std::function<void()>;

  static constexpr std::size_t queue_limit = 4096;  ///< hits beyond it are dropped and counted

  /// Starts up to `threads` threads, named after the device. `running()` returns how many were started.
  CpuSearch(const std::string& name, unsigned threads, Notify notify);
  ~CpuSearch();
  CpuSearch(const CpuSearch&) = delete;
  CpuSearch& operator=(const CpuSearch&) = delete;

  /// Replaces the dataset and drops the job. The old dataset is freed when the current batches end.
  void set_dataset(std::shared_ptr<const xhash::Dataset> dataset) noexcept;
  /// Replaces the job; returns immediately. Each thread finishes its current batch (under 5 ms) first.
  void set_job(const Job& job) noexcept;
  /// Threads sleep until the next job.
  void clear_job() noexcept;
  /// Joins the threads. Idempotent; not on a device thread.
  void stop() noexcept;

  [[nodiscard]] std::vector<SearchEvent> take_events();
  /// Hashes finished since construction; read from any thread.
  [[nodiscard]] std::uint64_t hash_count() const noexcept;
  [[nodiscard]] std::uint64_t dropped_hits() const noexcept { return dropped_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::size_t running() const noexcept { return threads_.size(); }

private:
  /// What all threads work on until the next generation.
  struct Assignment {
    Job job;
    std::shared_ptr<const xhash::Dataset> dataset;
    std::atomic<std::size_t> unfinished;  ///< threads that haven't searched their part yet
  };
  /// One thread's part of an assignment.
  struct Part {
    std::shared_ptr<Assignment> assignment;
    std::uint64_t next_nonce = 0;
    std::uint64_t left = 0;
  };
  struct alignas(64) Counter {
    std::atomic<std::uint64_t> hashes{0};
  };

  void run(std::size_t index) noexcept;
  [[nodiscard]] Part part_of(std::size_t index, std::shared_ptr<Assignment> assignment);
  void search_batch(std::size_t index, Part& part, xhash::Hit* hits);
  void finish_part(const Part& part);
  void queue_event(const SearchEvent& event);
  void assign(std::optional<Job> job) noexcept;

  Notify notify_;
  std::size_t wanted_threads_;
  std::vector<Counter> counters_;

  std::mutex mutex_;  ///< guards the next three
  std::condition_variable wake_;
  std::shared_ptr<const xhash::Dataset> dataset_;
  std::shared_ptr<Assignment> current_;
  bool stopping_ = false;
  std::atomic<std::uint64_t> generation_{0};  ///< written under the mutex; read without it at the end of a batch

  std::mutex events_mutex_;
  std::vector<SearchEvent> events_;
  bool notified_ = false;
  std::atomic<std::uint64_t> dropped_{0};

  std::vector<std::thread> threads_;
};

}  // namespace headframe::farm
