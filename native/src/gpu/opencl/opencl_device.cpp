#include "opencl_device.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "cl_object.h"
#include "program_builder.h"

namespace headframe::gpu {

namespace {

using xhash::item_bytes;
using xhash::item_words;
using xhash::row_bytes;

constexpr std::uint32_t most_parts = 4;
constexpr std::uint32_t shared_words = 36;  ///< SHARED_WORDS of the kernels
constexpr std::uint32_t smallest_compiled_group = 64;
constexpr std::uint32_t processor_interleave = 4;
constexpr std::uint32_t processor_group = 64;
constexpr std::uint32_t processor_batch = 1024;
constexpr std::uint32_t gpu_group = 128;
constexpr std::uint32_t gpu_batch = gpu_group * 4096;

/// Signals that an event has completed; shared with the driver's thread, which may call late.
struct Signal {
  std::mutex mutex;
  std::condition_variable arrived;
  std::optional<cl::Code> status;
};

void HEADFRAME_CL_CALL signal_event(cl::Event, cl::Code status, void* data) {
  const std::unique_ptr<std::shared_ptr<Signal>> held(static_cast<std::shared_ptr<Signal>*>(data));
  Signal& signal = **held;
  const std::lock_guard lock(signal.mutex);
  signal.status = status;
  signal.arrived.notify_all();
}

Outcome fault_of(const char* call, cl::Code code) {
  if (code == cl::success) return std::nullopt;
  Fault::Kind kind = Fault::Kind::other;
  if (code == cl::memory_allocation_failure || code == cl::out_of_host_memory || code == cl::invalid_buffer_size) {
    kind = Fault::Kind::out_of_memory;
  } else if (code == cl::device_not_available) {
    kind = Fault::Kind::lost;
  }
  return Fault{kind, std::string(call) + ": " + cl::code_name(code)};
}

/// The parameter of the kernels' remainder_of().
std::uint32_t reciprocal_of(std::uint32_t divisor) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>((std::uint64_t{1} << 32) / divisor, UINT32_MAX));
}

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) { return (value + unit - 1) / unit * unit; }

class OpenclDevice final : public Device {
public:
  explicit OpenclDevice(OpenclDeviceOptions options) : options_(std::move(options)), api_(options_.api) {}
  ~OpenclDevice() override {
    for (Slot& slot : slots_) {
      if (slot.queue) api_.Finish(slot.queue.get());
    }
  }

  [[nodiscard]] Outcome start();

  [[nodiscard]] LaunchShape default_shape() const noexcept override {
    if (options_.facts.is_cpu) return {std::min(processor_group, options_.largest_group), processor_batch};
    return {std::min(gpu_group, options_.largest_group), gpu_batch};
  }
  [[nodiscard]] std::uint8_t variants() const noexcept override { return lanes_.size(); }
  [[nodiscard]] std::vector<std::uint32_t> group_sizes() const override {
    std::vector<std::uint32_t> sizes;
    for (const std::uint32_t size : {64u, 128u, 256u}) {
      if (size <= options_.largest_group) sizes.push_back(size);
    }
    return sizes;
  }

  [[nodiscard]] Outcome compile(std::uint64_t bytes) override;
  [[nodiscard]] Outcome begin_dataset(std::span<const std::uint32_t> cache_words, std::uint64_t bytes) override;
  [[nodiscard]] Outcome fill_items(std::uint64_t first, std::uint32_t count) override;
  [[nodiscard]] Outcome end_dataset() override {
    cache_.reset();
    return std::nullopt;
  }
  void drop_dataset() noexcept override;
  [[nodiscard]] Outcome read_item(std::uint64_t index, std::span<std::uint8_t, item_bytes> to) override;
  [[nodiscard]] Outcome set_job(const xhash::Hash256& seal_hash, std::uint64_t target_top) override {
    std::memcpy(seal_hash_.data(), seal_hash.data(), sizeof seal_hash_);
    target_top_ = target_top;
    return std::nullopt;
  }
  [[nodiscard]] Outcome launch(unsigned slot, std::uint64_t first_nonce, const LaunchShape& shape) override;
  [[nodiscard]] Outcome finish(unsigned slot, BatchResult& result) override;

private:
  struct Kernels {
    cl::Object<cl::Program> program;
    cl::Object<cl::Kernel> make_items;
    cl::Object<cl::Kernel> search;
  };
  struct Slot {
    cl::Object<cl::Queue> queue;
    cl::Object<cl::Memory> hits;
    cl::Object<cl::Event> done;
    std::array<std::uint32_t, 1 + BatchResult::room> words{};
  };

