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

private:
  struct Functions;
  explicit Nvml(std::unique_ptr<Functions> functions);
  [[nodiscard]] std::optional<double> memory_temperature(void* device) const;
  [[nodiscard]] std::string words(int code) const;

  std::unique_ptr<Functions> functions_;
};

}  // namespace headframe::sensors
