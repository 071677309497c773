// A GPU as a mining device: one thread that owns an open device, builds its dataset, and searches one job at a time.
// Everything is reported as events. Independent of JavaScript.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../farm/cpu_search.h"
#include "../xhash/cache.h"
#include "device.h"

namespace headframe::gpu {

struct GpuEvent {
  enum class Kind {
    hit,           ///< `nonce` of the job with this token; the first 64 bits of its result are at or below the target's
    segment_done,  ///< of the job with this token
    prepared,      ///< the answer to a prepare(); `fault` if it failed, `cancelled` if it was dropped
    items,         ///< the answer to a read_items()
    failed,        ///< the device can't continue: later requests are answered with this fault, and `closed` follows
    closed,        ///< the thread has released the device; only refusals of later requests follow
  };
  Kind kind;
  std::uint64_t token = 0;  ///< of the job, or of the request
  std::uint64_t nonce = 0;
  bool cancelled = false;
  Outcome fault{};
  std::vector<std::uint8_t> bytes{};  ///< of `items`: 64 each
};

class GpuSearch {
public:
  /// Called on the device's thread to open the device; null with the reason in the fault on failure.
  using Open = std::function<std::unique_ptr<Device>(Fault&)>;
  /// Called on the device's thread after an event was queued; must return immediately. Not called again before
  /// take_events().
  using Notify = std::function<void()>;

  static constexpr std::size_t queue_limit = 4096;  ///< hits beyond it are dropped

  /// Starts a thread named after the device; the first prepare() opens the device. Null when no thread could be
  /// started.
  [[nodiscard]] static std::unique_ptr<GpuSearch> start(const std::string& name, Open open, Notify notify);
  /// Waits at most a second, and not at all after a timed-out wait: a hanging driver keeps its thread.
  ~GpuSearch();
  GpuSearch(const GpuSearch&) = delete;
  GpuSearch& operator=(const GpuSearch&) = delete;

  /// Drops job and dataset, then builds one of `bytes` (a multiple of 128). Cancels a running build.
  void prepare(std::uint64_t token, std::shared_ptr<const xhash::Cache> cache, std::uint64_t bytes);
  /// Answers the last requested build as cancelled: immediately if it hasn't begun, else within a slice.
  void cancel_prepare();
  /// 0..1 of the current or last build
  [[nodiscard]] double progress() const noexcept;
  void read_items(std::uint64_t token, std::vector<std::uint32_t> indices);
  /// Replaces the job; returns immediately. Ignored without a dataset.
  void set_job(const farm::Job& job);
  void clear_job();
  /// Sets the launch shape, from the next launch on. @param fixed keeps the batch size
  void set_shape(const LaunchShape& shape, bool fixed);

  /// The shapes a device offers and uses; nothing before it was opened.
  struct Shapes {
    LaunchShape current;
    std::uint8_t variants;
    std::vector<std::uint32_t> group_sizes;
  };
  [[nodiscard]] std::optional<Shapes> shapes() const;

  /// What the thread is doing. Drivers compile for seconds to minutes without reporting progress: silence while
  /// `compiling` doesn't mean the device hangs.
  enum class Activity : std::uint8_t { idle, compiling, building, searching };
  [[nodiscard]] Activity activity() const noexcept;

  /// Hashes finished since construction; read from any thread.
  [[nodiscard]] std::uint64_t hash_count() const noexcept;
  [[nodiscard]] std::vector<GpuEvent> take_events();

  /// Asks the thread to end; `closed` is reported when it has. Returns immediately.
  void stop() noexcept;
  /// True when the thread ended in time.
  bool wait_stopped(std::chrono::milliseconds limit);

private:
  class Core;
  explicit GpuSearch(std::shared_ptr<Core> core) : core_(std::move(core)) {}
  std::shared_ptr<Core> core_;
  bool hangs_ = false;  ///< as far as the owner knows
};

}  // namespace headframe::gpu
