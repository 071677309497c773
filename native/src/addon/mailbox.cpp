#include "mailbox.h"

#include <utility>

namespace headframe::addon {

Mailbox::Mailbox(Napi::Env env) : function_(Function::New(env, "headframe", 0, 1)) { function_.Unref(env); }

void Mailbox::call(Napi::Env env, Napi::Function, std::nullptr_t*, Task* task) {
  const std::unique_ptr<Task> owned(task);
  if (static_cast<napi_env>(env) != nullptr) (*owned)(env);
}

void Mailbox::post(Task task) {
  auto owned = std::make_unique<Task>(std::move(task));
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  if (function_.NonBlockingCall(owned.get()) == napi_ok) static_cast<void>(owned.release());  // now the queue's
}

void Mailbox::hold(Napi::Env env) {
  if (holds_++ == 0) function_.Ref(env);
}

void Mailbox::drop(Napi::Env env) {
  if (--holds_ == 0) function_.Unref(env);
}

void Mailbox::close() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(closed_, true)) return;
  function_.Abort();
}

}  // namespace headframe::addon
