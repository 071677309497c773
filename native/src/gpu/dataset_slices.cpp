#include "dataset_slices.h"

#include <algorithm>
#include <chrono>

namespace headframe::gpu {

namespace {
constexpr std::uint32_t first_slice = 1024;  ///< items
constexpr std::uint32_t most_items = 1u << 24;
constexpr double least_ms = 12;
constexpr double most_ms = 25;
}  // namespace

BuildEnd build_dataset(Device& device, const xhash::Cache& cache, std::uint64_t bytes, const BuildWatch& watch) {
  using Clock = std::chrono::steady_clock;
  watch.progress.store(0, std::memory_order_relaxed);
  const auto end_with = [&](Outcome fault) {
    device.drop_dataset();
    const bool cancelled = !fault.has_value();
    return BuildEnd{std::move(fault), cancelled};
  };
  if (watch.cancelled.load(std::memory_order_relaxed)) return end_with(std::nullopt);
  if (auto fault = device.compile(bytes)) return end_with(std::move(fault));
  if (watch.cancelled.load(std::memory_order_relaxed)) return end_with(std::nullopt);
  if (auto fault = device.begin_dataset({cache.view().words, cache.bytes() / sizeof(std::uint32_t)}, bytes)) {
    return end_with(std::move(fault));
  }
  const std::uint64_t items = bytes / xhash::item_bytes;
  std::uint32_t slice = first_slice;
  for (std::uint64_t first = 0; first < items;) {
    if (watch.cancelled.load(std::memory_order_relaxed)) return end_with(std::nullopt);
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(slice, items - first));
    const auto start = Clock::now();
    if (auto fault = device.fill_items(first, count)) return end_with(std::move(fault));
    if (first == 0) watch.compiled();
    const double took = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (took < least_ms && slice < most_items) slice *= 2;
    else if (took > most_ms && slice > first_slice) slice /= 2;
    first += count;
    watch.progress.store(static_cast<double>(first) / static_cast<double>(items), std::memory_order_relaxed);
  }
  if (auto fault = device.end_dataset()) return end_with(std::move(fault));
  return {};
}

}  // namespace headframe::gpu
