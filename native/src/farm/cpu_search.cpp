#include "cpu_search.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "../xhash/system/priority.h"

#if defined(__linux__)
#include <pthread.h>
#endif

namespace headframe::farm {

namespace {

constexpr std::uint32_t batch_nonces = 256;  ///< 0.3 ms with AVX-512, under 5 ms without vectors

void name_thread(std::thread& thread, const std::string& name) noexcept {
#if defined(__linux__)
  pthread_setname_np(thread.native_handle(), name.substr(0, 15).c_str());
#else
  static_cast<void>(thread);
  static_cast<void>(name);
#endif
}

}  // namespace

CpuSearch::CpuSearch(const std::string& name, unsigned threads, Notify notify)
    : notify_(std::move(notify)), wanted_threads_(threads), counters_(threads) {
  // If a thread couldn't be started, part of every segment stays unsearched; the parts are equal, so the ranges don't
  // depend on how many threads run.
  threads_.reserve(threads);
  for (unsigned i = 0; i < threads; i++) {
    try {
      threads_.emplace_back([this, i] { run(i); });
      name_thread(threads_.back(), name + "-" + std::to_string(i));
    } catch (const std::system_error&) {
      break;
    }
  }
}

CpuSearch::~CpuSearch() { stop(); }

void CpuSearch::set_dataset(std::shared_ptr<const xhash::Dataset> dataset) noexcept {
  const std::lock_guard lock(mutex_);
  dataset_ = std::move(dataset);
  assign(std::nullopt);
}

void CpuSearch::set_job(const Job& job) noexcept {
  const std::lock_guard lock(mutex_);
  assign(job);
}

void CpuSearch::clear_job() noexcept {
  const std::lock_guard lock(mutex_);
  assign(std::nullopt);
}

void CpuSearch::assign(std::optional<Job> job) noexcept {
  current_.reset();
  if (job && dataset_) {
    current_ = std::make_shared<Assignment>();
    current_->job = *job;
    current_->dataset = dataset_;
    current_->unfinished = wanted_threads_;
  }
  generation_.fetch_add(1, std::memory_order_release);
  wake_.notify_all();
}

void CpuSearch::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    assign(std::nullopt);
    dataset_.reset();
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void CpuSearch::run(std::size_t index) noexcept {
  xhash::lower_thread_priority();
  std::array<xhash::Hit, batch_nonces> hits;
  std::uint64_t seen = 0;
  Part part;
  for (;;) {
    if (part.left > 0 && generation_.load(std::memory_order_acquire) == seen) {
      search_batch(index, part, hits.data());
      continue;
    }
    part = Part{};  // releases the old dataset before sleeping
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return stopping_ || generation_.load(std::memory_order_relaxed) != seen; });
    if (stopping_) return;
    seen = generation_.load(std::memory_order_relaxed);
    std::shared_ptr<Assignment> assignment = current_;
    lock.unlock();
    if (assignment) part = part_of(index, std::move(assignment));
  }
}

CpuSearch::Part CpuSearch::part_of(std::size_t index, std::shared_ptr<Assignment> assignment) {
  const std::uint64_t size = std::uint64_t{1} << assignment->job.segment_bits;
  const std::uint64_t share = size / wanted_threads_;
  Part part;
  part.next_nonce = assignment->job.start_nonce + share * index;
  part.left = index + 1 == wanted_threads_ ? size - share * index : share;
  part.assignment = std::move(assignment);
  if (part.left == 0) finish_part(part);
  return part;
}

void CpuSearch::search_batch(std::size_t index, Part& part, xhash::Hit* hits) {
  const Job& job = part.assignment->job;
  const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(part.left, batch_nonces));
  const std::size_t found = part.assignment->dataset->search({job.seal_hash, job.target, part.next_nonce, count}, hits);
  part.next_nonce += count;
  part.left -= count;
  for (std::size_t i = 0; i < found; i++) queue_event({job.token, hits[i]});
  // In this order: a count includes the hits before it, and the end of a segment includes its count.
  counters_[index].hashes.fetch_add(count, std::memory_order_release);
  if (part.left == 0) finish_part(part);
}

void CpuSearch::finish_part(const Part& part) {
  if (part.assignment->unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    queue_event({part.assignment->job.token, std::nullopt});
  }
}

void CpuSearch::queue_event(const SearchEvent& event) {
  {
    const std::lock_guard lock(events_mutex_);
    if (event.hit && events_.size() >= queue_limit) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    events_.push_back(event);
    if (std::exchange(notified_, true)) return;
  }
  notify_();
}

std::vector<SearchEvent> CpuSearch::take_events() {
  const std::lock_guard lock(events_mutex_);
  notified_ = false;
  return std::exchange(events_, {});
}

std::uint64_t CpuSearch::hash_count() const noexcept {
  std::uint64_t sum = 0;
  for (const Counter& counter : counters_) sum += counter.hashes.load(std::memory_order_acquire);
  return sum;
}

}  // namespace headframe::farm
