// Gives up access to files, connections and other programs, for a process that holds secrets.
#include <napi.h>

#include "../../confine/confine.h"
#include "../functions.h"

namespace headframe::addon {

namespace {

Napi::Value confine_process(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), confine::confine_process());
}

std::vector<std::string> texts(const Napi::Value& value) {
  const auto list = value.As<Napi::Array>();
  std::vector<std::string> found;
  for (std::uint32_t i = 0; i < list.Length(); ++i) found.push_back(list.Get(i).ToString().Utf8Value());
  return found;
}

Napi::Value restart_without_rings(const Napi::CallbackInfo& info) {
  if (info.Length() < 3 || !info[0].IsString() || !info[1].IsArray() || !info[2].IsArray()) {
    Napi::TypeError::New(info.Env(), "restartWithoutRings takes a path and two lists of texts")
        .ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const auto program = info[0].As<Napi::String>().Utf8Value();
  return Napi::String::New(info.Env(), confine::restart_without_rings(program, texts(info[1]), texts(info[2])));
}

Napi::Value deny_dumps(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), confine::deny_dumps()); }

Napi::Value lock_memory(const Napi::CallbackInfo& info) {
  if (info.Length() < 1 || !info[0].IsTypedArray()) {
    Napi::TypeError::New(info.Env(), "lockMemory takes bytes").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const auto bytes = info[0].As<Napi::Uint8Array>();
  return Napi::Boolean::New(info.Env(), confine::lock_memory(bytes.Data(), bytes.ByteLength()));
}

}  // namespace

void add_confine_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("confineProcess", Napi::Function::New<confine_process>(env));
  exports.Set("denyDumps", Napi::Function::New<deny_dumps>(env));
  exports.Set("lockMemory", Napi::Function::New<lock_memory>(env));
  exports.Set("restartWithoutRings", Napi::Function::New<restart_without_rings>(env));
}

}  // namespace headframe::addon
