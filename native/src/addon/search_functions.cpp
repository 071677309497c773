// CPU devices: creation, jobs, and their events on the way to JavaScript.
#include <napi.h>

#include <utility>

#include "../farm/cpu_search.h"
#include "bytes.h"
#include "environment.h"
#include "functions.h"
#include "job_argument.h"

namespace headframe::addon {

namespace {

void deliver_events(Napi::Env env, SearchHandle& handle) {
  const Napi::HandleScope scope(env);
  for (const farm::SearchEvent& event : handle.search->take_events()) {
    if (handle.closed) return;
    const auto token = Napi::Number::New(env, static_cast<double>(event.token));
    if (event.hit) {
      const xhash::Hit& hit = *event.hit;
      const auto mix_digest = copy_bytes(env, hit.hash.mix_digest);
      const auto result = copy_bytes(env, hit.hash.result);
      if (mix_digest.IsEmpty() || result.IsEmpty()) return;  // the environment is ending
      handle.on_solution.Call({token, Napi::BigInt::New(env, hit.nonce), mix_digest, result});
    } else {
      handle.on_segment_done.Call({token});
    }
    // An exception in a callback propagates out of the event loop's turn and is reported by Node; later callbacks still
    // run.
    if (env.IsExceptionPending()) return;
  }
}

Napi::Value create_search(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto threads = integer_of(info[0], 1, 256);
  if (!threads) return env.Undefined();
  if (!info[1].IsFunction() || !info[2].IsFunction()) {
    Napi::TypeError::New(env, "two functions expected").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  Environment& environment = Environment::of(env);
  auto handle = std::make_shared<SearchHandle>();
  handle->on_solution = Napi::Persistent(info[1].As<Napi::Function>());
  handle->on_segment_done = Napi::Persistent(info[2].As<Napi::Function>());
  const auto notify = [mailbox = environment.mailbox(), weak = std::weak_ptr(handle)] {
    mailbox->post([weak](Napi::Env on) {
      if (const auto alive = weak.lock()) deliver_events(on, *alive);
    });
  };
  handle->search = std::make_unique<farm::CpuSearch>("hf-cpu", static_cast<unsigned>(*threads), notify);
  if (handle->search->running() == 0) {
    Napi::Error::New(env, "no thread for the search").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  environment.mailbox()->hold(env);
  environment.searches.insert(handle);
  return make_handle(env, handle);
}

Napi::Value set_search_dataset(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<SearchHandle>(info[0]);
  auto dataset = handle ? open_handle<const xhash::Dataset>(info[1]) : nullptr;
  if (dataset) handle->search->set_dataset(std::move(dataset));
  return info.Env().Undefined();
}

Napi::Value set_search_job(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<SearchHandle>(info[0]);
  const auto job = handle ? job_argument(info) : std::nullopt;
  if (job) handle->search->set_job(*job);
  return info.Env().Undefined();
}

Napi::Value clear_search_job(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<SearchHandle>(info[0]);
  if (handle) handle->search->clear_job();
  return info.Env().Undefined();
}

Napi::Value search_hash_count(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<SearchHandle>(info[0]);
  return handle ? Napi::BigInt::New(info.Env(), handle->search->hash_count()) : info.Env().Undefined();
}

Napi::Value close_search(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handle = open_handle<SearchHandle>(info[0]);
  if (!handle) return env.Undefined();
  handle->closed = true;
  Environment& environment = Environment::of(env);
  farm::CpuSearch* const search = handle->search.get();  // kept alive by the set below until it has been settled
  return environment.run_async(env, [search, weak = std::weak_ptr(handle)] {
    search->stop();
    return [weak](Napi::Env on, const Napi::Promise::Deferred& deferred) {
      Environment& own = Environment::of(on);
      if (const auto alive = weak.lock(); alive && own.searches.erase(alive) > 0) own.mailbox()->drop(on);
      deferred.Resolve(on.Undefined());
    };
  });
}

}  // namespace

void add_search_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("createSearch", Napi::Function::New<create_search>(env));
  exports.Set("setSearchDataset", Napi::Function::New<set_search_dataset>(env));
  exports.Set("setSearchJob", Napi::Function::New<set_search_job>(env));
  exports.Set("clearSearchJob", Napi::Function::New<clear_search_job>(env));
  exports.Set("searchHashCount", Napi::Function::New<search_hash_count>(env));
  exports.Set("closeSearch", Napi::Function::New<close_search>(env));
}

}  // namespace headframe::addon
