#include "cuda_device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "cuda_module.h"
#include "cuda_object.h"

namespace headframe::gpu {

namespace {

using xhash::item_bytes;
using xhash::item_words;
using xhash::row_bytes;

constexpr std::uint32_t warp = 32;
constexpr std::uint32_t largest_group = 256;  ///< of the kernels' launch bounds
constexpr std::uint32_t usual_group = 128;
constexpr std::uint32_t batch_per_unit = 8192;  ///< a few ms even on the fastest card, to be tuned by time from there
constexpr std::uint64_t largest_dataset = (std::uint64_t{1} << 31) * row_bytes;  ///< row numbers under 2^31
constexpr std::uint64_t mib = 1024 * 1024;

/// `Modulus::magic` of the kernels.
std::uint32_t magic_of(std::uint32_t divisor) { return UINT32_MAX / divisor; }

unsigned schedule_of(CudaWait wait) {
  switch (wait) {
    case CudaWait::automatic: return cuda::schedule_auto;
    case CudaWait::spin: return cuda::schedule_spin;
    case CudaWait::yield: return cuda::schedule_yield;
    case CudaWait::sleep: return cuda::schedule_sleep;
  }
  return cuda::schedule_sleep;
}

/// Output of a launch: host memory mapped into the device.
struct Results {
  std::uint32_t hits;
  std::array<std::uint32_t, BatchResult::room> offsets;
};

class CudaDevice final : public Device {
public:
  explicit CudaDevice(CudaDeviceOptions options) : options_(std::move(options)), cuda_(options_.library->functions()) {}
  /// Waits for launches in flight, since they use what is about to be destroyed.
  ~CudaDevice() override {
    if (!context_) return;
    cuda_.CtxSetCurrent(handle_);
    cuda_.CtxSynchronize();
  }

  [[nodiscard]] Outcome start();

  [[nodiscard]] LaunchShape default_shape() const noexcept override {
    return {usual_group, static_cast<std::uint32_t>(units_) * batch_per_unit};
  }
  [[nodiscard]] std::uint8_t variants() const noexcept override {
    return static_cast<std::uint8_t>(kernels_.searches.size());
  }
  [[nodiscard]] std::vector<std::uint32_t> group_sizes() const override { return {64, 128, 256}; }

  [[nodiscard]] Outcome begin_dataset(std::span<const std::uint32_t> cache_words, std::uint64_t bytes) override;
  [[nodiscard]] Outcome fill_items(std::uint64_t first, std::uint32_t count) override;
  [[nodiscard]] Outcome end_dataset() override;
  void drop_dataset() noexcept override;
  [[nodiscard]] Outcome read_item(std::uint64_t index, std::span<std::uint8_t, item_bytes> to) override;
  [[nodiscard]] Outcome set_job(const xhash::Hash256& seal_hash, std::uint64_t target_top) override;
  [[nodiscard]] Outcome launch(unsigned slot, std::uint64_t first_nonce, const LaunchShape& shape) override;
  [[nodiscard]] Outcome finish(unsigned slot, BatchResult& result) override;

private:
  struct Slot {
    cuda::Object<cuda::Stream> stream;
    cuda::Object<cuda::Event> done;
    cuda::Object<void*> memory;
    cuda::Address results = 0;  ///< that memory as the device sees it
  };

  struct Grid {
    cuda::Kernel kernel;
    std::uint32_t groups;
    std::uint32_t group;  ///< threads
  };

  [[nodiscard]] Outcome open_context();
  [[nodiscard]] Outcome open_slot(Slot& slot);
  [[nodiscard]] Outcome allocate(const char* what, std::uint64_t bytes, cuda::Object<cuda::Address>& memory);
  [[nodiscard]] Outcome start_kernel(const Grid& grid, const Slot& slot, void* parameters);
  /// Every call into the driver needs the context to be current on its thread.
  [[nodiscard]] Outcome enter() const { return fault("cuCtxSetCurrent", cuda_.CtxSetCurrent(handle_)); }
  [[nodiscard]] Outcome fault(const char* call, cuda::Code code) const { return options_.library->fault(call, code); }

