// Synchronous functions for keys and signatures, tens of microseconds each. Invalid keys and signatures give null; a
// wrong length is a TypeError.
#include <napi.h>

#include <algorithm>

#include "../curve/curve.h"
#include "../xhash/keccak/keccak.h"
#include "bytes.h"
#include "functions.h"

namespace headframe::addon {

namespace {

/// Exactly this many bytes, or nothing with a TypeError pending.
template <std::size_t Length>
std::optional<std::span<const std::uint8_t, Length>> exactly(const Napi::Value& value) {
  const auto bytes = bytes_of(value);
  if (!bytes) return std::nullopt;
  if (bytes->size() == Length) return bytes->template first<Length>();
  Napi::TypeError::New(value.Env(), std::to_string(Length) + " bytes expected").ThrowAsJavaScriptException();
  return std::nullopt;
}

template <typename Bytes>
Napi::Value bytes_or_null(Napi::Env env, const std::optional<Bytes>& bytes) {
  return bytes ? static_cast<Napi::Value>(copy_bytes(env, *bytes)) : env.Null();
}

Napi::Value is_secret_key(const Napi::CallbackInfo& info) {
  const auto secret = exactly<32>(info[0]);
  if (!secret) return info.Env().Undefined();
  return Napi::Boolean::New(info.Env(), curve::is_secret_key(*secret));
}

Napi::Value public_key(const Napi::CallbackInfo& info) {
  const auto secret = exactly<32>(info[0]);
  if (!secret) return info.Env().Undefined();
  return bytes_or_null(info.Env(), curve::public_key(*secret));
}

Napi::Value expand_key(const Napi::CallbackInfo& info) {
  const auto compressed = exactly<33>(info[0]);
  if (!compressed) return info.Env().Undefined();
  return bytes_or_null(info.Env(), curve::expand_key(*compressed));
}

Napi::Value sign(const Napi::CallbackInfo& info) {
  const auto digest = exactly<32>(info[0]);
  const auto secret = digest ? exactly<32>(info[1]) : digest;
  if (!secret) return info.Env().Undefined();
  return bytes_or_null(info.Env(), curve::sign(*digest, *secret));
}

std::optional<std::optional<curve::PublicKey>> recovered(const Napi::CallbackInfo& info) {
  const auto digest = exactly<32>(info[0]);
  if (!digest) return std::nullopt;
  const auto signature = exactly<64>(info[1]);
  const auto id = signature ? integer_of(info[2], 0, 3) : std::nullopt;
  if (!id) return std::nullopt;
  return curve::recover(*digest, *signature, static_cast<unsigned>(*id));
}

Napi::Value recover_key(const Napi::CallbackInfo& info) {
  const auto key = recovered(info);
  if (!key) return info.Env().Undefined();
  return bytes_or_null(info.Env(), *key);
}

Napi::Value recover_address(const Napi::CallbackInfo& info) {
  const auto key = recovered(info);
  if (!key) return info.Env().Undefined();
  if (!*key) return info.Env().Null();
  const auto hash = xhash::keccak_256(**key);
  return copy_bytes(info.Env(), std::span(hash).last<20>());
}

/// For each item a byte 1 and the 20 bytes of the signer's address; 21 zeros if no key made the signature.
Napi::Value recover_addresses(const Napi::CallbackInfo& info) {
  constexpr std::size_t answer_bytes = 21;
  const auto items = bytes_of(info[0]);
  if (!items) return info.Env().Undefined();
  if (items->size() % curve::recovery_bytes != 0) {
    Napi::TypeError::New(info.Env(), "97 bytes a signature expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const auto keys = curve::recover_many(*items);
  std::vector<std::uint8_t> answers(keys.size() * answer_bytes);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i]) continue;
    const auto hash = xhash::keccak_256(*keys[i]);
    const auto answer = std::span(answers).subspan(i * answer_bytes, answer_bytes);
    answer[0] = 1;
    std::copy(hash.end() - 20, hash.end(), answer.begin() + 1);
  }
  return copy_bytes(info.Env(), answers);
}

Napi::Value verify_signature(const Napi::CallbackInfo& info) {
  const auto digest = exactly<32>(info[0]);
  if (!digest) return info.Env().Undefined();
  const auto signature = exactly<64>(info[1]);
  const auto key = signature ? exactly<64>(info[2]) : signature;
  if (!key) return info.Env().Undefined();
  return Napi::Boolean::New(info.Env(), curve::verify(*digest, *signature, *key));
}

Napi::Value shared_x(const Napi::CallbackInfo& info) {
  const auto secret = exactly<32>(info[0]);
  if (!secret) return info.Env().Undefined();
  const auto key = exactly<64>(info[1]);
  if (!key) return info.Env().Undefined();
  return bytes_or_null(info.Env(), curve::shared_x(*secret, *key));
}

}  // namespace

void add_signature_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("isSecretKey", Napi::Function::New<is_secret_key>(env));
  exports.Set("publicKey", Napi::Function::New<public_key>(env));
  exports.Set("expandKey", Napi::Function::New<expand_key>(env));
  exports.Set("signDigest", Napi::Function::New<sign>(env));
  exports.Set("recoverKey", Napi::Function::New<recover_key>(env));
  exports.Set("recoverAddress", Napi::Function::New<recover_address>(env));
  exports.Set("recoverAddresses", Napi::Function::New<recover_addresses>(env));
  exports.Set("verifySignature", Napi::Function::New<verify_signature>(env));
  exports.Set("sharedX", Napi::Function::New<shared_x>(env));
}

}  // namespace headframe::addon
