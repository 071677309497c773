// NVIDIA's driver library as far as the product uses it, with the kernels run on the CPU. FAKE_CUDA_FAULTS in the
// environment names a file, read again at each call, of space-separated words:
//   devices=N (2)  version=N (12090)  capability=N (86)  memory=BYTES (1 GiB)  no-device
// and, for device 0 alone: jit (its compiler refuses)  launch (kernels fail, as the next wait tells)
//   early (they fail, as already the event's recording tells)  lost (every wait fails)  hang (kernels don't end while
//   the word is there)
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../../src/gpu/cuda/cuda_api.h"
#include "../cuda-host/kernels.h"
#include "objects.h"

using namespace headframe::gpu::cuda;
using headframe::test::HostKernel;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr Code invalid_value = 1;
constexpr Code no_device = 100;
constexpr Code invalid_device = 101;
constexpr Code invalid_context = 201;
constexpr Code not_found = 500;
constexpr unsigned largest_block = 256;

std::mutex mutex;  ///< guards what follows
std::map<DeviceId, unsigned> schedules;
std::map<DeviceId, std::unique_ptr<ContextObject>> contexts;
std::map<Address, std::pair<ContextObject*, std::size_t>> allocations;
std::map<void*, bool> host_memory;
std::vector<StreamObject*> streams;
std::atomic<int> live{0};           ///< everything that has to be released
std::atomic<int> loaded_target{0};  ///< 61 of sm_61: the target of the module loaded last
thread_local ContextObject* current = nullptr;

std::vector<std::string> faults() {
  std::vector<std::string> words;
  const char* const path = std::getenv("FAKE_CUDA_FAULTS");
  if (path == nullptr) return words;
  std::ifstream file(path);
  for (std::string word; file >> word;) words.push_back(word);
  return words;
}

bool has_fault(const std::string& wanted) {
  const auto words = faults();
  return std::find(words.begin(), words.end(), wanted) != words.end();
}

bool fails_with(const std::string& wanted) { return current != nullptr && current->device == 0 && has_fault(wanted); }

long long setting(const std::string& name, long long otherwise) {
  for (const std::string& word : faults()) {
    if (word.starts_with(name + "=")) return std::atoll(word.c_str() + name.size() + 1);
  }
  return otherwise;
}

int device_count() { return static_cast<int>(setting("devices", 2)); }
Code known(DeviceId device) { return device >= 0 && device < device_count() ? success : invalid_device; }
Code usable() { return current == nullptr ? invalid_context : current->error.load(); }
/// What a call that waits for kernels answers.
Code waited() {
  if (usable() == success) current->error = current->kernels.load();
  return usable();
}

void copy_text(char* to, int bytes, const std::string& text) {
  std::strncpy(to, text.c_str(), static_cast<std::size_t>(bytes));
  to[bytes - 1] = '\0';
}

template <class Handle>
Code release(Handle handle) {
  delete handle;
  live--;
  return success;
}

}  // namespace

/// What was created and not released yet: 0 after a clean end.
EXPORT int fake_cuda_live() { return live; }
EXPORT int fake_cuda_target() { return loaded_target; }

EXPORT Code cuInit(unsigned) { return has_fault("no-device") ? no_device : success; }

EXPORT Code cuDriverGetVersion(int* version) {
  *version = static_cast<int>(setting("version", 12090));
  return success;
}

