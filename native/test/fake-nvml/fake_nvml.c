/* NVIDIA's management library as far as tests need it. Three devices: 01:00.0 reports everything, 02:00.0 little,
   03:00.0 is lost; a fourth, 04:00.0, hangs. FAKE_NVML_INIT in the environment is what the library's start answers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  unsigned field_id, scope_id;
  long long timestamp, latency_us;
  int value_type, result;
  union {
    double d;
    unsigned u;
    unsigned long long ull;
  } value;
} field_value;

enum { success = 0, not_supported = 3, not_found = 6, gpu_is_lost = 15 };

static int full = 1, little = 2, lost = 3, hung = 4;

int nvmlInit_v2(void) {
  const char* code = getenv("FAKE_NVML_INIT");
  return code == NULL ? success : atoi(code);
}

int nvmlShutdown(void) { return success; }

const char* nvmlErrorString(int code) {
  switch (code) {
    case 9: return "Driver Not Loaded";
    case not_found: return "Not Found";
    case gpu_is_lost: return "GPU is lost";
    default: return "Unknown Error";
  }
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  if (strcmp(bus_id, "00000000:01:00.0") == 0) *device = &full;
  else if (strcmp(bus_id, "00000000:02:00.0") == 0) *device = &little;
  else if (strcmp(bus_id, "00000001:03:00.0") == 0) *device = &lost;
  else if (strcmp(bus_id, "00000000:04:00.0") == 0) *device = &hung;
  else return not_found;
  return success;
}

static int answer(void* device, unsigned* out, unsigned value) {
  if (device == &lost) return gpu_is_lost;
  if (device == &little) return not_supported;
  *out = value;
  return success;
}

int nvmlDeviceGetTemperature(void* device, unsigned sensor, unsigned* out) {
  if (device == &hung)
    for (;;) sleep(1000);
  if (device == &lost) return gpu_is_lost;
  if (sensor != 0) return not_supported;
  *out = device == &little ? 41 : 63;
  return success;
}

int nvmlDeviceGetFieldValues(void* device, int count, field_value* values) {
  if (device == &lost) return gpu_is_lost;
  for (int i = 0; i < count; i++) {
    values[i].result = values[i].field_id == 82 ? success : not_supported;
    values[i].value_type = 1;
    values[i].value.u = device == &little ? 0 : 88;
  }
  return success;
}

int nvmlDeviceGetFanSpeed_v2(void* device, unsigned fan, unsigned* out) {
  return fan == 0 ? answer(device, out, 0) : not_supported;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* out) { return answer(device, out, 115250); }
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* out) { return answer(device, out, 130000); }
int nvmlDeviceGetClockInfo(void* device, unsigned type, unsigned* out) {
  return type == 0 ? answer(device, out, 1410) : type == 2 ? answer(device, out, 7501) : not_supported;
}
