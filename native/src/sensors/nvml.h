// NVIDIA's management library, opened at run time: nobody needs it to build, and computers without it only lack
// sensors.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace headframe::sensors {

/// What one device tells at this moment; nothing where it does not report a value.
struct NvmlReading {
  std::optional<double> core_celsius;
  std::optional<double> memory_celsius;
  std::optional<double> fan_percent;
  std::optional<double> power_watts;
  std::optional<double> power_limit_watts;
  std::optional<double> core_mhz;
  std::optional<double> memory_mhz;
};

/// What of a device can be set: power in watts, clocks in MHz, the fans in per cent of their speed.
enum class NvmlKnob { power, core_clock, memory_clock, fan };

/// The values that one knob takes.
struct NvmlRange {
  double least = 0;
  double most = 0;
  /// set at this moment; nothing where the library does not tell it, as with locked clocks, or the card decides
  std::optional<double> now;
  /// the card's own; nothing where it has no fixed one
  std::optional<double> usual;
};

/// Nothing where the device or its driver has no such knob.
struct NvmlControls {
  /// unlike any other card's, and the same after a restart; empty where the library does not tell
  std::string identity;
  std::optional<NvmlRange> power;
  std::optional<NvmlRange> core_clock;
  std::optional<NvmlRange> memory_clock;
  std::optional<NvmlRange> fan;
};

/// An open library. Calls may hang with the driver, so each belongs on a thread that nobody waits for.
class Nvml {
public:
  /// The library at `path` (a name that the loader finds, or a file), initialised; or why not.
  static std::variant<std::shared_ptr<Nvml>, std::string> open(const std::string& path);

  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// @param bus_id `00000000:01:00.0`. The reading, or why the device as a whole cannot be read.
  [[nodiscard]] std::variant<NvmlReading, std::string> read(const std::string& bus_id) const;

  /// @param bus_id as for `read`. What can be set and between which values; nothing is changed.
  [[nodiscard]] std::variant<NvmlControls, std::string> controls(const std::string& bus_id) const;

  /// Sets one knob, or gives it back to the card where there is no value (power: to the card's usual limit).
  /// @return why not, in the library's words; nothing when it is done
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
