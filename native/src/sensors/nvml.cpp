#include "nvml.h"

#include <utility>

#include "../dynamic_library.h"
#include "nvml_functions.h"

namespace headframe::sensors {

namespace {

constexpr int gpu_is_lost = 15;
constexpr unsigned temperature_gpu = 0;
constexpr unsigned field_memory_temperature = 82;
constexpr double milli = 1000;

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(symbol_of(library, name));
  return function != nullptr;
}

/// The field's type determines the type of the number.
std::optional<double> number_of(const FieldValue& field) {
  if (field.result != success) return std::nullopt;
  switch (field.value_type) {
    case 0: return field.value.as_double;
    case 1: return field.value.as_unsigned;
    case 2:
    case 3: return static_cast<double>(field.value.as_unsigned_long_long);
    case 4: return static_cast<double>(field.value.as_long_long);
    default: return std::nullopt;
  }
}

}  // namespace

/// A setter is used only when its range query and its reset function exist too.
void Nvml::find_controls(void* library, Functions& functions) {
  find(library, "nvmlDeviceGetUUID", functions.uuid);
  find(library, "nvmlDeviceGetPowerManagementLimit", functions.power_limit_set);
  find(library, "nvmlDeviceGetPowerManagementDefaultLimit", functions.usual_power_limit);
  find(library, "nvmlDeviceGetPowerManagementLimitConstraints", functions.power_limits);
  find(library, "nvmlDeviceSetPowerManagementLimit", functions.set_power_limit);
  find(library, "nvmlDeviceGetSupportedMemoryClocks", functions.memory_clocks);
  find(library, "nvmlDeviceGetSupportedGraphicsClocks", functions.core_clocks);
  find(library, "nvmlDeviceSetGpuLockedClocks", functions.lock_core);
  find(library, "nvmlDeviceResetGpuLockedClocks", functions.unlock_core);
  find(library, "nvmlDeviceSetMemoryLockedClocks", functions.lock_memory);
  find(library, "nvmlDeviceResetMemoryLockedClocks", functions.unlock_memory);
  find(library, "nvmlDeviceGetNumFans", functions.fan_count);
  find(library, "nvmlDeviceGetMinMaxFanSpeed", functions.fan_limits);
  find(library, "nvmlDeviceGetFanControlPolicy_v2", functions.fan_policy);
  find(library, "nvmlDeviceSetFanSpeed_v2", functions.set_fan);
  find(library, "nvmlDeviceSetDefaultFanSpeed_v2", functions.unset_fan);
}

Nvml::Nvml(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}

/// The library itself stays loaded: the driver's own threads may still run in it.
Nvml::~Nvml() { functions_->shutdown(); }

std::variant<std::shared_ptr<Nvml>, std::string> Nvml::open(const std::string& path) {
  std::string error;
  void* const library = open_library(path, error);
  if (library == nullptr) return error;
  auto functions = std::make_unique<Functions>();
  const bool complete = find(library, "nvmlInit_v2", functions->init) &&
                        find(library, "nvmlShutdown", functions->shutdown) &&
                        find(library, "nvmlErrorString", functions->error_string) &&
                        find(library, "nvmlDeviceGetHandleByPciBusId_v2", functions->handle_by_bus_id);
  if (!complete) return path + " is not NVIDIA's management library";
  find(library, "nvmlDeviceGetTemperature", functions->temperature);
  find(library, "nvmlDeviceGetFieldValues", functions->field_values);
  find(library, "nvmlDeviceGetFanSpeed_v2", functions->fan_speed);
  find(library, "nvmlDeviceGetPowerUsage", functions->power_usage);
  find(library, "nvmlDeviceGetEnforcedPowerLimit", functions->power_limit);
  find(library, "nvmlDeviceGetClockInfo", functions->clock_info);
  find_controls(library, *functions);
  const int code = functions->init();
  if (code != success) return std::string(functions->error_string(code));
  return std::shared_ptr<Nvml>(new Nvml(std::move(functions)));
}

std::variant<NvmlReading, std::string> Nvml::read(const std::string& bus_id) const {
  const Functions& nvml = *functions_;
  Device device = nullptr;
  const int found = nvml.handle_by_bus_id(bus_id.c_str(), &device);
  if (found != success) return words(found);
  bool lost = false;
  // Makes one query; `unit` is the unit of its answer.
  const auto ask = [&lost](double unit, auto function, auto... arguments) -> std::optional<double> {
    if (function == nullptr) return std::nullopt;
    unsigned value = 0;
    const int code = function(arguments..., &value);
    lost = lost || code == gpu_is_lost;
    if (code != success) return std::nullopt;
    return value / unit;
  };
  NvmlReading reading;
  reading.core_celsius = ask(1, nvml.temperature, device, temperature_gpu);
  reading.memory_celsius = memory_temperature(device);
  reading.fan_percent = ask(1, nvml.fan_speed, device, 0U);
  reading.power_watts = ask(milli, nvml.power_usage, device);
  reading.power_limit_watts = ask(milli, nvml.power_limit, device);
  reading.core_mhz = ask(1, nvml.clock_info, device, clock_graphics);
  reading.memory_mhz = ask(1, nvml.clock_info, device, clock_memory);
  if (lost) return words(gpu_is_lost);
  return reading;
}

/// Boards without that sensor answer 0.
std::optional<double> Nvml::memory_temperature(void* device) const {
  if (functions_->field_values == nullptr) return std::nullopt;
  FieldValue field{};
  field.field_id = field_memory_temperature;
  if (functions_->field_values(device, 1, &field) != success) return std::nullopt;
  const auto celsius = number_of(field);
  return celsius && *celsius > 0 ? celsius : std::nullopt;
}

std::string Nvml::words(int code) const { return functions_->error_string(code); }

}  // namespace headframe::sensors