EXPORT Code cuGetErrorName(Code code, const char** name) {
  static const std::map<Code, const char*> names{{invalid_value, "CUDA_ERROR_INVALID_VALUE"},
                                                 {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                 {no_device, "CUDA_ERROR_NO_DEVICE"},
                                                 {invalid_device, "CUDA_ERROR_INVALID_DEVICE"},
                                                 {invalid_context, "CUDA_ERROR_INVALID_CONTEXT"},
                                                 {invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
                                                 {not_found, "CUDA_ERROR_NOT_FOUND"},
                                                 {launch_failed, "CUDA_ERROR_LAUNCH_FAILED"},
                                                 {unknown, "CUDA_ERROR_UNKNOWN"}};
  const auto found = names.find(code);
  if (found == names.end()) return invalid_value;
  *name = found->second;
  return success;
}

EXPORT Code cuDeviceGetCount(int* count) {
  *count = device_count();
  return success;
}

EXPORT Code cuDeviceGet(DeviceId* device, int ordinal) {
  *device = ordinal;
  return known(ordinal);
}

EXPORT Code cuDeviceGetName(char* name, int bytes, DeviceId device) {
  copy_text(name, bytes, "Fake GPU " + std::to_string(device));
  return known(device);
}

EXPORT Code cuDeviceTotalMem_v2(std::size_t* bytes, DeviceId device) {
  *bytes = static_cast<std::size_t>(setting("memory", 1LL << 30));
  return known(device);
}

EXPORT Code cuDeviceGetAttribute(int* value, Attribute attribute, DeviceId device) {
  const int capability = static_cast<int>(setting("capability", 86));
  switch (attribute) {
    case Attribute::multiprocessors: *value = 1; break;
    case Attribute::capability_major: *value = capability / 10; break;
    case Attribute::capability_minor: *value = capability % 10; break;
    default: return invalid_value;
  }
  return known(device);
}

EXPORT Code cuDeviceGetPCIBusId(char* id, int bytes, DeviceId device) {
  copy_text(id, bytes, device == 0 ? "0000:0A:00.0" : "0001:0" + std::to_string(device) + ":00.0");
  return known(device);
}

EXPORT Code cuDevicePrimaryCtxSetFlags(DeviceId device, unsigned flags) {
  const std::lock_guard lock(mutex);
  schedules[device] = flags;
  return contexts.contains(device) ? primary_context_active : known(device);
}

EXPORT Code cuDevicePrimaryCtxRetain(Context* context, DeviceId device) {
  const std::lock_guard lock(mutex);
  if (known(device) != success) return invalid_device;
  auto& own = contexts[device];
  if (!own) own.reset(new ContextObject(device));
  own->schedule = schedules[device];
  own->users++;
  live++;
  *context = own.get();
  return success;
}

EXPORT Code cuDevicePrimaryCtxRelease(DeviceId device) {
  const std::lock_guard lock(mutex);
  const auto own = contexts.find(device);
  if (own == contexts.end()) return invalid_context;
  live--;
  if (--own->second->users > 0) return success;
  if (current == own->second.get()) current = nullptr;
  contexts.erase(own);
  return success;
}

EXPORT Code cuCtxSetCurrent(Context context) {
  current = context;
  return usable();
}

EXPORT Code cuCtxSynchronize() {
  std::vector<StreamObject*> all;
  {
    const std::lock_guard lock(mutex);
    std::copy_if(streams.begin(), streams.end(), std::back_inserter(all),
                 [](const StreamObject* stream) { return stream->context == current; });
  }
  for (StreamObject* const stream : all) stream->drain();
  if (current == nullptr || waited() != success) return usable();
  for (const auto& [to, bytes] : current->staged) std::memcpy(reinterpret_cast<void*>(to), bytes.data(), bytes.size());
  current->staged.clear();
  return usable();
}

EXPORT Code cuModuleLoadDataEx(Module* module, const void* image, unsigned count, JitOption* options, void** values) {
  if (usable() != success) return usable();
  const std::string ptx(static_cast<const char*>(image));
  const std::size_t version = ptx.find(".version ");
  const std::size_t target = ptx.find(".target sm_");
  if (version == std::string::npos || target == std::string::npos) return invalid_ptx;
  // PTX 6.0 came with CUDA 9.0, 7.4 with 11.4.
  const bool is_too_new = ptx.compare(version + 9, 3, "6.0") != 0 && setting("version", 12090) < 11040;
  if (is_too_new) return unsupported_ptx_version;
  if (std::atoi(ptx.c_str() + target + 11) > setting("capability", 86)) return no_binary_for_gpu;
  loaded_target = std::atoi(ptx.c_str() + target + 11);
  if (fails_with("jit")) {
    char* log = nullptr;
    std::size_t room = 0;
    for (unsigned i = 0; i < count; i++) {
      if (options[i] == JitOption::error_log) log = static_cast<char*>(values[i]);
      if (options[i] == JitOption::error_log_bytes) room = reinterpret_cast<std::size_t>(values[i]);
    }
    copy_text(log, static_cast<int>(room), "ptxas application ptx input, line 9; error : refused");
    return invalid_ptx;
  }
  *module = new ModuleObject{ptx, {}};
  live++;
  return success;
}

EXPORT Code cuModuleUnload(Module module) { return release(module); }

EXPORT Code cuModuleGetFunction(Kernel* kernel, Module module, const char* name) {
  const HostKernel* const code = headframe::test::find_kernel(name);
  if (code == nullptr || module->ptx.find(std::string(".entry ") + name + "(") == std::string::npos) return not_found;
  *kernel = &module->kernels.insert_or_assign(name, KernelObject{code}).first->second;
  return success;
}

EXPORT Code cuMemAlloc_v2(Address* address, std::size_t bytes) {
  if (usable() != success) return usable();
  const std::lock_guard lock(mutex);
  if (current->used + bytes > static_cast<std::uint64_t>(setting("memory", 1LL << 30))) return out_of_memory;
  void* const memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<Address>(memory);
  allocations[*address] = {current, bytes};
  current->used += bytes;
  live++;
  return success;
}

EXPORT Code cuMemFree_v2(Address address) {
  const std::lock_guard lock(mutex);
  const auto found = allocations.find(address);
  if (found == allocations.end()) return invalid_value;
  found->second.first->used -= found->second.second;
  allocations.erase(found);
  std::free(reinterpret_cast<void*>(address));
  live--;
  return success;
}

EXPORT Code cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
  if (usable() != success) return usable();
  const auto* const first = static_cast<const char*>(from);
  current->staged[to].assign(first, first + bytes);
  return success;
}

EXPORT Code cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
  if (usable() == success) std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return usable();
}