  CudaDeviceOptions options_;
  const cuda::Functions& cuda_;
  int units_ = 1;
  cuda::Object<cuda::DeviceId> context_;  ///< one use of the device's primary context; what follows lives in it
  cuda::Context handle_ = nullptr;
  cuda::Kernels kernels_;
  cuda::Object<cuda::Address> cache_;
  cuda::Object<cuda::Address> dataset_;
  cuda::ItemsParameters items_{};    ///< except for the slice
  cuda::SearchParameters search_{};  ///< except for nonces and results. Copied by each launch: none sees the next job
  std::array<Slot, slots> slots_;
};

Outcome CudaDevice::start() {
  if (Outcome failed = open_context()) return failed;
  for (Slot& slot : slots_) {
    if (Outcome failed = open_slot(slot)) return failed;
  }
  return cuda::load_kernels(*options_.library, options_.id, options_.ptx_folder, kernels_);
}

Outcome CudaDevice::open_context() {
  const cuda::DeviceId id = options_.id;
  // Another user of the primary context in this process has already chosen: its choice stays.
  const cuda::Code chosen = cuda_.DevicePrimaryCtxSetFlags(id, schedule_of(options_.wait));
  if (chosen != cuda::primary_context_active) {
    if (Outcome failed = fault("cuDevicePrimaryCtxSetFlags", chosen)) return failed;
  }
  if (Outcome failed = fault("cuDevicePrimaryCtxRetain", cuda_.DevicePrimaryCtxRetain(&handle_, id))) return failed;
  context_ = {id, cuda_.DevicePrimaryCtxRelease};
  if (Outcome failed = enter()) return failed;
  return fault("cuDeviceGetAttribute", cuda_.DeviceGetAttribute(&units_, cuda::Attribute::multiprocessors, id));
}

Outcome CudaDevice::open_slot(Slot& slot) {
  cuda::Stream stream = nullptr;
  if (Outcome failed = fault("cuStreamCreate", cuda_.StreamCreate(&stream, cuda::stream_on_its_own))) return failed;
  slot.stream = {stream, cuda_.StreamDestroy};
  const unsigned sleeping = options_.wait == CudaWait::sleep ? cuda::event_sleep : 0;
  cuda::Event event = nullptr;
  if (Outcome failed = fault("cuEventCreate", cuda_.EventCreate(&event, cuda::event_without_time | sleeping))) {
    return failed;
  }
  slot.done = {event, cuda_.EventDestroy};
  void* memory = nullptr;
  if (Outcome failed =
          fault("cuMemHostAlloc", cuda_.MemHostAlloc(&memory, sizeof(Results), cuda::host_memory_mapped))) {
    return failed;
  }
  slot.memory = {memory, cuda_.MemFreeHost};
  return fault("cuMemHostGetDevicePointer", cuda_.MemHostGetDevicePointer(&slot.results, memory, 0));
}

Outcome CudaDevice::allocate(const char* what, std::uint64_t bytes, cuda::Object<cuda::Address>& memory) {
  cuda::Address address = 0;
  Outcome failed = fault("cuMemAlloc", cuda_.MemAlloc(&address, static_cast<std::size_t>(bytes)));
  if (failed) {
    failed->text += ", " + std::to_string((bytes + mib - 1) / mib) + " MiB for the " + what;
    return failed;
  }
  memory = {address, cuda_.MemFree};
  return std::nullopt;
}

Outcome CudaDevice::begin_dataset(std::span<const std::uint32_t> cache_words, std::uint64_t bytes) {
  if (bytes == 0 || bytes % row_bytes != 0 || bytes >= largest_dataset || cache_words.size() < item_words) {
    return Fault{Fault::Kind::other, "a dataset of " + std::to_string(bytes) + " bytes cannot be made"};
  }
  drop_dataset();
  if (Outcome failed = enter()) return failed;
  Outcome failed = allocate("dataset", bytes, dataset_);
  if (!failed) failed = allocate("cache", cache_words.size_bytes(), cache_);
  if (!failed) {
    failed = fault("cuMemcpyHtoD", cuda_.MemcpyHtoD(cache_.get(), cache_words.data(), cache_words.size_bytes()));
  }
  // Such a copy may still be in progress when the call returns, and the streams don't wait for it.
  if (!failed) failed = fault("cuCtxSynchronize", cuda_.CtxSynchronize());
  if (failed) {
    drop_dataset();
    return failed;
  }
  items_.cache = cache_.get();
  items_.dataset = dataset_.get();
  items_.cache_items = static_cast<std::uint32_t>(cache_words.size() / item_words);
  items_.cache_items_magic = magic_of(items_.cache_items);
  search_.dataset = dataset_.get();
  search_.rows = static_cast<std::uint32_t>(bytes / row_bytes);
  search_.rows_magic = magic_of(search_.rows);
  return std::nullopt;
}

Outcome CudaDevice::fill_items(std::uint64_t first, std::uint32_t count) {
  if (!cache_) return Fault{Fault::Kind::other, "items are made between begin_dataset and end_dataset"};
  if (count == 0) return std::nullopt;
  if (Outcome failed = enter()) return failed;
  cuda::ItemsParameters slice = items_;
  slice.first = static_cast<std::uint32_t>(first);
  slice.count = count;
  const Slot& slot = slots_[0];
  const std::uint32_t groups = (count - 1) / usual_group + 1;
  if (Outcome failed = start_kernel({kernels_.items, groups, usual_group}, slot, &slice)) return failed;
  return fault("cuEventSynchronize", cuda_.EventSynchronize(slot.done.get()));
}

Outcome CudaDevice::end_dataset() {
  if (Outcome failed = enter()) return failed;
  cache_.reset();
  return std::nullopt;
}

void CudaDevice::drop_dataset() noexcept {
  if (enter()) return;  // the context is gone, and all its memory
  cuda_.CtxSynchronize();
  cache_.reset();
  dataset_.reset();
}

Outcome CudaDevice::read_item(std::uint64_t index, std::span<std::uint8_t, item_bytes> to) {
  if (!dataset_) return Fault{Fault::Kind::other, "there is no dataset"};
  if (Outcome failed = enter()) return failed;
  return fault("cuMemcpyDtoH", cuda_.MemcpyDtoH(to.data(), dataset_.get() + index * item_bytes, item_bytes));
}

Outcome CudaDevice::set_job(const xhash::Hash256& seal_hash, std::uint64_t target_top) {
  std::memcpy(search_.seal_hash, seal_hash.data(), sizeof search_.seal_hash);
  search_.target_top = target_top;
  return std::nullopt;
}

Outcome CudaDevice::launch(unsigned slot_index, std::uint64_t first_nonce, const LaunchShape& shape) {
  const std::uint32_t group = shape.group_size;
  if (!std::has_single_bit(group) || group > largest_group || shape.batch_hashes == 0 ||
      shape.variant >= kernels_.searches.size()) {
    return Fault{Fault::Kind::other, "no search of " + std::to_string(shape.batch_hashes) + " nonces in groups of " +
                                         std::to_string(group) + " by kernel " + std::to_string(shape.variant) +
                                         ": at least 1, powers of two up to 256, and kernels 0 to " +
                                         std::to_string(kernels_.searches.size() - 1) + " are there"};
  }
  if (!dataset_) return Fault{Fault::Kind::other, "there is no dataset"};
  if (Outcome failed = enter()) return failed;
  const Slot& slot = slots_[slot_index];
  static_cast<Results*>(slot.memory.get())->hits = 0;
  cuda::SearchParameters parameters = search_;
  parameters.first_nonce = first_nonce;
  parameters.results = slot.results;
  parameters.nonces = shape.batch_hashes;
  const std::uint32_t threads = std::max(group, warp);  // lanes exchange data, so warps must be whole
  const std::uint32_t groups = (shape.batch_hashes - 1) / threads + 1;
  return start_kernel({kernels_.searches[shape.variant], groups, threads}, slot, &parameters);
}

Outcome CudaDevice::start_kernel(const Grid& grid, const Slot& slot, void* parameters) {
  if (Outcome failed = fault("cuLaunchKernel", cuda_.LaunchKernel(grid.kernel, grid.groups, 1, 1, grid.group, 1, 1, 0,
                                                                  slot.stream.get(), &parameters, nullptr))) {
    return failed;
  }
  return fault("cuEventRecord", cuda_.EventRecord(slot.done.get(), slot.stream.get()));
}

Outcome CudaDevice::finish(unsigned slot_index, BatchResult& result) {
  if (Outcome failed = enter()) return failed;
  const Slot& slot = slots_[slot_index];
  if (Outcome failed = fault("cuEventSynchronize", cuda_.EventSynchronize(slot.done.get()))) return failed;
  const auto& results = *static_cast<const Results*>(slot.memory.get());
  result.hits = results.hits;
  result.offsets = results.offsets;
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Device> open_cuda_device(CudaDeviceOptions options, Fault& fault) {
  auto device = std::make_unique<CudaDevice>(std::move(options));
  if (Outcome failed = device->start()) {
    fault = *std::move(failed);
    return nullptr;
  }
  return device;
}

}  // namespace headframe::gpu