  /// Sets a kernel's arguments in order.
  class Arguments {
  public:
    Arguments(const cl::Functions& api, cl::Kernel kernel) : api_(api), kernel_(kernel) {}
    template <class Value>
    Arguments& value(const Value& value) {
      return raw(sizeof value, &value);
    }
    // The driver takes the address of the handle, so its size is the pointer's.
    Arguments& buffer(const cl::Object<cl::Memory>& memory) {
      const cl::Memory handle = memory.get();
      return raw(sizeof(cl::Memory), &handle);
    }
    Arguments& local(std::size_t bytes) { return raw(bytes, nullptr); }
    Arguments& parts(const std::vector<cl::Object<cl::Memory>>& all) {
      for (const auto& part : all) buffer(part);
      return *this;
    }
    [[nodiscard]] cl::Code code() const { return code_; }

  private:
    Arguments& raw(std::size_t bytes, const void* data) {
      if (code_ == cl::success) code_ = api_.SetKernelArg(kernel_, place_++, bytes, data);
      return *this;
    }
    const cl::Functions& api_;
    cl::Kernel kernel_;
    std::uint32_t place_ = 0;
    cl::Code code_ = cl::success;
  };

  [[nodiscard]] Outcome make_buffer(cl::Bits flags, std::uint64_t bytes, cl::Object<cl::Memory>& buffer);
  /// Makes the driver really allocate: many do so only on first use.
  [[nodiscard]] Outcome touch(const cl::Object<cl::Memory>& buffer, std::uint64_t bytes);
  [[nodiscard]] Outcome find_kernels(std::uint8_t variant, std::uint32_t group, Kernels*& kernels);
  /// The kernels' GROUP: 0 if a work item works alone, or the device lacks such groups.
  [[nodiscard]] std::uint32_t compiled_group(std::uint32_t lanes, std::uint32_t wanted) const;
  [[nodiscard]] Outcome wait(Slot& slot, const char* call);
  [[nodiscard]] std::uint32_t interleave() const { return options_.facts.is_cpu ? processor_interleave : 1; }

  OpenclDeviceOptions options_;
  const cl::Functions& api_;
  std::vector<std::uint32_t> lanes_;  ///< by variant
  cl::Object<cl::Context> context_;
  std::optional<ProgramBuilder> builder_;
  std::map<std::string, Kernels> kernels_;  ///< by their parameters
  std::uint32_t last_group_ = 0;  ///< of the last full launch; a few nonces are searched in one of the same size
  std::array<Slot, slots> slots_;
  cl::Object<cl::Memory> cache_;
  std::uint32_t cache_items_ = 0;
  std::uint32_t part_count_ = 1;  ///< of the dataset that kernels are compiled for
  std::vector<cl::Object<cl::Memory>> parts_;
  std::uint32_t rows_ = 0;
  std::array<std::uint64_t, 4> seal_hash_{};
  std::uint64_t target_top_ = 0;
};