EXPORT Code cuMemHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  const std::lock_guard lock(mutex);
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  host_memory[*memory] = flags == host_memory_mapped;
  live++;
  return success;
}

EXPORT Code cuMemFreeHost(void* memory) {
  const std::lock_guard lock(mutex);
  if (host_memory.erase(memory) == 0) return invalid_value;
  std::free(memory);
  live--;
  return success;
}

EXPORT Code cuMemHostGetDevicePointer_v2(Address* address, void* memory, unsigned) {
  const std::lock_guard lock(mutex);
  *address = reinterpret_cast<Address>(memory);
  return host_memory[memory] ? success : invalid_value;
}

EXPORT Code cuStreamCreate(Stream* stream, unsigned) {
  if (usable() != success) return usable();
  const std::lock_guard lock(mutex);
  *stream = new StreamObject(current);
  streams.push_back(*stream);
  live++;
  return success;
}

EXPORT Code cuStreamDestroy_v2(Stream stream) {
  {
    const std::lock_guard lock(mutex);
    std::erase(streams, stream);
  }
  return release(stream);
}

EXPORT Code cuEventCreate(Event* event, unsigned flags) {
  if (usable() != success) return usable();
  const unsigned sleeping = current->schedule == schedule_sleep ? event_sleep : 0;
  if (flags != (event_without_time | sleeping)) return invalid_value;  // not the real one's, but our own values
  *event = new EventObject;
  live++;
  return success;
}

EXPORT Code cuEventDestroy_v2(Event event) { return release(event); }

EXPORT Code cuEventRecord(Event event, Stream stream) {
  {
    const std::lock_guard lock(event->mutex);
    event->recorded++;
  }
  stream->push([event] {
    const std::lock_guard reached(event->mutex);
    event->reached++;
    event->changed.notify_all();
  });
  if (!fails_with("early")) return usable();
  stream->drain();
  return waited();
}

EXPORT Code cuEventSynchronize(Event event) {
  {
    std::unique_lock lock(event->mutex);
    event->changed.wait(lock, [event] { return event->reached == event->recorded; });
  }
  if (fails_with("lost")) current->error = unknown;
  return waited();
}

EXPORT Code cuLaunchKernel(Kernel kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                           unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters,
                           void**) {
  if (usable() != success) return usable();
  const bool plain = grid_y == 1 && grid_z == 1 && block_y == 1 && block_z == 1 && shared_bytes == 0;
  if (!plain || grid_x == 0 || block_x == 0 || block_x > largest_block) return invalid_value;
  const HostKernel& code = *kernel->code;
  const auto* const bytes = static_cast<const char*>(parameters[0]);
  const std::vector<char> parameter(bytes, bytes + headframe::test::parameter_bytes(code));
  ContextObject* const context = current;
  stream->push([=, &code] {
    while (context->device == 0 && has_fault("hang")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const bool fails = context->device == 0 && (has_fault("launch") || has_fault("early"));
    if (fails) context->kernels = launch_failed;
    else headframe::test::run_kernel(code, grid_x, block_x, parameter.data());
  });
  return success;
}
