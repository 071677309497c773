#include "gpu_device_loop.h"

#include <algorithm>
#include <utility>

namespace headframe::gpu {

namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

/// A shorter wait found the launch already finished: it took less time than since the previous one.
constexpr double least_wait_ms = 0.2;

std::uint64_t top_of(const xhash::Hash256& target) {
  std::uint64_t top = 0;
  for (int i = 0; i < 8; i++) top = top << 8 | target[i];
  return top;
}

}  // namespace

void GpuDeviceLoop::set_job(const farm::Job& job) {
  job_ = job;
  job_is_set_ = false;
  next_nonce_ = job.start_nonce;
  left_ = std::uint64_t{1} << job.segment_bits;
  again_.clear();
}

void GpuDeviceLoop::clear_job() {
  job_.reset();
  left_ = 0;
  again_.clear();
}

void GpuDeviceLoop::set_shape(const LaunchShape& shape, bool fixed) {
  shape_ = shape;
  shape_is_fresh_ = true;
  shape_number_++;
  has_finished_shape_ = false;
  const double most_ms = shape.batch_ms == 0 ? BatchSize::usual_ms : shape.batch_ms;
  size_ = BatchSize(std::max(shape.batch_hashes / shape.group_size, 1u) * shape.group_size, fixed, most_ms);
}

LaunchShape GpuDeviceLoop::shape() const {
  LaunchShape now = shape_;
  now.batch_hashes = size_.hashes();
  return now;
}

GpuDeviceLoop::Step GpuDeviceLoop::plan() const {
  if (has_nonces() && flights_.size() < Device::slots) return Step::launch;
  return flights_.empty() ? Step::idle : Step::finish;
}

/// Ranges to be searched again come first.
GpuDeviceLoop::Range GpuDeviceLoop::next_range() {
  if (!again_.empty()) {
    const Range range = again_.back();
    again_.pop_back();
    return range;
  }
  const Range range{next_nonce_, std::min<std::uint64_t>(left_, size_.hashes())};
  next_nonce_ += range.count;
  left_ -= range.count;
  return range;
}

/// Launches are whole groups; results past the range are ignored. Small ranges use the smallest groups, and no sizes
/// other than these two: some drivers recompile a kernel for each.
LaunchShape GpuDeviceLoop::shape_for(std::uint64_t count) const {
  LaunchShape shape = shape_;
  if (count < shape.group_size) shape.group_size = BatchResult::room;
  shape.batch_hashes = static_cast<std::uint32_t>((count + shape.group_size - 1) / shape.group_size) * shape.group_size;
  return shape;
}

Outcome GpuDeviceLoop::launch(Time now) {
  if (!job_is_set_) {
    if (auto fault = device_.set_job(job_->seal_hash, top_of(job_->target))) return fault;
    job_is_set_ = true;
  }
  const unsigned slot = busy_[0] ? 1 : 0;
  const Range range = next_range();
  if (auto fault = device_.launch(slot, range.first, shape_for(range.count))) return fault;
  busy_[slot] = true;
  // Drivers finish compiling at a kernel's first launch.
  const bool is_measured = range.count == size_.hashes() && !std::exchange(shape_is_fresh_, false);
  flights_.push_back({slot, job_->token, range, is_measured, shape_number_, now});
  return std::nullopt;
}

Outcome GpuDeviceLoop::finish(const std::function<Time()>& now) {
  const Flight flight = flights_.front();
  BatchResult result;
  const Time asked = now();
  if (auto fault = device_.finish(flight.slot, result)) return fault;
  flights_.pop_front();
  busy_[flight.slot] = false;
  const Time end = now();
  // A launch queued before the size changed says nothing about the current size.
  if (flight.is_measured && flight.range.count == size_.hashes()) measure(flight, asked, end);
  if (flight.shape_number == shape_number_) has_finished_shape_ = true;
  last_end_ = end;
  take(flight, result);
  return std::nullopt;
}

void GpuDeviceLoop::measure(const Flight& flight, Time asked, Time end) {
  const Milliseconds waited = end - asked;
  const Milliseconds busy = end - std::max(flight.launched, last_end_);
  // A launch that had finished when it was polled took no longer than this: enough to know that it was short.
  const bool is_known = waited.count() >= least_wait_ms || busy.count() < size_.least_ms();
  if (is_known) size_.measured(busy.count(), shape_.group_size);
}

Outcome GpuDeviceLoop::drain(const std::function<Time()>& now) {
  while (!flights_.empty()) {
    if (auto fault = finish(now)) return fault;
  }
  return std::nullopt;
}

void GpuDeviceLoop::take(const Flight& flight, const BatchResult& result) {
  const bool overflowed = result.hits > BatchResult::room;
  if (overflowed && job_ && job_->token == flight.token) {
    search_again(flight.range);
    return;
  }
  // For a replaced job, the hits that fit are enough.
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(result.hits, BatchResult::room); i++) {
    if (result.offsets[i] < flight.range.count) sink_.hit(flight.token, flight.range.first + result.offsets[i]);
  }
  sink_.counted(flight.range.count);
  report_end(flight.token);
}

/// Splits in halves; always terminates, since a range no larger than the hit capacity can't overflow it.
void GpuDeviceLoop::search_again(const Range& range) {
  const std::uint64_t half = (range.count + 1) / 2;
  again_.push_back({range.first + half, range.count - half});
  again_.push_back({range.first, half});
}

void GpuDeviceLoop::report_end(std::uint64_t token) {
  if (!job_ || job_->token != token || has_nonces()) return;
  const auto is_same = [&](const Flight& flight) { return flight.token == token; };
  if (std::any_of(flights_.begin(), flights_.end(), is_same)) return;
  job_.reset();
  sink_.segment_done(token);
}

}  // namespace headframe::gpu