Outcome OpenclDevice::start() {
  const DeviceFacts& facts = options_.facts;
  if (facts.is_cpu) lanes_ = {1, 4, 8};
  else if (facts.vendor.find("NVIDIA") != std::string::npos) lanes_ = {8, 4};
  else lanes_ = {4, 8};
  cl::Code code = cl::success;
  context_ = {api_.CreateContext(nullptr, 1, &options_.id, nullptr, nullptr, &code), api_.ReleaseContext};
  if (!context_) return fault_of("clCreateContext", code);
  for (Slot& slot : slots_) {
    slot.queue = {api_.CreateCommandQueue(context_.get(), options_.id, 0, &code), api_.ReleaseCommandQueue};
    if (!slot.queue) return fault_of("clCreateCommandQueue", code);
    if (auto fault = make_buffer(cl::memory_read_write, sizeof slot.words, slot.hits)) return fault;
  }
  const std::string identity = facts.vendor + '\n' + facts.name + '\n' + facts.driver;
  builder_.emplace(api_, ProgramBuilder::Target{context_.get(), options_.id, identity}, options_.source,
                   ProgramCache(options_.binary_folder));
  return std::nullopt;
}

Outcome OpenclDevice::make_buffer(cl::Bits flags, std::uint64_t bytes, cl::Object<cl::Memory>& buffer) {
  cl::Code code = cl::success;
  buffer = {api_.CreateBuffer(context_.get(), flags, static_cast<std::size_t>(bytes), nullptr, &code),
            api_.ReleaseMemObject};
  if (buffer) return std::nullopt;
  return fault_of("clCreateBuffer", code == cl::success ? cl::memory_allocation_failure : code);
}

Outcome OpenclDevice::touch(const cl::Object<cl::Memory>& buffer, std::uint64_t bytes) {
  const std::uint32_t zero = 0;
  const cl::Code code =
      api_.EnqueueWriteBuffer(slots_[0].queue.get(), buffer.get(), 1, static_cast<std::size_t>(bytes) - sizeof zero,
                              sizeof zero, &zero, 0, nullptr, nullptr);
  if (code == cl::out_of_resources) return Fault{Fault::Kind::out_of_memory, "clEnqueueWriteBuffer: out of memory"};
  return fault_of("clEnqueueWriteBuffer", code);
}

std::uint32_t OpenclDevice::compiled_group(std::uint32_t lanes, std::uint32_t wanted) const {
  if (lanes == 1 || options_.largest_group < smallest_compiled_group) return 0;
  if (wanted >= smallest_compiled_group) return wanted;
  return last_group_ > 0 ? last_group_ : std::min(gpu_group, options_.largest_group);
}

Outcome OpenclDevice::find_kernels(std::uint8_t variant, std::uint32_t group, Kernels*& kernels) {
  const std::uint32_t lanes = lanes_[std::min<std::size_t>(variant, lanes_.size() - 1)];
  const std::string defines = "-D PARTS=" + std::to_string(part_count_) + " -D LANES=" + std::to_string(lanes) +
                              " -D GROUP=" + std::to_string(group) + " -D INTERLEAVE=" + std::to_string(interleave()) +
                              " -D ROOM=" + std::to_string(BatchResult::room);
  if (const auto known = kernels_.find(defines); known != kernels_.end()) {
    kernels = &known->second;
    return std::nullopt;
  }
  auto built = builder_->build(defines);
  if (auto* const fault = std::get_if<Fault>(&built)) return std::move(*fault);
  Kernels fresh;
  fresh.program = std::move(std::get<cl::Object<cl::Program>>(built));
  cl::Code code = cl::success;
  fresh.make_items = {api_.CreateKernel(fresh.program.get(), "make_items", &code), api_.ReleaseKernel};
  if (!fresh.make_items) return fault_of("clCreateKernel(make_items)", code);
  fresh.search = {api_.CreateKernel(fresh.program.get(), "search", &code), api_.ReleaseKernel};
  if (!fresh.search) return fault_of("clCreateKernel(search)", code);
  kernels = &kernels_.emplace(defines, std::move(fresh)).first->second;
  return std::nullopt;
}

/// Size of one of several buffers; the first ones are the largest.
std::uint64_t part_bytes(std::uint64_t bytes, std::uint32_t parts, std::uint32_t part) {
  // A dataset with fewer rows than parts would leave some empty, which isn't allowed for buffers.
  return std::max<std::uint64_t>((bytes / row_bytes + parts - 1 - part) / parts * row_bytes, row_bytes);
}

