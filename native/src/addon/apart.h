// Driver calls. A hanging driver must block neither the addon's pool nor the end of the program, so each call has its
// own thread that is never joined.
#pragma once

#include <napi.h>

#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "environment.h"

namespace headframe::addon {

/// Runs `work` on its own thread and the function it returns on the JavaScript thread. Doesn't keep the event loop
/// alive.
inline Napi::Value run_apart(Napi::Env env, std::function<Environment::Settle()> work) {
  const auto deferred = Napi::Promise::Deferred::New(env);
  try {
    std::thread([mailbox = Environment::of(env).mailbox(), deferred, work = std::move(work)] {
      mailbox->post([deferred, settle = work()](Napi::Env on) { settle(on, deferred); });
    }).detach();
  } catch (const std::system_error&) {
    deferred.Reject(Napi::Error::New(env, "no thread for a question to the driver").Value());
  }
  return deferred.Promise();
}

/// Rejects with `reason`.
inline Environment::Settle failure(std::string reason) {
  return [reason = std::move(reason)](Napi::Env on, const Napi::Promise::Deferred& deferred) {
    deferred.Reject(Napi::Error::New(on, reason).Value());
  };
}

}  // namespace headframe::addon
