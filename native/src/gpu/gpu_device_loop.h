// Decides what to launch next on a device, and handles the results. Has no thread: gpu_search.cpp asks plan() and
// executes it, so that tests can play any order of events.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "../farm/cpu_search.h"
#include "batch_size.h"
#include "device.h"

namespace headframe::gpu {

class GpuDeviceLoop {
public:
  using Time = std::chrono::steady_clock::time_point;

  /// Where results go.
  struct Sink {
    std::function<void(std::uint64_t token, std::uint64_t nonce)> hit;
    std::function<void(std::uint64_t token)> segment_done;
    std::function<void(std::uint64_t hashes)> counted;
  };

  enum class Step { idle, launch, finish };

  GpuDeviceLoop(Device& device, Sink sink)
      : device_(device), sink_(std::move(sink)), shape_(device.default_shape()), size_(shape_.batch_hashes) {}

  /// Replaces the job. Launches in flight finish under their own token.
  void set_job(const farm::Job& job);
  void clear_job();
  /// Sets the launch shape. @param fixed keeps the batch size; otherwise it adapts to the measured time.
  void set_shape(const LaunchShape& shape, bool fixed);
  /// The current shape; its batch size adapts to the measured time.
  [[nodiscard]] LaunchShape shape() const;

  /// A free slot is filled immediately: a launch queued behind the running one costs a new job a few milliseconds, but
  /// one not queued because of a late timer leaves the device idle.
  [[nodiscard]] Step plan() const;
  /// Launches of a new shape, or the first ones, are in flight and none has finished: the driver may be compiling.
  [[nodiscard]] bool may_compile() const noexcept { return !has_finished_shape_; }
  [[nodiscard]] Outcome launch(Time now);
  /// Waits for the oldest launch. @param now read after the wait
  [[nodiscard]] Outcome finish(const std::function<Time()>& now);
  /// Waits for everything in flight, so that the dataset can be freed.
  [[nodiscard]] Outcome drain(const std::function<Time()>& now);

private:
  struct Range {
    std::uint64_t first;
    std::uint64_t count;
  };
  struct Flight {
    unsigned slot;
    std::uint64_t token;
    Range range;
    bool is_measured;  ///< knows how long batches take
    std::uint32_t shape_number;
    Time launched;
  };

  [[nodiscard]] bool has_nonces() const { return job_ && (left_ > 0 || !again_.empty()); }
  [[nodiscard]] Range next_range();
  [[nodiscard]] LaunchShape shape_for(std::uint64_t count) const;
  void measure(const Flight& flight, Time asked, Time end);
  void take(const Flight& flight, const BatchResult& result);
  void search_again(const Range& range);
  void report_end(std::uint64_t token);

  Device& device_;
  Sink sink_;
  LaunchShape shape_;
  BatchSize size_;
  bool shape_is_fresh_ = true;       ///< nothing was launched with it yet
  std::uint32_t shape_number_ = 0;   ///< increases with each set_shape
  bool has_finished_shape_ = false;  ///< a launch with the current shape has finished
  std::optional<farm::Job> job_;
  bool job_is_set_ = false;  ///< on the device
  std::uint64_t next_nonce_ = 0;
  std::uint64_t left_ = 0;
  std::vector<Range> again_;    ///< had more hits than a launch can return
  std::deque<Flight> flights_;  ///< oldest first
  std::array<bool, Device::slots> busy_{};
  Time last_end_{};
};

}  // namespace headframe::gpu
