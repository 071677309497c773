/* NVIDIA's management library as far as tests need it. Three devices: 01:00.0 reports everything, 02:00.0 little,
   03:00.0 is lost; a fourth, 04:00.0, hangs. FAKE_NVML_INIT in the environment is what the library's start answers.
   The first can be set, too: FAKE_NVML_STATE names a file that keeps, as a driver does, what was set when the process
   is gone (watts, core and memory clock, fan; -1: the card's own). FAKE_NVML_RIGHTS=0: nobody may set anything. */
#include <stdio.h>
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

enum { success = 0, invalid = 2, not_supported = 3, no_permission = 4, not_found = 6, gpu_is_lost = 15 };

static int full = 1, little = 2, lost = 3, hung = 4;

int nvmlInit_v2(void) {
  const char* code = getenv("FAKE_NVML_INIT");
  return code == NULL ? success : atoi(code);
}

int nvmlShutdown(void) { return success; }

const char* nvmlErrorString(int code) {
  switch (code) {
    case 9: return "Driver Not Loaded";
    case invalid: return "Invalid Argument";
    case not_supported: return "Not Supported";
    case no_permission: return "Insufficient Permissions";
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

static void load(int values[4]) {
  const char* path = getenv("FAKE_NVML_STATE");
  FILE* file = path == NULL ? NULL : fopen(path, "r");
  values[0] = 130;
  values[1] = values[2] = values[3] = -1;
  if (file == NULL) return;
  if (fscanf(file, "%d %d %d %d", &values[0], &values[1], &values[2], &values[3]) != 4) values[0] = 0;
  fclose(file);
}

static int store(void* device, int place, int value) {
  const char* path = getenv("FAKE_NVML_STATE");
  const char* rights = getenv("FAKE_NVML_RIGHTS");
  char beside[4096];
  int values[4];
  FILE* file;
  if (device != &full || path == NULL) return not_supported;
  if (rights != NULL && strcmp(rights, "0") == 0) return no_permission;
  load(values);
  values[place] = value;
  snprintf(beside, sizeof beside, "%s.new", path);
  file = fopen(beside, "w");
  if (file == NULL) return invalid;
  fprintf(file, "%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  fclose(file);
  return rename(beside, path) == 0 ? success : invalid;
}

static unsigned kept(int place) {
  int values[4];
  load(values);
  return (unsigned)values[place];
}

int nvmlDeviceGetFanSpeed_v2(void* device, unsigned fan, unsigned* out) {
  if (fan >= 2) return not_supported;
  return answer(device, out, kept(3) == (unsigned)-1 ? 0 : kept(3));
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* out) { return answer(device, out, 115250); }
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* out) { return answer(device, out, 130000); }
int nvmlDeviceGetClockInfo(void* device, unsigned type, unsigned* out) {
  return type == 0 ? answer(device, out, 1410) : type == 2 ? answer(device, out, 7501) : not_supported;
}

int nvmlDeviceGetUUID(void* device, char* text, unsigned length) {
  if (device == &lost) return gpu_is_lost;
  snprintf(text, length, "GPU-fake-%d", *(int*)device);
  return success;
}
int nvmlDeviceGetPowerManagementLimit(void* device, unsigned* out) { return answer(device, out, kept(0) * 1000); }
int nvmlDeviceGetPowerManagementDefaultLimit(void* device, unsigned* out) { return answer(device, out, 140000); }
int nvmlDeviceGetPowerManagementLimitConstraints(void* device, unsigned* least, unsigned* most) {
  *least = 70000;
  return answer(device, most, 150000);
}
int nvmlDeviceSetPowerManagementLimit(void* device, unsigned milliwatts) {
  return milliwatts < 70000 || milliwatts > 150000 ? invalid : store(device, 0, (int)(milliwatts / 1000));
}

int nvmlDeviceGetSupportedMemoryClocks(void* device, unsigned* count, unsigned* clocks) {
  clocks[0] = 7501;
  clocks[1] = 405;
  return answer(device, count, 2);
}
int nvmlDeviceGetSupportedGraphicsClocks(void* device, unsigned memory, unsigned* count, unsigned* clocks) {
  if (memory != 7501) return invalid;
  clocks[0] = 2100;
  clocks[1] = 1410;
  clocks[2] = 210;
  return answer(device, count, 3);
}
int nvmlDeviceSetGpuLockedClocks(void* device, unsigned least, unsigned most) {
  return least != most ? invalid : store(device, 1, (int)most);
}
int nvmlDeviceResetGpuLockedClocks(void* device) { return store(device, 1, -1); }
int nvmlDeviceSetMemoryLockedClocks(void* device, unsigned least, unsigned most) {
  return least != most ? invalid : store(device, 2, (int)most);
}
int nvmlDeviceResetMemoryLockedClocks(void* device) { return store(device, 2, -1); }

int nvmlDeviceGetNumFans(void* device, unsigned* out) { return answer(device, out, 2); }
int nvmlDeviceGetMinMaxFanSpeed(void* device, unsigned* least, unsigned* most) {
  *least = 30;
  return answer(device, most, 100);
}
int nvmlDeviceGetFanControlPolicy_v2(void* device, unsigned fan, unsigned* policy) {
  return fan >= 2 ? not_supported : answer(device, policy, kept(3) != (unsigned)-1);
}
int nvmlDeviceSetFanSpeed_v2(void* device, unsigned fan, unsigned percent) {
  return fan >= 2 ? not_supported : store(device, 3, (int)percent);
}
int nvmlDeviceSetDefaultFanSpeed_v2(void* device, unsigned fan) {
  return fan >= 2 ? not_supported : store(device, 3, -1);
}
