// Gives up access to files, connections and other programs, for a process that holds secrets.
#include <napi.h>

#include "../../confine/confine.h"
#include "../functions.h"

namespace headframe::addon {

namespace {

Napi::Value confine_process(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), confine::confine_process());
}

}  // namespace

void add_confine_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("confineProcess", Napi::Function::New<confine_process>(env));
}

}  // namespace headframe::addon
