// The addon's state for one Node environment (main thread or worker). Lives in its instance data.
#pragma once

#include <napi.h>

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "../farm/cpu_search.h"
#include "../gpu/device.h"
#include "../gpu/gpu_search.h"
#include "../xhash/cache.h"
#include "../xhash/dataset.h"
#include "handle.h"
#include "mailbox.h"
#include "worker_pool.h"

namespace headframe::addon {

/// A search and the functions it reports to. Used on the JavaScript thread only, except for `search`.
struct SearchHandle {
  std::unique_ptr<farm::CpuSearch> search;
  Napi::FunctionReference on_solution;
  Napi::FunctionReference on_segment_done;
  bool closed = false;
};

/// A dataset build and the promise of its completion. Used on the JavaScript thread only, except for `build`.
struct BuildHandle {
  explicit BuildHandle(Napi::Env env) : ready(Napi::Promise::Deferred::New(env)) {}
  std::shared_ptr<xhash::DatasetBuild> build;
  Napi::Promise::Deferred ready;
};

/// A GPU, the functions it reports to, and its pending promises. Used on the JavaScript thread only, except for
/// `search`.
struct GpuHandle {
  std::unique_ptr<gpu::GpuSearch> search;
  Napi::FunctionReference on_solution;
  Napi::FunctionReference on_segment_done;
  Napi::FunctionReference on_failed;
  std::map<std::uint64_t, Napi::Promise::Deferred> questions;  ///< by token
  std::uint64_t next_token = 1;
  std::optional<Napi::Promise::Deferred> closing;
  bool ended = false;
};

/// A light check waiting for a pool thread.
struct LightRequest {
  std::shared_ptr<const xhash::Cache> cache;
  std::uint64_t dataset_bytes;
  xhash::LightInput input;
  Napi::Promise::Deferred deferred;
};

class Environment {
public:
  /// Settles a promise on the JavaScript thread.
  using Settle = std::function<void(Napi::Env, const Napi::Promise::Deferred&)>;

  explicit Environment(Napi::Env env);
  ~Environment() { close(); }

  [[nodiscard]] static Environment& of(Napi::Env env) { return *env.GetInstanceData<Environment>(); }

  /// Runs `work` on the pool and the function it returns on the JavaScript thread.
  Napi::Value run_async(Napi::Env env, std::function<Settle()> work);
  /// Adds a light check; a pool thread batches waiting ones of the same cache.
  Napi::Value hash_light(Napi::Env env, LightRequest request);

  /// Joins every thread; runs in the environment's cleanup hook, before its threadsafe function is released.
  /// Idempotent.
  void close();

  [[nodiscard]] const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
  [[nodiscard]] const std::atomic<bool>& closing() const { return closing_; }

  std::set<std::shared_ptr<SearchHandle>> searches;
  std::set<std::shared_ptr<BuildHandle>> builds;
  std::set<std::shared_ptr<GpuHandle>> gpus;

private:
  void run_light_checks();

  std::shared_ptr<Mailbox> mailbox_;
  std::atomic<bool> closing_{false};
  std::mutex light_mutex_;
  std::deque<LightRequest> light_queue_;
  WorkerPool pool_;
};

template <>
struct HandleKind<const xhash::Cache> {
  static constexpr napi_type_tag tag{0x4846'0001'6361'6368, 0x9d5c'2b1e'70a4'43f1};
  static constexpr const char* name = "cache";
};
template <>
struct HandleKind<const xhash::Dataset> {
  static constexpr napi_type_tag tag{0x4846'0002'6461'7461, 0x9d5c'2b1e'70a4'43f1};
  static constexpr const char* name = "dataset";
};
template <>
struct HandleKind<BuildHandle> {
  static constexpr napi_type_tag tag{0x4846'0003'6275'696c, 0x9d5c'2b1e'70a4'43f1};
  static constexpr const char* name = "dataset build";
};
template <>
struct HandleKind<gpu::Driver> {
  static constexpr napi_type_tag tag{0x4846'0006'6472'7672, 0x9d5c'2b1e'70a4'43f1};
  static constexpr const char* name = "GPU driver";
};
template <>
struct HandleKind<GpuHandle> {
  static constexpr napi_type_tag tag{0x4846'0007'6770'7573, 0x9d5c'2b1e'70a4'43f1};
  static constexpr const char* name = "GPU";
};
template <>
struct HandleKind<SearchHandle> {
  static constexpr napi_type_tag tag{0x4846'0004'7365'6172, 0x9d5c'2b1e'70a4'43f1};
  static constexpr const char* name = "search";
};

}  // namespace headframe::addon
