// Integers of any length, big-endian. Synchronous: the caller limits the work by the lengths it passes.
#include <napi.h>

#include "../numbers/power.h"
#include "bytes.h"
#include "functions.h"

namespace headframe::addon {

namespace {

Napi::Value modular_power(const Napi::CallbackInfo& info) {
  const auto base = bytes_of(info[0]);
  const auto exponent = base ? bytes_of(info[1]) : base;
  const auto modulus = exponent ? bytes_of(info[2]) : exponent;
  const auto begun = modulus ? bytes_of(info[3]) : modulus;
  if (!begun) return info.Env().Undefined();
  return copy_bytes(info.Env(), numbers::power(*base, *exponent, *modulus, *begun));
}

}  // namespace

void add_number_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("modularPower", Napi::Function::New<modular_power>(env));
}

}  // namespace headframe::addon
