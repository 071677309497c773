// How many heaps the C library keeps for the threads of this process.
#include <napi.h>

#include "../functions.h"

#if defined(__linux__) && __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace headframe::addon {

namespace {

/// False where the C library has no such setting.
bool limit_heaps([[maybe_unused]] int most) {
#ifdef M_ARENA_MAX
  return mallopt(M_ARENA_MAX, most) == 1;
#else
  return false;
#endif
}

Napi::Value share_heaps(const Napi::CallbackInfo& info) {
  if (!info[0].IsNumber() || info[0].As<Napi::Number>().Int32Value() < 1) {
    Napi::TypeError::New(info.Env(), "a count of heaps expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return Napi::Boolean::New(info.Env(), limit_heaps(info[0].As<Napi::Number>().Int32Value()));
}

}  // namespace

void add_heap_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("shareHeaps", Napi::Function::New<share_heaps>(env));
}

}  // namespace headframe::addon
