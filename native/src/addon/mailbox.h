// The only path from the addon's threads to JavaScript: one threadsafe function per environment that runs small tasks.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <mutex>

namespace headframe::addon {

/// Shared by the environment and everything that reports from another thread. After close() posts are dropped.
class Mailbox {
public:
  using Task = std::function<void(Napi::Env)>;

  explicit Mailbox(Napi::Env env);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Queues `task` for the JavaScript thread; callable from any thread. A task that never runs is destroyed wherever it
  /// is dropped, so it must not own JavaScript references (deferreds aren't references).
  void post(Task task);

  /// JavaScript thread only: the event loop stays alive while there are more holds than releases.
  void hold(Napi::Env env);
  void drop(Napi::Env env);

  /// JavaScript thread only, when the environment ends.
  void close();

private:
  static void call(Napi::Env env, Napi::Function callback, std::nullptr_t* context, Task* task);
  using Function = Napi::TypedThreadSafeFunction<std::nullptr_t, Task, call>;

  std::mutex mutex_;
  Function function_;
  bool closed_ = false;
  std::size_t holds_ = 0;
};

}  // namespace headframe::addon