Outcome OpenclDevice::compile(std::uint64_t bytes) {
  part_count_ = 1;
  while (part_count_ < most_parts && part_bytes(bytes, part_count_, 0) > options_.facts.largest_allocation_bytes) {
    part_count_ *= 2;
  }
  Kernels* kernels = nullptr;
  return find_kernels(0, compiled_group(lanes_[0], default_shape().group_size), kernels);
}

Outcome OpenclDevice::begin_dataset(std::span<const std::uint32_t> cache_words, std::uint64_t bytes) {
  drop_dataset();
  if (auto fault = compile(bytes)) return fault;
  for (std::uint32_t part = 0; part < part_count_; part++) {
    const std::uint64_t needed = part_bytes(bytes, part_count_, part);
    parts_.emplace_back();
    auto fault = make_buffer(cl::memory_read_write, needed, parts_.back());
    if (!fault) fault = touch(parts_.back(), needed);
    if (!fault) continue;
    drop_dataset();
    return fault;
  }
  const std::size_t cache_bytes = cache_words.size_bytes();
  if (auto fault = make_buffer(cl::memory_read_only, cache_bytes, cache_)) {
    drop_dataset();
    return fault;
  }
  const cl::Code code = api_.EnqueueWriteBuffer(slots_[0].queue.get(), cache_.get(), 1, 0, cache_bytes,
                                                cache_words.data(), 0, nullptr, nullptr);
  if (auto fault = fault_of("clEnqueueWriteBuffer", code)) return fault;
  cache_items_ = static_cast<std::uint32_t>(cache_words.size() / item_words);
  rows_ = static_cast<std::uint32_t>(bytes / row_bytes);
  return std::nullopt;
}

Outcome OpenclDevice::fill_items(std::uint64_t first, std::uint32_t count) {
  Kernels* kernels = nullptr;
  if (auto fault = find_kernels(0, compiled_group(lanes_[0], default_shape().group_size), kernels)) return fault;
  const cl::Code set = Arguments(api_, kernels->make_items.get())
                           .buffer(cache_)
                           .value(cache_items_)
                           .value(reciprocal_of(cache_items_))
                           .value(static_cast<std::uint32_t>(first))
                           .value(count)
                           .parts(parts_)
                           .code();
  if (auto fault = fault_of("clSetKernelArg", set)) return fault;
  Slot& slot = slots_[0];
  const std::size_t local = options_.facts.is_cpu ? 16 : 64;
  const std::size_t global = round_up((count + interleave() - 1) / interleave(), static_cast<std::uint32_t>(local));
  cl::Event event = nullptr;
  const cl::Code code = api_.EnqueueNDRangeKernel(slot.queue.get(), kernels->make_items.get(), 1, nullptr, &global,
                                                  &local, 0, nullptr, &event);
  slot.done = {event, api_.ReleaseEvent};
  if (auto fault = fault_of("clEnqueueNDRangeKernel(make_items)", code)) return fault;
  return wait(slot, "make_items");
}

void OpenclDevice::drop_dataset() noexcept {
  for (Slot& slot : slots_) api_.Finish(slot.queue.get());
  parts_.clear();
  cache_.reset();
  rows_ = 0;
}

Outcome OpenclDevice::read_item(std::uint64_t index, std::span<std::uint8_t, item_bytes> to) {
  const std::uint64_t row = index / 2;
  const std::size_t offset = static_cast<std::size_t>(row / parts_.size() * row_bytes + index % 2 * item_bytes);
  return fault_of("clEnqueueReadBuffer",
                  api_.EnqueueReadBuffer(slots_[0].queue.get(), parts_[row % parts_.size()].get(), 1, offset,
                                         item_bytes, to.data(), 0, nullptr, nullptr));
}

