#include "environment.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "bytes.h"

namespace headframe::addon {

namespace {

constexpr std::size_t light_group = xhash::light_batch_limit;
constexpr std::chrono::milliseconds gpu_patience{2000};  ///< a driver that hangs keeps its thread

std::size_t pool_threads() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 4); }

}  // namespace

Environment::Environment(Napi::Env env) : mailbox_(std::make_shared<Mailbox>(env)), pool_(pool_threads()) {}

Napi::Value Environment::run_async(Napi::Env env, std::function<Settle()> work) {
  const auto deferred = Napi::Promise::Deferred::New(env);
  mailbox_->hold(env);
  const bool accepted = pool_.submit([mailbox = mailbox_, deferred, work = std::move(work)] {
    mailbox->post([mailbox, deferred, settle = work()](Napi::Env on) {
      mailbox->drop(on);
      settle(on, deferred);
    });
  });
  if (!accepted) {
    mailbox_->drop(env);
    deferred.Reject(Napi::Error::New(env, "no thread for this work").Value());
  }
  return deferred.Promise();
}

Napi::Value Environment::hash_light(Napi::Env env, LightRequest request) {
  const auto deferred = request.deferred;
  {
    const std::lock_guard lock(light_mutex_);
    light_queue_.push_back(std::move(request));
  }
  mailbox_->hold(env);
  if (!pool_.submit([this] { run_light_checks(); })) {
    const std::lock_guard lock(light_mutex_);
    light_queue_.pop_back();
    mailbox_->drop(env);
    deferred.Reject(Napi::Error::New(env, "no thread for this work").Value());
  }
  return deferred.Promise();
}

void Environment::run_light_checks() {
  std::vector<LightRequest> group;
  {
    const std::lock_guard lock(light_mutex_);
    while (!light_queue_.empty() && group.size() < light_group) {
      const LightRequest& next = light_queue_.front();
      const bool fits = group.empty() || (next.cache == group[0].cache && next.dataset_bytes == group[0].dataset_bytes);
      if (!fits) break;
      group.push_back(std::move(light_queue_.front()));
      light_queue_.pop_front();
    }
  }
  if (group.empty()) return;  // another thread took this request together with its own
  std::vector<xhash::LightInput> inputs;
  inputs.reserve(group.size());
  for (const LightRequest& request : group) inputs.push_back(request.input);
  std::vector<xhash::HashResult> results(group.size());
  group[0].cache->hash_light(group[0].dataset_bytes, inputs, results.data());
  for (std::size_t i = 0; i < group.size(); i++) {
    mailbox_->post([mailbox = mailbox_, deferred = group[i].deferred, result = results[i]](Napi::Env env) {
      mailbox->drop(env);
      deferred.Resolve(copy_result(env, result));
    });
  }
}

void Environment::close() {
  if (closing_.exchange(true)) return;
  mailbox_->close();
  for (const auto& handle : builds) handle->build->cancel();
  pool_.stop();
  for (const auto& handle : searches) handle->search->stop();
  for (const auto& handle : builds) handle->build->join();
  for (const auto& handle : gpus) handle->search->stop();
  // All at once: several hanging devices delay shutdown no longer than one.
  const auto end = std::chrono::steady_clock::now() + gpu_patience;
  for (const auto& handle : gpus) {
    const auto left = end - std::chrono::steady_clock::now();
    handle->search->wait_stopped(std::max(std::chrono::duration_cast<std::chrono::milliseconds>(left), {}));
  }
  gpus.clear();
  searches.clear();
  builds.clear();
}

}  // namespace headframe::addon
