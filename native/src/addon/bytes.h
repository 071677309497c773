// Bytes and numbers across the boundary: always copied (Electron rejects external buffers), lengths always checked. A
// worker that is being terminated returns empty values instead of creating new ones.
#pragma once

#include <napi.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "../xhash/types.h"

namespace headframe::addon {

constexpr std::uint64_t max_dataset_bytes = std::uint64_t{1} << 38;  ///< 2^32 items of 64 bytes

/// Undefined, with a TypeError pending.
inline Napi::Value undefined_with(Napi::Env env, const char* problem) {
  Napi::TypeError::New(env, problem).ThrowAsJavaScriptException();
  return env.Undefined();
}

inline Napi::Uint8Array copy_bytes(Napi::Env env, std::span<const std::uint8_t> bytes) {
  Napi::Uint8Array out = Napi::Uint8Array::New(env, bytes.size());
  if (!bytes.empty() && !out.IsEmpty()) std::memcpy(out.Data(), bytes.data(), bytes.size());
  return out;
}

/// 64 bytes: mix digest, then result. Empty when the environment is ending.
inline Napi::Uint8Array copy_result(Napi::Env env, const xhash::HashResult& hash) {
  Napi::Uint8Array out = Napi::Uint8Array::New(env, 64);
  if (out.IsEmpty()) return out;
  std::memcpy(out.Data(), hash.mix_digest.data(), 32);
  std::memcpy(out.Data() + 32, hash.result.data(), 32);
  return out;
}

/// The bytes of a Uint8Array (not copied: valid during the call), or nothing with a TypeError pending.
inline std::optional<std::span<const std::uint8_t>> bytes_of(const Napi::Value& value) {
  if (value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array) {
    const auto array = value.As<Napi::Uint8Array>();
    return std::span<const std::uint8_t>(array.Data(), array.ElementLength());
  }
  Napi::TypeError::New(value.Env(), "Uint8Array expected").ThrowAsJavaScriptException();
  return std::nullopt;
}

/// A Uint8Array of 32 bytes, or nothing with a TypeError pending.
inline std::optional<xhash::Hash256> hash_of(const Napi::Value& value) {
  const auto bytes = bytes_of(value);
  if (!bytes) return std::nullopt;
  if (bytes->size() != 32) {
    Napi::TypeError::New(value.Env(), "32 bytes expected").ThrowAsJavaScriptException();
    return std::nullopt;
  }
  xhash::Hash256 hash;
  std::memcpy(hash.data(), bytes->data(), 32);
  return hash;
}

/// An integer in [low, high], high at most 2^53 - 1, or nothing with a TypeError pending.
inline std::optional<std::uint64_t> integer_of(const Napi::Value& value, std::uint64_t low, std::uint64_t high) {
  if (value.IsNumber()) {
    const double number = value.As<Napi::Number>().DoubleValue();
    const bool inside = number >= static_cast<double>(low) && number <= static_cast<double>(high);
    if (inside && number == static_cast<double>(static_cast<std::uint64_t>(number))) {
      return static_cast<std::uint64_t>(number);
    }
  }
  Napi::TypeError::New(value.Env(), "whole number in range expected").ThrowAsJavaScriptException();
  return std::nullopt;
}

/// A BigInt in [0, 2^64), or nothing with a TypeError pending.
inline std::optional<std::uint64_t> uint64_of(const Napi::Value& value) {
  if (value.IsBigInt()) {
    bool lossless = false;
    const std::uint64_t number = value.As<Napi::BigInt>().Uint64Value(&lossless);
    if (lossless) return number;
  }
  Napi::TypeError::New(value.Env(), "bigint below 2^64 expected").ThrowAsJavaScriptException();
  return std::nullopt;
}

}  // namespace headframe::addon
