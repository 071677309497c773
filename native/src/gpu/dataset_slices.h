// Builds a dataset on a device in slices of about 20 ms: a desktop that the device draws stays usable, and a canceled
// build ends soon.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "../xhash/cache.h"
#include "device.h"

namespace headframe::gpu {

struct BuildWatch {
  const std::atomic<bool>& cancelled;
  std::atomic<double>& progress;   ///< 0..1
  std::function<void()> compiled;  ///< called once the first slice is done: drivers compile until then
};

struct BuildEnd {
  Outcome fault;
  bool cancelled = false;
};

/// @param bytes a multiple of 128. A device whose build failed or was cancelled has no dataset.
[[nodiscard]] BuildEnd build_dataset(Device& device, const xhash::Cache& cache, std::uint64_t bytes,
                                     const BuildWatch& watch);

}  // namespace headframe::gpu
