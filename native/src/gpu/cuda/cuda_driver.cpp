#include "cuda_driver.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "cuda_device.h"
#include "cuda_library.h"

namespace headframe::gpu {

namespace {

#ifdef _WIN32
constexpr const char* system_library = "nvcuda.dll";
#else
constexpr const char* system_library = "libcuda.so.1";
#endif
constexpr int text_room = 256;

/// `0000:01:00.0` in the usual form: without a domain of 0.
std::string short_pci(std::string id) {
  for (char& c : id) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return id.starts_with("0000:") ? id.substr(5) : id;
}

class CudaDriver final : public Driver {
public:
  CudaDriver(std::shared_ptr<const cuda::Library> library, CudaOptions options)
      : library_(std::move(library)), options_(std::move(options)) {}

  [[nodiscard]] std::vector<DeviceFacts> devices() override {
    int count = 0;
    if (cuda().DeviceGetCount(&count) != cuda::success) return {};
    std::vector<DeviceFacts> all;
    all.reserve(static_cast<std::size_t>(std::max(count, 0)));
    for (int ordinal = 0; ordinal < count; ordinal++) all.push_back(facts_of(ordinal));
    return all;
  }

  [[nodiscard]] std::unique_ptr<Device> open(std::size_t index, const std::string&, Fault& fault) override {
    cuda::DeviceId id = 0;
    if (Outcome failed = library_->fault("cuDeviceGet", cuda().DeviceGet(&id, static_cast<int>(index)))) {
      fault = *std::move(failed);
      return nullptr;
    }
    return open_cuda_device({library_, id, options_.ptx_folder, options_.wait}, fault);
  }

private:
  [[nodiscard]] const cuda::Functions& cuda() const { return library_->functions(); }

  /// A GPU that answers only partially keeps its place in the order.
  [[nodiscard]] DeviceFacts facts_of(int ordinal) const {
    DeviceFacts facts;
    facts.vendor = "NVIDIA";
    facts.driver = "CUDA " + library_->version_text();
    cuda::DeviceId id = 0;
    if (cuda().DeviceGet(&id, ordinal) != cuda::success) return facts;
    char text[text_room] = {};
    if (cuda().DeviceGetName(text, text_room, id) == cuda::success) facts.name = text;
    if (cuda().DeviceGetPCIBusId(text, text_room, id) == cuda::success) facts.pci = short_pci(text);
    std::size_t bytes = 0;
    if (cuda().DeviceTotalMem(&bytes, id) == cuda::success) facts.memory_bytes = bytes;
    facts.largest_allocation_bytes = facts.memory_bytes;
    int units = 0;
    const auto asked = cuda().DeviceGetAttribute(&units, cuda::Attribute::multiprocessors, id);
    if (asked == cuda::success) facts.compute_units = static_cast<std::uint32_t>(units);
    return facts;
  }

  std::shared_ptr<const cuda::Library> library_;
  CudaOptions options_;
};

}  // namespace

std::variant<std::shared_ptr<Driver>, std::string> open_cuda(const CudaOptions& options) {
  auto library = cuda::Library::open(options.library.empty() ? system_library : options.library);
  if (std::string* const reason = std::get_if<std::string>(&library)) return std::move(*reason);
  return std::make_shared<CudaDriver>(std::get<std::shared_ptr<const cuda::Library>>(std::move(library)), options);
}

}  // namespace headframe::gpu
