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
using sensors::NvmlControls;
using sensors::NvmlKnob;
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

Napi::Value object_of(Napi::Env env, const std::optional<sensors::NvmlRange>& range) {
  if (!range) return env.Null();
  const auto object = Napi::Object::New(env);
  const auto number = [env](const std::optional<double>& value) {
    return value ? Napi::Value(Napi::Number::New(env, *value)) : Napi::Value(env.Null());
  };
  object.Set("least", Napi::Number::New(env, range->least));
  object.Set("most", Napi::Number::New(env, range->most));
  object.Set("now", number(range->now));
  object.Set("usual", number(range->usual));
  return object;
}

Napi::Value read_nvml_controls(const Napi::CallbackInfo& info) {
  const auto nvml = open_handle<Nvml>(info[0]);
  if (!nvml) return info.Env().Undefined();
  if (!info[1].IsString()) {
    Napi::TypeError::New(info.Env(), "bus id expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return run_apart(info.Env(), [nvml, bus_id = info[1].As<Napi::String>().Utf8Value()]() -> Environment::Settle {
    auto read = nvml->controls(bus_id);
    if (const auto* const reason = std::get_if<std::string>(&read)) return failure(*reason);
    return [found = std::get<NvmlControls>(read)](Napi::Env on, const Napi::Promise::Deferred& deferred) {
      const auto object = Napi::Object::New(on);
      object.Set("identity", Napi::String::New(on, found.identity));
      object.Set("power", object_of(on, found.power));
      object.Set("coreClock", object_of(on, found.core_clock));
      object.Set("memoryClock", object_of(on, found.memory_clock));
      object.Set("fan", object_of(on, found.fan));
      deferred.Resolve(object);
    };
  });
}

std::optional<NvmlKnob> knob_of(const Napi::Value& name) {
  if (!name.IsString()) return std::nullopt;
  const auto text = name.As<Napi::String>().Utf8Value();
  if (text == "power") return NvmlKnob::power;
  if (text == "coreClock") return NvmlKnob::core_clock;
  if (text == "memoryClock") return NvmlKnob::memory_clock;
  if (text == "fan") return NvmlKnob::fan;
  return std::nullopt;
}

Napi::Value set_nvml(const Napi::CallbackInfo& info) {
  const auto nvml = open_handle<Nvml>(info[0]);
  if (!nvml) return info.Env().Undefined();
  const auto knob = knob_of(info[2]);
  if (!info[1].IsString() || !knob || !(info[3].IsNumber() || info[3].IsNull())) {
    Napi::TypeError::New(info.Env(), "bus id, knob and a number or null expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const auto value =
      info[3].IsNumber() ? std::optional<double>(info[3].As<Napi::Number>().DoubleValue()) : std::nullopt;
  const auto bus_id = info[1].As<Napi::String>().Utf8Value();
  return run_apart(info.Env(), [nvml, bus_id, knob = *knob, value]() -> Environment::Settle {
    if (const auto reason = nvml->set(bus_id, knob, value)) return failure(*reason);
    return [](Napi::Env on, const Napi::Promise::Deferred& deferred) { deferred.Resolve(on.Undefined()); };
  });
}

}  // namespace

void add_sensor_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("openNvml", Napi::Function::New<open_nvml>(env));
  exports.Set("readNvml", Napi::Function::New<read_nvml>(env));
  exports.Set("readNvmlControls", Napi::Function::New<read_nvml_controls>(env));
  exports.Set("setNvml", Napi::Function::New<set_nvml>(env));
}

}  // namespace headframe::addon
