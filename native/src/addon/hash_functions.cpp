// Synchronous functions: hashes, sizes, seeds. Microseconds each, but for the seed of a late epoch.
#include <napi.h>

#include "../xhash/fnv.h"
#include "../xhash/keccak/keccak.h"
#include "../xhash/kernels/simd.h"
#include "../xhash/sizes.h"
#include "bytes.h"
#include "functions.h"

namespace headframe::addon {

namespace {

constexpr std::uint64_t max_epoch = 32639;  ///< later datasets have more items than an index can name

template <auto Hash>
Napi::Value hash_bytes(const Napi::CallbackInfo& info) {
  const auto data = bytes_of(info[0]);
  if (!data) return info.Env().Undefined();
  return copy_bytes(info.Env(), Hash(*data));
}

Napi::Value fnv1(const Napi::CallbackInfo& info) {
  const auto a = integer_of(info[0], 0, UINT32_MAX);
  const auto b = a ? integer_of(info[1], 0, UINT32_MAX) : a;
  if (!b) return info.Env().Undefined();
  return Napi::Number::New(info.Env(), xhash::fnv1(static_cast<std::uint32_t>(*a), static_cast<std::uint32_t>(*b)));
}

Napi::Value seed_hash(const Napi::CallbackInfo& info) {
  const auto epoch = integer_of(info[0], 0, max_epoch);
  if (!epoch) return info.Env().Undefined();
  return copy_bytes(info.Env(), xhash::seed_hash(static_cast<std::uint32_t>(*epoch)));
}

template <auto Size>
Napi::Value size_of_epoch(const Napi::CallbackInfo& info) {
  const auto epoch = integer_of(info[1], 0, max_epoch);
  if (!epoch || !info[0].IsObject()) return info.Env().Undefined();
  const auto rule = info[0].As<Napi::Object>();
  const char* const names[] = {"cacheBytesInit", "cacheBytesGrowth", "datasetBytesInit", "datasetBytesGrowth"};
  std::uint64_t values[4];
  for (int i = 0; i < 4; i++) {
    const auto value = integer_of(rule.Get(names[i]), 0, std::uint64_t{1} << 40);
    if (!value) return info.Env().Undefined();
    values[i] = *value;
  }
  const std::uint64_t bytes = Size({values[0], values[1], values[2], values[3]}, static_cast<std::uint32_t>(*epoch));
  return Napi::Number::New(info.Env(), static_cast<double>(bytes));
}

}  // namespace

void add_hash_functions(Napi::Env env, Napi::Object exports) {
  Napi::Array levels = Napi::Array::New(env);
  for (const xhash::Simd level : xhash::supported_simd()) {
    levels.Set(levels.Length(), Napi::String::New(env, std::string(xhash::simd_name(level))));
  }
  exports.Set("simdLevels", levels);
  exports.Set("keccak256", Napi::Function::New<hash_bytes<xhash::keccak_256>>(env));
  exports.Set("sha3_256", Napi::Function::New<hash_bytes<xhash::sha3_256>>(env));
  exports.Set("sha3_512", Napi::Function::New<hash_bytes<xhash::sha3_512>>(env));
  exports.Set("fnv1", Napi::Function::New<fnv1>(env));
  exports.Set("seedHash", Napi::Function::New<seed_hash>(env));
  exports.Set("cacheBytes", Napi::Function::New<size_of_epoch<xhash::cache_bytes>>(env));
  exports.Set("datasetBytes", Napi::Function::New<size_of_epoch<xhash::dataset_bytes>>(env));
}

}  // namespace headframe::addon
