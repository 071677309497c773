#include "opencl_driver.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <optional>
#include <utility>

#include "cl_api.h"
#include "kept_environment.h"
#include "opencl_device.h"

namespace headframe::gpu {

namespace {

using cl::Functions;

struct Found {
  cl::Platform platform;
  cl::DeviceId id;
};

template <class Value>
std::optional<Value> device_value(const Functions& api, cl::DeviceId id, cl::Name name) {
  Value value{};
  if (api.GetDeviceInfo(id, name, sizeof value, &value, nullptr) != cl::success) return std::nullopt;
  return value;
}

std::string device_text(const Functions& api, cl::DeviceId id, cl::Name name) {
  std::size_t length = 0;
  if (api.GetDeviceInfo(id, name, 0, nullptr, &length) != cl::success || length == 0) return "";
  std::string text(length, '\0');
  if (api.GetDeviceInfo(id, name, length, text.data(), nullptr) != cl::success) return "";
  text.resize(text.find('\0') == std::string::npos ? length : text.find('\0'));
  return text;
}

std::string pci_text(std::uint32_t domain, std::uint32_t bus, std::uint32_t device, std::uint32_t function) {
  char text[32];
  if (domain == 0) std::snprintf(text, sizeof text, "%02x:%02x.%x", bus & 0xff, device & 0x1f, function & 7);
  else std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", domain & 0xffff, bus & 0xff, device & 0x1f, function & 7);
  return text;
}

/// By the first of three methods that the device supports; empty when it supports none.
std::string pci_of(const Functions& api, cl::DeviceId id) {
  if (const auto info = device_value<cl::PciBusInfo>(api, id, cl::device_pci_bus_info)) {
    return pci_text(info->domain, info->bus, info->device, info->function);
  }
  const auto bus = device_value<std::uint32_t>(api, id, cl::device_pci_bus_id_nv);
  const auto slot = device_value<std::uint32_t>(api, id, cl::device_pci_slot_id_nv);
  if (bus && slot) {
    const auto domain = device_value<std::uint32_t>(api, id, cl::device_pci_domain_id_nv);
    return pci_text(domain.value_or(0), *bus, *slot >> 3, *slot & 7);
  }
  const auto topology = device_value<cl::TopologyAmd>(api, id, cl::device_topology_amd);
  if (topology && topology->type == 1) return pci_text(0, topology->bus, topology->device, topology->function);
  return "";
}

std::vector<Found> find_devices(const Functions& api) {
  const KeptEnvironment kept;
  std::uint32_t count = 0;
  if (api.GetPlatformIDs(0, nullptr, &count) != cl::success || count == 0) return {};
  std::vector<cl::Platform> platforms(count);
  if (api.GetPlatformIDs(count, platforms.data(), nullptr) != cl::success) return {};
  std::vector<Found> found;
  for (const cl::Platform platform : platforms) {
    std::uint32_t devices = 0;
    if (api.GetDeviceIDs(platform, cl::device_type_all, 0, nullptr, &devices) != cl::success || devices == 0) continue;
    std::vector<cl::DeviceId> ids(devices);
    if (api.GetDeviceIDs(platform, cl::device_type_all, devices, ids.data(), nullptr) != cl::success) continue;
    for (const cl::DeviceId id : ids) {
      const auto usable = [&](cl::Name name) { return device_value<cl::Bool>(api, id, name).value_or(0) != 0; };
      const cl::Bits type = device_value<cl::Bits>(api, id, cl::device_type).value_or(0);
      const bool wanted = (type & (cl::device_type_cpu | cl::device_type_gpu)) != 0;
      if (wanted && usable(cl::device_available) && usable(cl::device_compiler_available) &&
          usable(cl::device_endian_little)) {
        found.push_back({platform, id});
      }
    }
  }
  return found;
}

DeviceFacts facts_of(const Functions& api, cl::DeviceId id) {
  DeviceFacts facts;
  facts.name = device_text(api, id, cl::device_board_name_amd);
  if (facts.name.empty()) facts.name = device_text(api, id, cl::device_name);
  facts.vendor = device_text(api, id, cl::device_vendor);
  facts.driver = device_text(api, id, cl::driver_version);
  facts.pci = pci_of(api, id);
  facts.memory_bytes = device_value<std::uint64_t>(api, id, cl::device_global_memory).value_or(0);
  facts.largest_allocation_bytes =
      device_value<std::uint64_t>(api, id, cl::device_max_allocation).value_or(facts.memory_bytes);
  facts.compute_units = device_value<std::uint32_t>(api, id, cl::device_max_compute_units).value_or(1);
  facts.is_cpu = (device_value<cl::Bits>(api, id, cl::device_type).value_or(0) & cl::device_type_cpu) != 0;
  return facts;
}

/// Held while the platforms are asked: pocl reads a device's name through a null pointer while another thread has it
/// set up, and KeptEnvironment is the process's.
std::mutex asking;

class OpenclDriver final : public Driver {
public:
  OpenclDriver(const Functions& api, const OpenclOptions& options) : api_(api), options_(options) {}

  std::vector<DeviceFacts> devices() override {
    const std::scoped_lock alone(asking);
    std::vector<DeviceFacts> all;
    for (const Found& found : find_devices(api_)) all.push_back(limited_facts(found.id));
    return all;
  }

  std::unique_ptr<Device> open(std::size_t index, const std::string& binary_folder, Fault& fault) override {
    const std::scoped_lock alone(asking);
    const auto found = find_devices(api_);
    if (index >= found.size()) {
      fault = {Fault::Kind::lost, "OpenCL device " + std::to_string(index) + " is gone"};
      return nullptr;
    }
    const cl::DeviceId id = found[index].id;
    const auto largest_group = device_value<std::size_t>(api_, id, cl::device_max_work_group_size).value_or(64);
    return open_opencl_device(
        {api_, id, limited_facts(id), static_cast<std::uint32_t>(largest_group), options_.source, binary_folder},
        fault);
  }

private:
  [[nodiscard]] DeviceFacts limited_facts(cl::DeviceId id) const {
    DeviceFacts facts = facts_of(api_, id);
    std::uint64_t& largest = facts.largest_allocation_bytes;
    if (options_.allocation_limit != 0) largest = std::min(largest, options_.allocation_limit);
    return facts;
  }

  Functions api_;
  OpenclOptions options_;
};

}  // namespace

std::variant<std::shared_ptr<Driver>, std::string> open_opencl(const OpenclOptions& options) {
  Functions api;
  std::string error;
  if (!cl::find_functions(options.library, api, error)) return error;
  return std::shared_ptr<Driver>(std::make_shared<OpenclDriver>(api, options));
}

}  // namespace headframe::gpu
