// Caches and datasets as handles, and hashes computed from them.
#include <napi.h>

#include <utility>
#include <vector>

#include "../xhash/cache.h"
#include "../xhash/dataset.h"
#include "bytes.h"
#include "environment.h"
#include "functions.h"

namespace headframe::addon {

namespace {

using xhash::Cache;
using xhash::Dataset;

constexpr std::uint64_t max_cache_bytes = std::uint64_t{1} << 34;

std::optional<xhash::Simd> simd_of(const Napi::Value& value) {
  const std::string name = value.IsString() ? value.As<Napi::String>().Utf8Value() : std::string();
  const auto simd = xhash::simd_of_name(name);
  if (!simd) Napi::TypeError::New(value.Env(), name + " is not supported here").ThrowAsJavaScriptException();
  return simd;
}

std::optional<std::uint64_t> size_of(const Napi::Value& value, std::uint64_t unit, std::uint64_t limit) {
  const auto bytes = integer_of(value, unit, limit);
  if (!bytes || *bytes % unit == 0) return bytes;
  Napi::TypeError::New(value.Env(), "size is no multiple of its item").ThrowAsJavaScriptException();
  return std::nullopt;
}

std::optional<xhash::LightInput> input_of(const Napi::Value& seal_hash, const Napi::Value& nonce) {
  const auto seal = hash_of(seal_hash);
  if (!seal) return std::nullopt;
  const auto number = uint64_of(nonce);
  if (!number) return std::nullopt;
  return xhash::LightInput{*seal, *number};
}

Napi::Value create_cache(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto seed = hash_of(info[0]);
  const auto bytes = seed ? size_of(info[1], xhash::item_bytes, max_cache_bytes) : std::nullopt;
  const auto simd = bytes ? simd_of(info[2]) : std::nullopt;
  if (!simd) return env.Undefined();
  Environment& environment = Environment::of(env);
  return environment.run_async(env, [seed = *seed, bytes = *bytes, simd = *simd, &closing = environment.closing()] {
    auto cache = Cache::build(seed, static_cast<std::size_t>(bytes), simd, closing);
    return [cache = std::move(cache)](Napi::Env on, const Napi::Promise::Deferred& deferred) {
      if (cache) deferred.Resolve(make_handle(on, cache));
      else deferred.Reject(Napi::Error::New(on, "no memory for the cache").Value());
    };
  });
}

Napi::Value cache_from_bytes(const Napi::CallbackInfo& info) {
  const auto content = bytes_of(info[0]);
  if (!content) return info.Env().Undefined();
  if (content->empty() || content->size() % xhash::item_bytes != 0) {
    return undefined_with(info.Env(), "a cache is a multiple of 64 bytes");
  }
  const auto simd = simd_of(info[1]);
  if (!simd) return info.Env().Undefined();
  auto cache = Cache::of_content(*content, *simd);
  if (!cache) return undefined_with(info.Env(), "no memory for the cache");
  return make_handle(info.Env(), std::move(cache));
}

Napi::Value cache_content(const Napi::CallbackInfo& info) {
  const auto cache = open_handle<const Cache>(info[0]);
  if (!cache) return info.Env().Undefined();
  return copy_bytes(info.Env(), {reinterpret_cast<const std::uint8_t*>(cache->view().words), cache->bytes()});
}

Napi::Value dataset_items(const Napi::CallbackInfo& info) {
  const auto cache = open_handle<const Cache>(info[0]);
  if (!cache) return info.Env().Undefined();
  const bool is_indices =
      info[1].IsTypedArray() && info[1].As<Napi::TypedArray>().TypedArrayType() == napi_uint32_array;
  if (!is_indices) return undefined_with(info.Env(), "Uint32Array expected");
  const auto indices = info[1].As<Napi::Uint32Array>();
  const std::size_t count = indices.ElementLength();
  if (count == 0) return copy_bytes(info.Env(), {});
  const xhash::HugeBuffer buffer(count * xhash::item_bytes);
  if (buffer.words() == nullptr) return undefined_with(info.Env(), "no memory for the items");
  cache->make_items({indices.Data(), count}, buffer.words());
  return copy_bytes(info.Env(), {reinterpret_cast<const std::uint8_t*>(buffer.words()), count * xhash::item_bytes});
}

Napi::Value hash_light(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto cache = open_handle<const Cache>(info[0]);
  if (!cache) return env.Undefined();
  const auto bytes = size_of(info[1], xhash::row_bytes, max_dataset_bytes);
  const auto input = bytes ? input_of(info[2], info[3]) : std::nullopt;
  if (!input) return env.Undefined();
  return Environment::of(env).hash_light(env, {std::move(cache), *bytes, *input, Napi::Promise::Deferred::New(env)});
}

/// On the JavaScript thread, after the last build thread has reported.
void settle_build(Napi::Env env, const std::shared_ptr<BuildHandle>& handle, std::shared_ptr<const Dataset> dataset) {
  Environment& environment = Environment::of(env);
  handle->build->join();
  environment.builds.erase(handle);
  environment.mailbox()->drop(env);
  if (dataset) handle->ready.Resolve(make_handle(env, std::move(dataset)));
  else handle->ready.Reject(Napi::Error::New(env, "dataset build cancelled").Value());
}

Napi::Value start_dataset(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto cache = open_handle<const Cache>(info[0]);
  if (!cache) return env.Undefined();
  const auto bytes = size_of(info[1], xhash::row_bytes, max_dataset_bytes);
  const auto threads = bytes ? integer_of(info[2], 1, 256) : std::nullopt;
  if (!threads) return env.Undefined();
  Environment& environment = Environment::of(env);
  auto handle = std::make_shared<BuildHandle>(env);
  const auto done = [mailbox = environment.mailbox(),
                     weak = std::weak_ptr(handle)](std::shared_ptr<const Dataset> dataset) {
    mailbox->post([weak, dataset = std::move(dataset)](Napi::Env on) {
      if (const auto alive = weak.lock()) settle_build(on, alive, dataset);
    });
  };
  const bool in_background = info[3].IsBoolean() && info[3].As<Napi::Boolean>().Value();
  const auto urgency = in_background ? xhash::Urgency::background : xhash::Urgency::awaited;
  handle->build =
      xhash::DatasetBuild::start(std::move(cache), *bytes, {static_cast<unsigned>(*threads), urgency}, done);
  if (!handle->build) return undefined_with(env, "no memory or no thread for the dataset");
  environment.mailbox()->hold(env);
  environment.builds.insert(handle);
  Napi::Object object = make_handle(env, handle);
  object.Set("ready", handle->ready.Promise());
  return object;
}

Napi::Value dataset_progress(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<BuildHandle>(info[0]);
  return handle ? Napi::Number::New(info.Env(), handle->build->progress()) : info.Env().Undefined();
}

Napi::Value cancel_dataset(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<BuildHandle>(info[0]);
  if (handle) handle->build->cancel();
  return info.Env().Undefined();
}

Napi::Value dataset_content(const Napi::CallbackInfo& info) {
  const auto dataset = open_handle<const Dataset>(info[0]);
  const auto offset = dataset ? integer_of(info[1], 0, dataset->bytes()) : std::nullopt;
  const auto bytes = offset ? integer_of(info[2], 0, dataset->bytes() - *offset) : std::nullopt;
  if (!bytes) return info.Env().Undefined();
  const auto* const start = reinterpret_cast<const std::uint8_t*>(dataset->view().words);
  return copy_bytes(info.Env(), {start + *offset, static_cast<std::size_t>(*bytes)});
}

Napi::Value dataset_with_simd(const Napi::CallbackInfo& info) {
  const auto dataset = open_handle<const Dataset>(info[0]);
  const auto simd = dataset ? simd_of(info[1]) : std::nullopt;
  if (!simd) return info.Env().Undefined();
  return make_handle(info.Env(), dataset->with_simd(*simd));
}

Napi::Value hash_full(const Napi::CallbackInfo& info) {
  const auto dataset = open_handle<const Dataset>(info[0]);
  const auto input = dataset ? input_of(info[1], info[2]) : std::nullopt;
  if (!input) return info.Env().Undefined();
  return copy_result(info.Env(), dataset->hash_full(*input));
}

Napi::Value release(const Napi::CallbackInfo& info) {
  if (auto* const cache = box_of<const Cache>(info[0])) cache->shared.reset();
  else if (auto* const dataset = box_of<const Dataset>(info[0])) dataset->shared.reset();
  else return undefined_with(info.Env(), "cache or dataset handle expected");
  return info.Env().Undefined();
}

}  // namespace

void add_dataset_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("createCache", Napi::Function::New<create_cache>(env));
  exports.Set("cacheFromBytes", Napi::Function::New<cache_from_bytes>(env));
  exports.Set("cacheContent", Napi::Function::New<cache_content>(env));
  exports.Set("datasetItems", Napi::Function::New<dataset_items>(env));
  exports.Set("hashLight", Napi::Function::New<hash_light>(env));
  exports.Set("startDataset", Napi::Function::New<start_dataset>(env));
  exports.Set("datasetProgress", Napi::Function::New<dataset_progress>(env));
  exports.Set("cancelDataset", Napi::Function::New<cancel_dataset>(env));
  exports.Set("datasetContent", Napi::Function::New<dataset_content>(env));
  exports.Set("datasetWithSimd", Napi::Function::New<dataset_with_simd>(env));
  exports.Set("hashFull", Napi::Function::New<hash_full>(env));
  exports.Set("release", Napi::Function::New<release>(env));
}

}  // namespace headframe::addon
