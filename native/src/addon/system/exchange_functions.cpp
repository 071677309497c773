// Atomically swaps two paths, which Node has no call for: for a program's folder and its update, so that one exists at
// any moment.
#include <napi.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "../functions.h"

#ifdef __linux__
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace headframe::addon {

namespace {

/// Empty on success, else the reason. Both must exist, on one file system.
std::string swap_paths([[maybe_unused]] const std::string& one, [[maybe_unused]] const std::string& other) {
#ifdef __linux__
  const auto failed = ::syscall(SYS_renameat2, AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
  return failed == 0 ? "" : std::strerror(errno);
#else
  return "not on this system";
#endif
}

Napi::Value exchange_paths(const Napi::CallbackInfo& info) {
  if (!info[0].IsString() || !info[1].IsString()) {
    Napi::TypeError::New(info.Env(), "two paths expected").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  const auto one = info[0].As<Napi::String>().Utf8Value();
  return Napi::String::New(info.Env(), swap_paths(one, info[1].As<Napi::String>().Utf8Value()));
}

}  // namespace

void add_exchange_functions(Napi::Env env, Napi::Object exports) {
  exports.Set("exchangePaths", Napi::Function::New<exchange_paths>(env));
}

}  // namespace headframe::addon
