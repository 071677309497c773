// Which process connected to a local socket. Node has no call for it.
#include <napi.h>

#include "../functions.h"

#ifdef __linux__
#include <sys/socket.h>
#endif
#ifdef __APPLE__
#include <sys/socket.h>
#include <sys/un.h>
#endif

namespace headframe::addon {

namespace {

/// Process number of the program that connected; 0 when the system doesn't say.
/// @param handle of a connected local socket of this process
int peer_process([[maybe_unused]] int handle) {
#if defined(__linux__)
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(handle, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
#elif defined(__APPLE__)
  pid_t peer = 0;
  socklen_t length = sizeof peer;
  return ::getsockopt(handle, SOL_LOCAL, LOCAL_PEERPID, &peer, &length) == 0 ? peer : 0;
#else
  return 0;
#endif
}

Napi::Value peer_process_of(const Napi::CallbackInfo& info) {
  if (!info[0].IsNumber()) {
    Napi::TypeError::New(info.Env(), "file descriptor expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return Napi::Number::New(info.Env(), peer_process(info[0].As<Napi::Number>().Int32Value()));
}

}  // namespace

void add_peer_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("peerProcess", Napi::Function::New<peer_process_of>(env));
}

}  // namespace headframe::addon
