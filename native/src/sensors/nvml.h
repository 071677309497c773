// NVIDIA's management library, opened at run time: building doesn't need it, and computers without it only lack
// sensors.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace headframe::sensors {

/// One device's current values; nothing where it doesn't report one.
struct NvmlReading {
  std::optional<double> core_celsius;
  std::optional<double> memory_celsius;
  std::optional<double> fan_percent;
  std::optional<double> power_watts;
  std::optional<double> power_limit_watts;
  std::optional<double> core_mhz;
  std::optional<double> memory_mhz;
};

/// The settings of a device: power in watts, clocks in MHz, fans in percent of their speed.
enum class NvmlKnob { power, core_clock, memory_clock, fan };

/// The values of one knob.
struct NvmlRange {
  double least = 0;
  double most = 0;
  /// current value; nothing if the library doesn't report it, as with locked clocks, or if the GPU decides
  std::optional<double> now;
  /// the default; nothing if it isn't fixed
  std::optional<double> usual;
};

/// Nothing if the device or its driver lacks this knob.
struct NvmlControls {
  /// unique to the GPU and stable across restarts; empty if the library doesn't report it
  std::string identity;
  std::optional<NvmlRange> power;
  std::optional<NvmlRange> core_clock;
  std::optional<NvmlRange> memory_clock;
  std::optional<NvmlRange> fan;
};

/// An open library. Calls may hang with the driver, so make each on a thread that nobody waits for.
class Nvml {
public:
  /// Opens and initializes the library at `path` (a name for the loader, or a file); otherwise the reason.
  static std::variant<std::shared_ptr<Nvml>, std::string> open(const std::string& path);

  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// @param bus_id `00000000:01:00.0`. The reading, or why the device can't be read at all.
  [[nodiscard]] std::variant<NvmlReading, std::string> read(const std::string& bus_id) const;

  /// @param bus_id as for `read`. The settings and their ranges; changes nothing.
  [[nodiscard]] std::variant<NvmlControls, std::string> controls(const std::string& bus_id) const;

  /// Sets one knob, or resets it without a value (power: to the GPU's default limit).
  /// @return the library's error; nothing on success
  [[nodiscard]] std::optional<std::string> set(const std::string& bus_id, NvmlKnob knob,
                                               std::optional<double> value) const;

private:
  struct Functions;
  explicit Nvml(std::unique_ptr<Functions> functions);
  static void find_controls(void* library, Functions& functions);
  [[nodiscard]] std::optional<double> memory_temperature(void* device) const;
  [[nodiscard]] std::optional<NvmlRange> power_range(void* device) const;
  [[nodiscard]] std::optional<NvmlRange> clock_range(void* device, NvmlKnob knob) const;
  [[nodiscard]] std::optional<NvmlRange> fan_range(void* device) const;
  [[nodiscard]] int set_power(void* device, std::optional<double> watts) const;
  [[nodiscard]] int set_clock(void* device, NvmlKnob knob, std::optional<double> mhz) const;
  [[nodiscard]] int set_fans(void* device, std::optional<double> percent) const;
  [[nodiscard]] std::string words(int code) const;

  std::unique_ptr<Functions> functions_;
};

}  // namespace headframe::sensors
