// Sensors for JavaScript.
#include <napi.h>

#include <memory>

#include "../sensors/nvml.h"
#include "apart.h"
#include "environment.h"
#include "functions.h"

namespace headframe::addon {

template <>
struct HandleKind<sensors::Nvml> {
  static constexpr napi_type_tag tag{0x4846'0005'6e76'6d6c, 0x9d5c'2b1e'70a4'43f1};
  static constexpr const char* name = "sensor library";
};

namespace {

using sensors::Nvml;
using sensors::NvmlReading;

Napi::Value open_nvml(const Napi::CallbackInfo& info) {
  if (!info[0].IsString()) {
    Napi::TypeError::New(info.Env(), "path expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return run_apart(info.Env(), [path = info[0].As<Napi::String>().Utf8Value()]() -> Environment::Settle {
    auto opened = Nvml::open(path);
    if (const auto* const reason = std::get_if<std::string>(&opened)) return failure(*reason);
    return [nvml = std::get<std::shared_ptr<Nvml>>(opened)](Napi::Env on, const Napi::Promise::Deferred& deferred) {
      deferred.Resolve(make_handle(on, nvml));
    };
  });
}

Napi::Object object_of(Napi::Env env, const NvmlReading& reading) {
  const auto object = Napi::Object::New(env);
  const auto set = [&](const char* name, const std::optional<double>& value) {
    object.Set(name, value ? Napi::Value(Napi::Number::New(env, *value)) : Napi::Value(env.Null()));
  };
  set("coreCelsius", reading.core_celsius);
  set("memoryCelsius", reading.memory_celsius);
  set("fanPercent", reading.fan_percent);
  set("powerWatts", reading.power_watts);
  set("powerLimitWatts", reading.power_limit_watts);
  set("coreMhz", reading.core_mhz);
  set("memoryMhz", reading.memory_mhz);
  return object;
}

Napi::Value read_nvml(const Napi::CallbackInfo& info) {
  const auto nvml = open_handle<Nvml>(info[0]);
  if (!nvml) return info.Env().Undefined();
  if (!info[1].IsString()) {
    Napi::TypeError::New(info.Env(), "bus id expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return run_apart(info.Env(), [nvml, bus_id = info[1].As<Napi::String>().Utf8Value()]() -> Environment::Settle {
    auto read = nvml->read(bus_id);
    if (const auto* const reason = std::get_if<std::string>(&read)) return failure(*reason);
    return [reading = std::get<NvmlReading>(read)](Napi::Env on, const Napi::Promise::Deferred& deferred) {
      deferred.Resolve(object_of(on, reading));
    };
  });
}

}  // namespace

void add_sensor_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("openNvml", Napi::Function::New<open_nvml>(env));
  exports.Set("readNvml", Napi::Function::New<read_nvml>(env));
}

}  // namespace headframe::addon
