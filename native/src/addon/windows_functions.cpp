// Windows-only functions; the addon has none of them on other systems.
#include <napi.h>

#include "functions.h"

#ifdef _WIN32

#include "../windows/system.h"

namespace headframe::addon {

namespace {

/// `protect` returns what failed, or nothing on success.
template <std::string (*protect)(const std::string&)>
Napi::Value protect_by_name(const Napi::CallbackInfo& info) {
  if (!info[0].IsString()) {
    Napi::TypeError::New(info.Env(), "string expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return Napi::String::New(info.Env(), protect(info[0].As<Napi::String>().Utf8Value()));
}

Napi::Value process_start(const Napi::CallbackInfo& info) {
  if (!info[0].IsNumber()) {
    Napi::TypeError::New(info.Env(), "number expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return Napi::BigInt::New(info.Env(), windows::process_start(info[0].As<Napi::Number>().Uint32Value()));
}

}  // namespace

void add_windows_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("protectFolder", Napi::Function::New<protect_by_name<windows::protect_folder>>(env));
  exports.Set("protectPipe", Napi::Function::New<protect_by_name<windows::protect_pipe>>(env));
  exports.Set("processStart", Napi::Function::New<process_start>(env));
}

}  // namespace headframe::addon

#else

namespace headframe::addon {

void add_windows_functions(Napi::Env, Napi::Object) {}

}  // namespace headframe::addon

#endif
