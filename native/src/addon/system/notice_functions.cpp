// One datagram to a local socket: how a service manager is notified of the program's state (sd_notify(3)). Node has no
// such sockets.
#include <napi.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "../functions.h"

#ifndef _WIN32
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#endif

namespace headframe::addon {

namespace {

#ifdef _WIN32

std::string send_datagram(const std::string&, const std::string&) { return "not on this system"; }

#else

/// Empty on success, else the reason. Never waits for a reader.
/// @param path of the socket; an abstract name when it begins with `@` (unix(7))
std::string send_datagram(const std::string& path, const std::string& text) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() > sizeof address.sun_path) return "no path of a socket";
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path.front() == '@') address.sun_path[0] = '\0';
  const int handle = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  if (handle < 0) return std::strerror(errno);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  const auto sent =
      ::sendto(handle, text.data(), text.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&address), length);
  const int failure = errno;
  ::close(handle);
  return sent < 0 ? std::strerror(failure) : "";
}

#endif

Napi::Value send_notice(const Napi::CallbackInfo& info) {
  if (!info[0].IsString() || !info[1].IsString()) {
    Napi::TypeError::New(info.Env(), "path and text expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const auto path = info[0].As<Napi::String>().Utf8Value();
  return Napi::String::New(info.Env(), send_datagram(path, info[1].As<Napi::String>().Utf8Value()));
}

}  // namespace

void add_notice_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("sendNotice", Napi::Function::New<send_notice>(env));
}

}  // namespace headframe::addon
