// The port for a GPU: OpenCL and CUDA implement it, gpu_search.cpp drives it. Independent of JavaScript.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../xhash/types.h"

namespace headframe::gpu {

/// A driver error; `text` names the driver call and its code.
struct Fault {
  enum class Kind {
    out_of_memory,  ///< the device has too little memory; it stays usable
    build,          ///< a kernel could not be built; `text` ends with the compiler's output
    lost,           ///< the device doesn't respond and must be opened again
    other,
  };
  Kind kind;
  std::string text;
};

/// Nothing: success.
using Outcome = std::optional<Fault>;

/// What the driver reports about a device without opening it.
struct DeviceFacts {
  std::string name;
  std::string vendor;
  std::string driver;  ///< version of the driver, for the cache of binaries and for users
  std::string pci;     ///< `01:00.0`, with a domain other than 0 `0001:01:00.0`; empty if the driver doesn't report it
  std::uint64_t memory_bytes = 0;
  std::uint64_t largest_allocation_bytes = 0;  ///< of one buffer; memory_bytes if the driver has no limit
  std::uint32_t compute_units = 0;
  bool is_cpu = false;  ///< a CPU behind OpenCL: used only if it was named
};

/// How a search kernel is launched. A device's own defaults come from `Device::default_shape`.
struct LaunchShape {
  std::uint32_t
      group_size;  ///< work items (threads) per group (block); a power of two, at least 16 (BatchResult::room)
  std::uint32_t batch_hashes;  ///< nonces per launch; a multiple of group_size
  std::uint8_t variant = 0;    ///< which of the device's search kernels, below `Device::variants`
  std::uint8_t batch_ms = 0;   ///< maximum duration of a launch if its size adapts to the time; 0: the default
};

/// Hits of one launch: offsets from its first nonce, unordered. Hits beyond the capacity are counted, not stored.
struct BatchResult {
  static constexpr std::size_t room = 16;
  std::uint32_t hits = 0;  ///< found; may exceed `room`
  std::array<std::uint32_t, room> offsets{};
};

/// An open device. All methods are called from one thread; none throws.
class Device {
public:
  static constexpr unsigned slots = 2;  ///< launches in flight

  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] virtual LaunchShape default_shape() const noexcept = 0;
  /// Number of search kernels; all find the same nonces, at different speeds.
  [[nodiscard]] virtual std::uint8_t variants() const noexcept { return 1; }
  /// Group sizes worth trying, ascending.
  [[nodiscard]] virtual std::vector<std::uint32_t> group_sizes() const { return {default_shape().group_size}; }

  /// Compiles what a dataset of `bytes` needs, before memory is allocated for it: drivers take seconds to minutes.
  [[nodiscard]] virtual Outcome compile(std::uint64_t bytes) {
    static_cast<void>(bytes);
    return std::nullopt;
  }
  /// Drops the previous dataset, allocates one of `bytes` (a multiple of 128) and uploads the cache (items of 16
  /// words).
  [[nodiscard]] virtual Outcome begin_dataset(std::span<const std::uint32_t> cache_words, std::uint64_t bytes) = 0;
  /// Computes the items [first, first + count) and waits for them. The caller chooses slices of about 20 ms.
  [[nodiscard]] virtual Outcome fill_items(std::uint64_t first, std::uint32_t count) = 0;
  /// Frees the cache memory on the device; the dataset is complete.
  [[nodiscard]] virtual Outcome end_dataset() = 0;
  virtual void drop_dataset() noexcept = 0;
  /// Item `index` (64 bytes) of the dataset.
  [[nodiscard]] virtual Outcome read_item(std::uint64_t index, std::span<std::uint8_t, xhash::item_bytes> to) = 0;

  /// Sets the search of later launches; launches in flight are unaffected. A hit is a result at or below the target in
  /// its first 64 bits (big-endian): the caller verifies the full hash.
  [[nodiscard]] virtual Outcome set_job(const xhash::Hash256& seal_hash, std::uint64_t target_top) = 0;
  /// Starts `shape.batch_hashes` nonces from `first_nonce` in `slot` (which must be idle) and returns immediately.
  [[nodiscard]] virtual Outcome launch(unsigned slot, std::uint64_t first_nonce, const LaunchShape& shape) = 0;
  /// Waits for the slot's launch, sleeping rather than spinning.
  [[nodiscard]] virtual Outcome finish(unsigned slot, BatchResult& result) = 0;

protected:
  Device() = default;
};

/// A driver library found on this computer. May be used from several threads at once.
class Driver {
public:
  virtual ~Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// In a stable order. Queried on each call.
  [[nodiscard]] virtual std::vector<DeviceFacts> devices() = 0;
  /// Opens `devices()[index]`, which compiles its kernels or loads them from `binary_folder` (empty: no cache).
  [[nodiscard]] virtual std::unique_ptr<Device> open(std::size_t index, const std::string& binary_folder,
                                                     Fault& fault) = 0;

protected:
  Driver() = default;
};

}  // namespace headframe::gpu
