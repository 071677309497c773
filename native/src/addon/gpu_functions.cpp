// GPUs for JavaScript: drivers, their devices, and the events of open devices.
#include <napi.h>

#include <functional>
#include <utility>
#include <variant>

#include "../gpu/cuda/cuda_driver.h"
#include "../gpu/opencl/opencl_driver.h"
#include "apart.h"
#include "bytes.h"
#include "environment.h"
#include "functions.h"
#include "job_argument.h"

namespace headframe::addon {

namespace {

using gpu::DeviceFacts;
using gpu::Fault;
using gpu::GpuEvent;
using gpu::GpuSearch;

constexpr std::uint64_t max_batch = std::uint64_t{1} << 28;

const char* kind_name(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::out_of_memory: return "out-of-memory";
    case Fault::Kind::build: return "build";
    case Fault::Kind::lost: return "lost";
    case Fault::Kind::other: break;
  }
  return "other";
}

Napi::Value error_of(Napi::Env env, const char* kind, const std::string& text) {
  const auto error = Napi::Error::New(env, text);
  error.Value().Set("kind", Napi::String::New(env, kind));
  return error.Value();
}

void settle_question(Napi::Env env, GpuHandle& handle, const GpuEvent& event) {
  const auto found = handle.questions.find(event.token);
  if (found == handle.questions.end()) return;
  const Napi::Promise::Deferred deferred = found->second;
  handle.questions.erase(found);
  if (event.fault) deferred.Reject(error_of(env, kind_name(event.fault->kind), event.fault->text));
  else if (event.cancelled) deferred.Reject(error_of(env, "cancelled", "the dataset's build was cancelled"));
  else if (event.kind == GpuEvent::Kind::items) deferred.Resolve(copy_bytes(env, event.bytes));
  else deferred.Resolve(env.Undefined());
}

void settle_end(Napi::Env env, const std::shared_ptr<GpuHandle>& handle) {
  handle->ended = true;
  Environment& environment = Environment::of(env);
  if (environment.gpus.erase(handle) > 0) environment.mailbox()->drop(env);
  if (handle->closing) handle->closing->Resolve(env.Undefined());
}

void deliver_event(Napi::Env env, const std::shared_ptr<GpuHandle>& handle, const GpuEvent& event) {
  const auto token = Napi::Number::New(env, static_cast<double>(event.token));
  const bool heard = !handle->closing;
  switch (event.kind) {
    case GpuEvent::Kind::hit:
      if (heard) handle->on_solution.Call({token, Napi::BigInt::New(env, event.nonce)});
      break;
    case GpuEvent::Kind::segment_done:
      if (heard) handle->on_segment_done.Call({token});
      break;
    case GpuEvent::Kind::failed:
      if (heard) handle->on_failed.Call({error_of(env, kind_name(event.fault->kind), event.fault->text)});
      break;
    case GpuEvent::Kind::prepared:
    case GpuEvent::Kind::items: settle_question(env, *handle, event); break;
    case GpuEvent::Kind::closed: settle_end(env, handle); break;
  }
}

void deliver_events(Napi::Env env, const std::shared_ptr<GpuHandle>& handle) {
  const Napi::HandleScope scope(env);
  for (const GpuEvent& event : handle->search->take_events()) {
    deliver_event(env, handle, event);
    // An exception in a callback propagates out of the event loop's turn and is reported by Node; later callbacks still
    // run.
    if (env.IsExceptionPending()) return;
  }
}

using OpenedDriver = std::variant<std::shared_ptr<gpu::Driver>, std::string>;

/// On its own thread: the system's drivers may hang.
Napi::Value open_apart(Napi::Env env, std::function<OpenedDriver()> open) {
  return run_apart(env, [open = std::move(open)]() -> Environment::Settle {
    auto opened = open();
    if (const auto* const reason = std::get_if<std::string>(&opened)) return failure(*reason);
    return [driver = std::get<std::shared_ptr<gpu::Driver>>(opened)](Napi::Env on, const auto& deferred) {
      deferred.Resolve(make_handle(on, driver));
    };
  });
}

Napi::Value open_opencl(const Napi::CallbackInfo& info) {
  if (!info[0].IsString() || !info[1].IsString()) return undefined_with(info.Env(), "library and source expected");
  const auto limit = integer_of(info[2], 0, max_dataset_bytes);
  if (!limit) return info.Env().Undefined();
  return open_apart(info.Env(), [options = gpu::OpenclOptions{info[0].As<Napi::String>().Utf8Value(),
                                                              info[1].As<Napi::String>().Utf8Value(), *limit}] {
    return gpu::open_opencl(options);
  });
}

Napi::Value open_cuda(const Napi::CallbackInfo& info) {
  if (!info[0].IsString() || !info[1].IsString()) return undefined_with(info.Env(), "library and folder expected");
  const auto wait = integer_of(info[2], 0, static_cast<std::uint64_t>(gpu::CudaWait::sleep));
  if (!wait) return info.Env().Undefined();
  return open_apart(info.Env(), [options = gpu::CudaOptions{
                                     info[0].As<Napi::String>().Utf8Value(), info[1].As<Napi::String>().Utf8Value(),
                                     static_cast<gpu::CudaWait>(*wait)}] { return gpu::open_cuda(options); });
}

Napi::Object object_of(Napi::Env env, const DeviceFacts& facts) {
  const auto object = Napi::Object::New(env);
  object.Set("name", Napi::String::New(env, facts.name));
  object.Set("vendor", Napi::String::New(env, facts.vendor));
  object.Set("driver", Napi::String::New(env, facts.driver));
  object.Set("pci", Napi::String::New(env, facts.pci));
  object.Set("memoryBytes", Napi::Number::New(env, static_cast<double>(facts.memory_bytes)));
  object.Set("computeUnits", Napi::Number::New(env, facts.compute_units));
  object.Set("isCpu", Napi::Boolean::New(env, facts.is_cpu));
  return object;
}

Napi::Value list_gpus(const Napi::CallbackInfo& info) {
  const auto driver = open_handle<gpu::Driver>(info[0]);
  if (!driver) return info.Env().Undefined();
  return run_apart(info.Env(), [driver]() -> Environment::Settle {
    return [all = driver->devices()](Napi::Env on, const Napi::Promise::Deferred& deferred) {
      const auto array = Napi::Array::New(on, all.size());
      for (std::uint32_t i = 0; i < all.size(); i++) array.Set(i, object_of(on, all[i]));
      deferred.Resolve(array);
    };
  });
}

Napi::Value create_gpu(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto driver = open_handle<gpu::Driver>(info[0]);
  const auto index = driver ? integer_of(info[1], 0, 1023) : std::nullopt;
  if (!index) return env.Undefined();
  if (!info[2].IsObject()) return undefined_with(env, "options expected");
  const auto options = info[2].As<Napi::Object>();
  const std::string folder = options.Get("binaryFolder").ToString().Utf8Value();
  auto handle = std::make_shared<GpuHandle>();
  const auto take = [&](const char* name, Napi::FunctionReference& function) {
    const auto value = options.Get(name);
    if (value.IsFunction()) function = Napi::Persistent(value.As<Napi::Function>());
    return value.IsFunction();
  };
  const bool complete = take("onSolution", handle->on_solution) && take("onSegmentDone", handle->on_segment_done) &&
                        take("onFailed", handle->on_failed);
  if (!complete) return undefined_with(env, "three functions expected");
  Environment& environment = Environment::of(env);
  const auto notify = [mailbox = environment.mailbox(), weak = std::weak_ptr(handle)] {
    mailbox->post([weak](Napi::Env on) {
      if (const auto alive = weak.lock()) deliver_events(on, alive);
    });
  };
  const auto open = [driver, at = static_cast<std::size_t>(*index), folder](Fault& fault) {
    return driver->open(at, folder, fault);
  };
  handle->search = GpuSearch::start("hf-gpu-" + std::to_string(*index), open, notify);
  if (!handle->search) return undefined_with(env, "no thread for the device");
  environment.mailbox()->hold(env);
  environment.gpus.insert(handle);
  return make_handle(env, handle);
}

/// A promise settled by the event with this token.
std::pair<std::uint64_t, Napi::Value> new_question(Napi::Env env, GpuHandle& handle) {
  const std::uint64_t token = handle.next_token++;
  const auto deferred = Napi::Promise::Deferred::New(env);
  handle.questions.emplace(token, deferred);
  return {token, deferred.Promise()};
}

Napi::Value prepare_gpu(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handle = open_handle<GpuHandle>(info[0]);
  auto cache = handle ? open_handle<const xhash::Cache>(info[1]) : nullptr;
  const auto bytes = cache ? integer_of(info[2], xhash::row_bytes, max_dataset_bytes) : std::nullopt;
  if (!bytes) return env.Undefined();
  if (*bytes % xhash::row_bytes != 0) return undefined_with(env, "size is no multiple of its item");
  const auto [token, promise] = new_question(env, *handle);
  handle->search->prepare(token, std::move(cache), *bytes);
  return promise;
}

Napi::Value cancel_gpu(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<GpuHandle>(info[0]);
  if (handle) handle->search->cancel_prepare();
  return info.Env().Undefined();
}

Napi::Value gpu_progress(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<GpuHandle>(info[0]);
  return handle ? Napi::Number::New(info.Env(), handle->search->progress()) : info.Env().Undefined();
}

Napi::Value gpu_activity(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<GpuHandle>(info[0]);
  if (!handle) return info.Env().Undefined();
  static constexpr const char* names[] = {"idle", "compiling", "building", "searching"};
  return Napi::String::New(info.Env(), names[static_cast<std::size_t>(handle->search->activity())]);
}

Napi::Value read_gpu_items(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handle = open_handle<GpuHandle>(info[0]);
  if (!handle) return env.Undefined();
  const bool is_indices =
      info[1].IsTypedArray() && info[1].As<Napi::TypedArray>().TypedArrayType() == napi_uint32_array;
  if (!is_indices) return undefined_with(env, "Uint32Array expected");
  const auto indices = info[1].As<Napi::Uint32Array>();
  const auto [token, promise] = new_question(env, *handle);
  handle->search->read_items(token, {indices.Data(), indices.Data() + indices.ElementLength()});
  return promise;
}

Napi::Value set_gpu_job(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<GpuHandle>(info[0]);
  const auto job = handle ? job_argument(info) : std::nullopt;
  if (job) handle->search->set_job(*job);
  return info.Env().Undefined();
}

Napi::Value clear_gpu_job(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<GpuHandle>(info[0]);
  if (handle) handle->search->clear_job();
  return info.Env().Undefined();
}

Napi::Value gpu_hash_count(const Napi::CallbackInfo& info) {
  const auto handle = open_handle<GpuHandle>(info[0]);
  return handle ? Napi::BigInt::New(info.Env(), handle->search->hash_count()) : info.Env().Undefined();
}

Napi::Object object_of(Napi::Env env, const gpu::LaunchShape& shape) {
  const auto object = Napi::Object::New(env);
  object.Set("groupSize", Napi::Number::New(env, shape.group_size));
  object.Set("variant", Napi::Number::New(env, shape.variant));
  object.Set("batchHashes", Napi::Number::New(env, shape.batch_hashes));
  return object;
}

Napi::Value gpu_shapes(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handle = open_handle<GpuHandle>(info[0]);
  if (!handle) return env.Undefined();
  const auto shapes = handle->search->shapes();
  if (!shapes) return env.Null();
  const auto object = Napi::Object::New(env);
  object.Set("current", object_of(env, shapes->current));
  object.Set("variants", Napi::Number::New(env, shapes->variants));
  const auto sizes = Napi::Array::New(env, shapes->group_sizes.size());
  for (std::uint32_t i = 0; i < shapes->group_sizes.size(); i++) {
    sizes.Set(i, Napi::Number::New(env, shapes->group_sizes[i]));
  }
  object.Set("groupSizes", sizes);
  return object;
}

Napi::Value set_gpu_shape(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handle = open_handle<GpuHandle>(info[0]);
  if (!handle) return env.Undefined();
  if (!info[1].IsObject()) return undefined_with(env, "shape expected");
  const auto shape = info[1].As<Napi::Object>();
  const auto group = integer_of(shape.Get("groupSize"), gpu::BatchResult::room, 1024);
  const auto variant = group ? integer_of(shape.Get("variant"), 0, 255) : std::nullopt;
  const auto batch = variant ? integer_of(shape.Get("batchHashes"), *group, max_batch) : std::nullopt;
  const auto batch_ms = !batch || shape.Get("batchMs").IsUndefined() ? std::optional<std::uint64_t>(0)
                                                                     : integer_of(shape.Get("batchMs"), 0, 200);
  if (!batch || !batch_ms) return env.Undefined();
  if ((*group & (*group - 1)) != 0) return undefined_with(env, "a group's size is a power of two");
  handle->search->set_shape({static_cast<std::uint32_t>(*group), static_cast<std::uint32_t>(*batch),
                             static_cast<std::uint8_t>(*variant), static_cast<std::uint8_t>(*batch_ms)},
                            info[2].ToBoolean().Value());
  return env.Undefined();
}

Napi::Value close_gpu(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handle = open_handle<GpuHandle>(info[0]);
  if (!handle) return env.Undefined();
  if (handle->closing) return undefined_with(env, "the GPU is closed already");
  handle->closing = Napi::Promise::Deferred::New(env);
  if (handle->ended) handle->closing->Resolve(env.Undefined());
  handle->search->stop();
  return handle->closing->Promise();
}

}  // namespace

