// A GPU as a mining device: one thread that owns an open device, builds its dataset, and searches one job at a time.
// Whatever happens comes back as events. Knows no JavaScript.
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
    hit,           ///< `nonce` of the job with this token; the first 64 bits of its result are at or under the target's
    segment_done,  ///< of the job with this token
    prepared,      ///< the answer to a prepare(); `fault` when it failed, `cancelled` when it was dropped
    items,         ///< the answer to a read_items()
    failed,  ///< the device cannot go on: what is asked from now on is answered with this fault, and `closed` follows
    closed,  ///< the thread has let go of the device; only refusals of later questions come after it
  };
  Kind kind;
  std::uint64_t token = 0;  ///< of the job, or of the question
  std::uint64_t nonce = 0;
  bool cancelled = false;
  Outcome fault{};
  std::vector<std::uint8_t> bytes{};  ///< of `items`: 64 each
};

class GpuSearch {
public:
  /// Called on the device's thread to open the device; null with the reason in the fault when that fails.
  using Open = std::function<std::unique_ptr<Device>(Fault&)>;
  /// Called on the device's thread after an event was queued; must return at once. Not called again before
  /// take_events().
  using Notify = std::function<void()>;

  static constexpr std::size_t queue_limit = 4096;  ///< hits beyond it are dropped

  /// Starts a thread with the name of the device; the device is opened by the first prepare(). Null without a thread.
  [[nodiscard]] static std::unique_ptr<GpuSearch> start(const std::string& name, Open open, Notify notify);
  /// Waits a second at most, and not at all after a wait in vain: a driver that hangs keeps its thread.
  ~GpuSearch();
  GpuSearch(const GpuSearch&) = delete;
  GpuSearch& operator=(const GpuSearch&) = delete;

  /// Drops job and dataset, then builds one of `bytes` (a multiple of 128). A build that runs is cancelled.
  void prepare(std::uint64_t token, std::shared_ptr<const xhash::Cache> cache, std::uint64_t bytes);
  /// The build that was asked for last is answered as cancelled: at once where it was not begun, else within a slice.
  void cancel_prepare();
  /// 0..1 of the build that runs or ran last
  [[nodiscard]] double progress() const noexcept;
  void read_items(std::uint64_t token, std::vector<std::uint32_t> indices);
  /// Replaces the job; returns at once. Ignored without a dataset.
  void set_job(const farm::Job& job);
  void clear_job();
  /// How to launch, from the next launch on. @param fixed the batch keeps its size
  void set_shape(const LaunchShape& shape, bool fixed);

  /// What the device offers and uses; nothing before it was opened.
  struct Shapes {
    LaunchShape current;
    std::uint8_t variants;
    std::vector<std::uint32_t> group_sizes;
  };
  [[nodiscard]] std::optional<Shapes> shapes() const;

  /// What the thread is at. Compilers of drivers take seconds to minutes and tell nothing: silence while `compiling` is
  /// no sign of a device that hangs.
  enum class Activity : std::uint8_t { idle, compiling, building, searching };
  [[nodiscard]] Activity activity() const noexcept;

  /// Hashes finished since construction; read from any thread.
  [[nodiscard]] std::uint64_t hash_count() const noexcept;
  [[nodiscard]] std::vector<GpuEvent> take_events();

  /// Asks the thread to end; `closed` comes when it has. Returns at once.
  void stop() noexcept;
  /// True when the thread ended within the time.
  bool wait_stopped(std::chrono::milliseconds limit);

private:
  class Core;
  explicit GpuSearch(std::shared_ptr<Core> core) : core_(std::move(core)) {}
  std::shared_ptr<Core> core_;
  bool hangs_ = false;  ///< as far as the owner knows
};

}  // namespace headframe::gpu