Outcome OpenclDevice::launch(unsigned slot_index, std::uint64_t first_nonce, const LaunchShape& shape) {
  const std::uint32_t lanes = lanes_[std::min<std::size_t>(shape.variant, lanes_.size() - 1)];
  const std::uint32_t compiled = compiled_group(lanes, shape.group_size);
  Kernels* kernels = nullptr;
  if (auto fault = find_kernels(shape.variant, compiled, kernels)) return fault;
  if (compiled == shape.group_size) last_group_ = compiled;
  const std::uint32_t group = compiled == 0 ? shape.group_size : compiled;
  Slot& slot = slots_[slot_index];
  const std::size_t shared = lanes == 1 ? sizeof(std::uint32_t) : group / lanes * shared_words * 4;
  const cl::Code set = Arguments(api_, kernels->search.get())
                           .value(seal_hash_)
                           .value(first_nonce)
                           .value(target_top_)
                           .value(rows_)
                           .value(reciprocal_of(rows_))
                           .value(shape.batch_hashes)
                           .buffer(slot.hits)
                           .local(shared)
                           .parts(parts_)
                           .code();
  if (auto fault = fault_of("clSetKernelArg", set)) return fault;
  static constexpr std::uint32_t none = 0;
  cl::Code code =
      api_.EnqueueWriteBuffer(slot.queue.get(), slot.hits.get(), 0, 0, sizeof none, &none, 0, nullptr, nullptr);
  if (auto fault = fault_of("clEnqueueWriteBuffer", code)) return fault;
  const std::uint32_t per_item = lanes == 1 ? interleave() : 1;
  const std::size_t global = round_up(shape.batch_hashes, group) / per_item;
  const std::size_t local = group / per_item;
  code = api_.EnqueueNDRangeKernel(slot.queue.get(), kernels->search.get(), 1, nullptr, &global, &local, 0, nullptr,
                                   nullptr);
  if (auto fault = fault_of("clEnqueueNDRangeKernel(search)", code)) return fault;
  cl::Event event = nullptr;
  code = api_.EnqueueReadBuffer(slot.queue.get(), slot.hits.get(), 0, 0, sizeof slot.words, slot.words.data(), 0,
                                nullptr, &event);
  slot.done = {event, api_.ReleaseEvent};
  if (auto fault = fault_of("clEnqueueReadBuffer", code)) return fault;
  return fault_of("clFlush", api_.Flush(slot.queue.get()));
}

Outcome OpenclDevice::finish(unsigned slot_index, BatchResult& result) {
  Slot& slot = slots_[slot_index];
  if (auto fault = wait(slot, "search")) return fault;
  result.hits = slot.words[0];
  std::copy(slot.words.begin() + 1, slot.words.end(), result.offsets.begin());
  return std::nullopt;
}

/// By callback: some drivers busy-wait in clWaitForEvents.
Outcome OpenclDevice::wait(Slot& slot, const char* call) {
  const auto signal = std::make_shared<Signal>();
  auto held = std::make_unique<std::shared_ptr<Signal>>(signal);
  const cl::Code set = api_.SetEventCallback(slot.done.get(), cl::event_complete, signal_event, held.get());
  if (set != cl::success) return fault_of("clSetEventCallback", set);
  static_cast<void>(held.release());
  if (auto fault = fault_of("clFlush", api_.Flush(slot.queue.get()))) return fault;
  std::unique_lock lock(signal->mutex);
  signal->arrived.wait(lock, [&] { return signal->status.has_value(); });
  const cl::Code status = *signal->status;
  lock.unlock();
  slot.done.reset();
  return status < 0 ? fault_of(call, status) : std::nullopt;
}

}  // namespace

std::unique_ptr<Device> open_opencl_device(const OpenclDeviceOptions& options, Fault& fault) {
  auto device = std::make_unique<OpenclDevice>(options);
  auto failed = device->start();
  if (!failed) return device;
  fault = std::move(*failed);
  return nullptr;
}

}  // namespace headframe::gpu
