// The library's functions as looked up, with the few types and numbers of nvml.h that are used here; they are the
// library's stable interface.
#pragma once

#include "nvml.h"

namespace headframe::sensors {

using Device = void*;
constexpr int success = 0;
constexpr unsigned clock_graphics = 0;
constexpr unsigned clock_memory = 2;

struct FieldValue {
  unsigned field_id;
  unsigned scope_id;
  long long timestamp;
  long long latency_us;
  int value_type;
  int result;
  union {
    double as_double;
    unsigned as_unsigned;
    unsigned long long as_unsigned_long_long;
    long long as_long_long;
  } value;
};
static_assert(sizeof(FieldValue) == 40);

struct Nvml::Functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*handle_by_bus_id)(const char*, Device*) = nullptr;
  // The following may be missing in old drivers.
  int (*temperature)(Device, unsigned, unsigned*) = nullptr;
  int (*field_values)(Device, int, FieldValue*) = nullptr;
  int (*fan_speed)(Device, unsigned, unsigned*) = nullptr;
  int (*power_usage)(Device, unsigned*) = nullptr;
  int (*power_limit)(Device, unsigned*) = nullptr;
  int (*clock_info)(Device, unsigned, unsigned*) = nullptr;
  int (*uuid)(Device, char*, unsigned) = nullptr;
  // Power limits are in milliwatts, clocks in MHz, fans in percent.
  int (*power_limit_set)(Device, unsigned*) = nullptr;
  int (*usual_power_limit)(Device, unsigned*) = nullptr;
  int (*power_limits)(Device, unsigned*, unsigned*) = nullptr;
  int (*set_power_limit)(Device, unsigned) = nullptr;
  int (*memory_clocks)(Device, unsigned*, unsigned*) = nullptr;
  int (*core_clocks)(Device, unsigned, unsigned*, unsigned*) = nullptr;
  int (*lock_core)(Device, unsigned, unsigned) = nullptr;
  int (*unlock_core)(Device) = nullptr;
  int (*lock_memory)(Device, unsigned, unsigned) = nullptr;
  int (*unlock_memory)(Device) = nullptr;
  int (*fan_count)(Device, unsigned*) = nullptr;
  int (*fan_limits)(Device, unsigned*, unsigned*) = nullptr;
  int (*fan_policy)(Device, unsigned, unsigned*) = nullptr;
  int (*set_fan)(Device, unsigned, unsigned) = nullptr;
  int (*unset_fan)(Device, unsigned) = nullptr;
};

}  // namespace headframe::sensors
