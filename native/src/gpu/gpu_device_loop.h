// What to launch next on a device, and what to do with what comes back. Knows no thread: gpu_search.cpp asks plan() and
// does what it says, so every order of events can be played in a test.
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

  /// Replaces the job. Launches in flight end under their own token.
  void set_job(const farm::Job& job);
  void clear_job();
  /// How to launch from now on. @param fixed the batch keeps its size; else it follows the time it takes.
  void set_shape(const LaunchShape& shape, bool fixed);
  /// The shape of now; its batch follows the time that batches take.
  [[nodiscard]] LaunchShape shape() const;

  /// A free slot is filled at once: a launch that waits behind the running one costs a new job a few milliseconds, one
  /// that a late timer did not queue would leave the device idle.
  [[nodiscard]] Step plan() const;
  /// Launches have been made with a new shape, or none yet, and none has ended: the driver may be compiling.
  [[nodiscard]] bool may_compile() const noexcept { return !has_finished_shape_; }
  [[nodiscard]] Outcome launch(Time now);
  /// Waits for the oldest launch. @param now read after the wait
  [[nodiscard]] Outcome finish(const std::function<Time()>& now);
  /// Waits for everything in flight, so that the dataset may go.
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
    bool is_measured;  ///< tells how long batches take
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
  std::uint32_t shape_number_ = 0;   ///< grows with each set_shape
  bool has_finished_shape_ = false;  ///< a launch with the shape of now has ended
  std::optional<farm::Job> job_;
  bool job_is_set_ = false;  ///< on the device
  std::uint64_t next_nonce_ = 0;
  std::uint64_t left_ = 0;
  std::vector<Range> again_;    ///< had more hits than a launch can tell
  std::deque<Flight> flights_;  ///< oldest first
  std::array<bool, Device::slots> busy_{};
  Time last_end_{};
};

}  // namespace headframe::gpu
