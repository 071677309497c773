// A device's settings: their ranges, and setting them.
#include <algorithm>
#include <cmath>
#include <vector>

#include "nvml_functions.h"

namespace headframe::sensors {

namespace {

constexpr int not_supported = 3;
constexpr double milli = 1000;
constexpr unsigned fan_by_hand = 1;
/// NVML_DEVICE_UUID_V2_BUFFER_SIZE
constexpr unsigned longest_uuid = 96;
/// More than any GPU lists of either kind.
constexpr unsigned most_clocks = 1024;

unsigned whole(double value) { return static_cast<unsigned>(std::lround(std::max(0.0, value))); }

}  // namespace

std::variant<NvmlControls, std::string> Nvml::controls(const std::string& bus_id) const {
  Device device = nullptr;
  const int found = functions_->handle_by_bus_id(bus_id.c_str(), &device);
  if (found != success) return words(found);
  std::vector<char> identity(longest_uuid);
  if (functions_->uuid == nullptr || functions_->uuid(device, identity.data(), longest_uuid) != success)
    identity.front() = '\0';
  return NvmlControls{identity.data(), power_range(device), clock_range(device, NvmlKnob::core_clock),
                      clock_range(device, NvmlKnob::memory_clock), fan_range(device)};
}

std::optional<std::string> Nvml::set(const std::string& bus_id, NvmlKnob knob, std::optional<double> value) const {
  Device device = nullptr;
  const int found = functions_->handle_by_bus_id(bus_id.c_str(), &device);
  if (found != success) return words(found);
  const int code = knob == NvmlKnob::power ? set_power(device, value)
                   : knob == NvmlKnob::fan ? set_fans(device, value)
                                           : set_clock(device, knob, value);
  if (code == success) return std::nullopt;
  return words(code);
}

std::optional<NvmlRange> Nvml::power_range(void* device) const {
  const Functions& nvml = *functions_;
  if (nvml.power_limits == nullptr || nvml.set_power_limit == nullptr || nvml.usual_power_limit == nullptr ||
      nvml.power_limit_set == nullptr)
    return std::nullopt;
  unsigned least = 0;
  unsigned most = 0;
  unsigned usual = 0;
  unsigned now = 0;
  if (nvml.power_limits(device, &least, &most) != success) return std::nullopt;
  if (nvml.usual_power_limit(device, &usual) != success) return std::nullopt;
  if (nvml.power_limit_set(device, &now) != success) return std::nullopt;
  return NvmlRange{least / milli, most / milli, now / milli, usual / milli};
}

/// The library lists clocks in descending order; it doesn't report whether they are locked.
std::optional<NvmlRange> Nvml::clock_range(void* device, NvmlKnob knob) const {
  const Functions& nvml = *functions_;
  const bool core = knob == NvmlKnob::core_clock;
  if (nvml.memory_clocks == nullptr || nvml.core_clocks == nullptr) return std::nullopt;
  if ((core ? nvml.lock_core : nvml.lock_memory) == nullptr) return std::nullopt;
  if ((core ? nvml.unlock_core : nvml.unlock_memory) == nullptr) return std::nullopt;
  std::vector<unsigned> clocks(most_clocks);
  unsigned count = most_clocks;
  if (nvml.memory_clocks(device, &count, clocks.data()) != success || count == 0) return std::nullopt;
  clocks.resize(std::min(count, most_clocks));
  if (core) {
    const unsigned memory = *std::max_element(clocks.begin(), clocks.end());
    clocks.assign(most_clocks, 0);
    count = most_clocks;
    if (nvml.core_clocks(device, memory, &count, clocks.data()) != success || count == 0) return std::nullopt;
    clocks.resize(std::min(count, most_clocks));
  }
  const auto [least, most] = std::minmax_element(clocks.begin(), clocks.end());
  return NvmlRange{static_cast<double>(*least), static_cast<double>(*most), std::nullopt, std::nullopt};
}

std::optional<NvmlRange> Nvml::fan_range(void* device) const {
  const Functions& nvml = *functions_;
  if (nvml.fan_count == nullptr || nvml.fan_limits == nullptr || nvml.fan_policy == nullptr ||
      nvml.fan_speed == nullptr || nvml.set_fan == nullptr || nvml.unset_fan == nullptr)
    return std::nullopt;
  unsigned fans = 0;
  unsigned least = 0;
  unsigned most = 0;
  unsigned policy = 0;
  if (nvml.fan_count(device, &fans) != success || fans == 0) return std::nullopt;
  if (nvml.fan_limits(device, &least, &most) != success) return std::nullopt;
  if (nvml.fan_policy(device, 0, &policy) != success) return std::nullopt;
  NvmlRange range{static_cast<double>(least), static_cast<double>(most), std::nullopt, std::nullopt};
  unsigned now = 0;
  if (policy == fan_by_hand && nvml.fan_speed(device, 0, &now) == success) range.now = now;
  return range;
}

int Nvml::set_power(void* device, std::optional<double> watts) const {
  if (!power_range(device)) return not_supported;
  if (watts) return functions_->set_power_limit(device, whole(*watts * milli));
  unsigned usual = 0;
  const int code = functions_->usual_power_limit(device, &usual);
  return code == success ? functions_->set_power_limit(device, usual) : code;
}

int Nvml::set_clock(void* device, NvmlKnob knob, std::optional<double> mhz) const {
  const bool core = knob == NvmlKnob::core_clock;
  const auto lock = core ? functions_->lock_core : functions_->lock_memory;
  const auto unlock = core ? functions_->unlock_core : functions_->unlock_memory;
  if (lock == nullptr || unlock == nullptr) return not_supported;
  return mhz ? lock(device, whole(*mhz), whole(*mhz)) : unlock(device);
}

/// All fans of the device; the first error is returned.
int Nvml::set_fans(void* device, std::optional<double> percent) const {
  if (!fan_range(device)) return not_supported;
  unsigned fans = 0;
  int code = functions_->fan_count(device, &fans);
  for (unsigned fan = 0; fan < fans && code == success; fan++)
    code = percent ? functions_->set_fan(device, fan, whole(*percent)) : functions_->unset_fan(device, fan);
  return code;
}

}  // namespace headframe::sensors
