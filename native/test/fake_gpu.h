// A GPU played by a test: it knows which nonces are hits, and executes commands in order.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "../src/gpu/device.h"

namespace headframe::test {

/// Commands to the fake and what it did; outlives the device, which its owner destroys.
struct FakeGpuWorld {
  std::function<bool(std::uint64_t nonce)> is_hit = [](std::uint64_t) { return false; };
  std::function<void()> on_finish = [] {};    ///< called, on the device's thread, before a launch is done
  std::function<void()> on_compile = [] {};   ///< called, on the device's thread, while it would compile
  std::function<void()> on_close = [] {};     ///< called, on the device's thread, when the device is destroyed
  std::atomic<int> launches_until_fault{-1};  ///< at 0 the next launch fails
  std::atomic<bool> has_memory{true};
  std::atomic<bool> fails_build{false};
  std::atomic<int> fill_ms{0};
  std::atomic<std::uint64_t> filled{0};
  std::atomic<int> datasets_begun{0};
  std::atomic<int> open_devices{0};
  std::mutex mutex;
  std::vector<std::uint8_t> job_marks;   ///< first byte of the seal hash, by launch
  std::vector<gpu::LaunchShape> shapes;  ///< by launch
};

class FakeGpu final : public gpu::Device {
public:
  explicit FakeGpu(FakeGpuWorld& world) : world_(world) { world_.open_devices++; }
  ~FakeGpu() override {
    world_.on_close();
    world_.open_devices--;
  }

  [[nodiscard]] gpu::LaunchShape default_shape() const noexcept override { return {64, 256}; }
  [[nodiscard]] std::uint8_t variants() const noexcept override { return 3; }
  [[nodiscard]] std::vector<std::uint32_t> group_sizes() const override { return {64, 128}; }

  [[nodiscard]] gpu::Outcome compile(std::uint64_t) override {
    world_.on_compile();
    return std::nullopt;
  }
  [[nodiscard]] gpu::Outcome begin_dataset(std::span<const std::uint32_t>, std::uint64_t) override {
    world_.datasets_begun++;
    if (!world_.has_memory) return gpu::Fault{gpu::Fault::Kind::out_of_memory, "fake: no memory"};
    return std::nullopt;
  }
  [[nodiscard]] gpu::Outcome fill_items(std::uint64_t first, std::uint32_t count) override {
    if (world_.fails_build) return gpu::Fault{gpu::Fault::Kind::other, "fake: no fill"};
    std::this_thread::sleep_for(std::chrono::milliseconds(world_.fill_ms));
    if (first == world_.filled) world_.filled += count;
    return std::nullopt;
  }
  [[nodiscard]] gpu::Outcome end_dataset() override { return std::nullopt; }
  void drop_dataset() noexcept override {}
  [[nodiscard]] gpu::Outcome read_item(std::uint64_t index, std::span<std::uint8_t, xhash::item_bytes> to) override {
    to[0] = static_cast<std::uint8_t>(index);
    return std::nullopt;
  }
  [[nodiscard]] gpu::Outcome set_job(const xhash::Hash256& seal_hash, std::uint64_t) override {
    mark_ = seal_hash[0];
    return std::nullopt;
  }
  [[nodiscard]] gpu::Outcome launch(unsigned slot, std::uint64_t first_nonce, const gpu::LaunchShape& shape) override {
    if (world_.launches_until_fault >= 0 && world_.launches_until_fault-- == 0) {
      return gpu::Fault{gpu::Fault::Kind::lost, "fake: gone"};
    }
    const std::lock_guard lock(world_.mutex);
    world_.job_marks.push_back(mark_);
    world_.shapes.push_back(shape);
    flights_[slot] = {first_nonce, shape.batch_hashes};
    return std::nullopt;
  }
  [[nodiscard]] gpu::Outcome finish(unsigned slot, gpu::BatchResult& result) override {
    world_.on_finish();
    for (std::uint32_t i = 0; i < flights_[slot].count; i++) {
      if (!world_.is_hit(flights_[slot].first + i)) continue;
      if (result.hits < gpu::BatchResult::room) result.offsets[result.hits] = i;
      result.hits++;
    }
    return std::nullopt;
  }

private:
  struct Flight {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };
  FakeGpuWorld& world_;
  std::uint8_t mark_ = 0;
  Flight flights_[slots];
};

}  // namespace headframe::test
