// Synchronous functions: hashes, sizes, seeds. Microseconds each, except the seed of a late epoch.
#include <napi.h>

#include <array>
#include <cstring>
#include <vector>

#include "../blake2/rounds.h"
#include "../checksum/crc32c.h"
#include "../xhash/fnv.h"
#include "../xhash/keccak/keccak.h"
#include "../xhash/kernels/kernels.h"
#include "../xhash/kernels/simd.h"
#include "../xhash/sizes.h"
#include "bytes.h"
#include "functions.h"

namespace headframe::addon {

namespace {

constexpr std::uint64_t max_epoch = 32639;   ///< later datasets have more items than an index can name
constexpr std::uint64_t max_tens = 1 << 20;  ///< an eighth of a second
constexpr std::uint64_t max_messages = 1 << 20;

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

Napi::Value crc32c(const Napi::CallbackInfo& info) {
  const auto data = bytes_of(info[0]);
  if (!data) return info.Env().Undefined();
  return Napi::Number::New(info.Env(), checksum::crc32c(*data));
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

/// In place: the words are in WebAssembly memory, which is neither moved nor freed during the call.
Napi::Value blake2_rounds(const Napi::CallbackInfo& info) {
  const auto bytes = bytes_of(info[0]);
  const auto tens = bytes ? integer_of(info[1], 0, max_tens) : std::nullopt;
  if (!tens) return info.Env().Undefined();
  std::array<std::uint64_t, 32> words;
  if (bytes->size() != sizeof(words)) {
    Napi::TypeError::New(info.Env(), "256 bytes expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  std::uint8_t* const data = info[0].As<Napi::Uint8Array>().Data();
  std::memcpy(words.data(), data, sizeof(words));
  blake2::ten_rounds(words.data(), words.data() + 16, static_cast<std::uint32_t>(*tens));
  std::memcpy(data, words.data(), sizeof(words) / 2);
  return info.Env().Undefined();
}

/// The messages that `count` pairs of address and length at `at` name, or nothing if one isn't inside `memory`, or if
/// they are longer than `memory` together.
std::optional<std::vector<xhash::Message>> messages_at(xhash::Message memory, std::size_t at, std::size_t count) {
  std::vector<xhash::Message> messages;
  messages.reserve(count);
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; i++) {
    std::uint32_t pair[2];
    std::memcpy(pair, memory.data() + at + i * sizeof(pair), sizeof(pair));
    total += pair[1];
    if (pair[0] > memory.size() || pair[1] > memory.size() - pair[0] || total > memory.size()) return std::nullopt;
    messages.push_back(memory.subspan(pair[0], pair[1]));
  }
  return messages;
}

/// The level named by an argument that may be absent.
std::optional<xhash::Simd> level_of(const Napi::Value& name) {
  static const xhash::Simd best = xhash::supported_simd().back();
  if (name.IsUndefined()) return best;
  return name.IsString() ? xhash::simd_of_name(name.As<Napi::String>().Utf8Value()) : std::nullopt;
}

/// In place, like blake2_rounds.
Napi::Value keccak_ranges(const Napi::CallbackInfo& info) {
  constexpr std::size_t range_bytes = 2 * sizeof(std::uint32_t);
  const auto refused = [&info](const char* reason) {
    Napi::RangeError::New(info.Env(), reason).ThrowAsJavaScriptException();
    return info.Env().Undefined();
  };
  const auto memory = bytes_of(info[0]);
  const auto at = memory ? integer_of(info[1], 0, UINT32_MAX) : std::nullopt;
  const auto count = at ? integer_of(info[2], 0, max_messages) : std::nullopt;
  const auto out = count ? integer_of(info[3], 0, UINT32_MAX) : std::nullopt;
  if (!out) return info.Env().Undefined();
  const auto level = level_of(info[4]);
  if (!level) return refused("unknown level");
  if (*at + *count * range_bytes > memory->size() || *out + *count * sizeof(xhash::Hash256) > memory->size()) {
    return refused("outside the memory");
  }
  const auto messages = messages_at(*memory, *at, *count);
  if (!messages) return refused("a message outside the memory");
  auto* const hashes = reinterpret_cast<xhash::Hash256*>(info[0].As<Napi::Uint8Array>().Data() + *out);
  xhash::kernels_of(*level).hash_messages(*messages, hashes);
  return info.Env().Undefined();
}

}  // namespace

void add_hash_functions(Napi::Env env, Napi::Object exports) {
  Napi::Array levels = Napi::Array::New(env);
  for (const xhash::Simd level : xhash::supported_simd()) {
    levels.Set(levels.Length(), Napi::String::New(env, std::string(xhash::simd_name(level))));
  }
  exports.Set("simdLevels", levels);
  exports.Set("keccak256", Napi::Function::New<hash_bytes<xhash::keccak_256>>(env));
  exports.Set("keccakRanges", Napi::Function::New<keccak_ranges>(env));
  exports.Set("sha3_256", Napi::Function::New<hash_bytes<xhash::sha3_256>>(env));
  exports.Set("sha3_512", Napi::Function::New<hash_bytes<xhash::sha3_512>>(env));
  exports.Set("fnv1", Napi::Function::New<fnv1>(env));
  if (blake2::has_rounds()) exports.Set("blake2Rounds", Napi::Function::New<blake2_rounds>(env));
  if (checksum::has_crc32c()) exports.Set("crc32c", Napi::Function::New<crc32c>(env));
  exports.Set("seedHash", Napi::Function::New<seed_hash>(env));
  exports.Set("cacheBytes", Napi::Function::New<size_of_epoch<xhash::cache_bytes>>(env));
  exports.Set("datasetBytes", Napi::Function::New<size_of_epoch<xhash::dataset_bytes>>(env));
}

}  // namespace headframe::addon