void add_gpu_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("openOpencl", Napi::Function::New<open_opencl>(env));
  exports.Set("openCuda", Napi::Function::New<open_cuda>(env));
  exports.Set("listGpus", Napi::Function::New<list_gpus>(env));
  exports.Set("createGpu", Napi::Function::New<create_gpu>(env));
  exports.Set("prepareGpu", Napi::Function::New<prepare_gpu>(env));
  exports.Set("cancelGpu", Napi::Function::New<cancel_gpu>(env));
  exports.Set("gpuProgress", Napi::Function::New<gpu_progress>(env));
  exports.Set("gpuActivity", Napi::Function::New<gpu_activity>(env));
  exports.Set("readGpuItems", Napi::Function::New<read_gpu_items>(env));
  exports.Set("setGpuJob", Napi::Function::New<set_gpu_job>(env));
  exports.Set("clearGpuJob", Napi::Function::New<clear_gpu_job>(env));
  exports.Set("gpuHashCount", Napi::Function::New<gpu_hash_count>(env));
  exports.Set("gpuShapes", Napi::Function::New<gpu_shapes>(env));
  exports.Set("setGpuShape", Napi::Function::New<set_gpu_shape>(env));
  exports.Set("closeGpu", Napi::Function::New<close_gpu>(env));
}

}  // namespace headframe::addon
