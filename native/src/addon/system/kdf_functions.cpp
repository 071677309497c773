// scrypt's mixing, on the calling thread or another one. Bytes in, bytes out; the caller wipes both.
#include <napi.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "../../kdf/scrypt.h"
#include "../bytes.h"
#include "../environment.h"
#include "../functions.h"

namespace headframe::addon {

namespace {

constexpr std::uint64_t most_n = std::uint64_t{1} << 24;
constexpr std::uint64_t most_r = std::uint64_t{1} << 20;

struct Question {
  ~Question() { std::fill(blocks.begin(), blocks.end(), std::uint8_t{0}); }
  std::vector<std::uint8_t> blocks;
  std::size_t n = 0;
  std::size_t r = 0;
};

/// Null with an error pending.
std::shared_ptr<Question> question_of(const Napi::CallbackInfo& info) {
  const auto blocks = bytes_of(info[0]);
  const auto n = blocks ? integer_of(info[1], 2, most_n) : std::nullopt;
  const auto r = n ? integer_of(info[2], 1, most_r) : std::nullopt;
  if (!r) return nullptr;
  if ((*n & (*n - 1)) != 0 || blocks->empty() || blocks->size() % (128 * *r) != 0) {
    Napi::TypeError::New(info.Env(), "a power of two and whole blocks expected").ThrowAsJavaScriptException();
    return nullptr;
  }
  auto made = std::make_shared<Question>();
  made->blocks.assign(blocks->begin(), blocks->end());
  made->n = static_cast<std::size_t>(*n);
  made->r = static_cast<std::size_t>(*r);
  return made;
}

Napi::Value mix_scrypt(const Napi::CallbackInfo& info) {
  const auto question = question_of(info);
  if (!question) return info.Env().Undefined();
  const auto& closing = Environment::of(info.Env()).closing();
  if (kdf::mix_blocks(question->blocks, question->n, question->r, closing) != kdf::Mixing::done) {
    Napi::Error::New(info.Env(), "no memory for scrypt").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return copy_bytes(info.Env(), question->blocks);
}

Napi::Value mix_scrypt_apart(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto question = question_of(info);
  if (!question) return env.Undefined();
  Environment& environment = Environment::of(env);
  return environment.run_async(env, [question, &closing = environment.closing()]() -> Environment::Settle {
    const auto outcome = kdf::mix_blocks(question->blocks, question->n, question->r, closing);
    return [question, outcome](Napi::Env on, const Napi::Promise::Deferred& deferred) {
      if (outcome == kdf::Mixing::done) deferred.Resolve(copy_bytes(on, question->blocks));
      else deferred.Reject(Napi::Error::New(on, "no memory for scrypt").Value());
    };
  });
}

}  // namespace

void add_kdf_functions(Napi::Env env, Napi::Object exports) {
  if (!kdf::can_mix()) return;
  exports.Set("mixScrypt", Napi::Function::New<mix_scrypt>(env));
  exports.Set("mixScryptApart", Napi::Function::New<mix_scrypt_apart>(env));
}

}  // namespace headframe::addon
