// Driver libraries opened at run time: the program is built and runs without them.
#pragma once

#include <string>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace headframe {

/// Null when it cannot be loaded; then `error` says why. It stays loaded until the process ends.
inline void* open_library(const std::string& path, std::string& error) {
#ifdef _WIN32
  void* const library = reinterpret_cast<void*>(LoadLibraryA(path.c_str()));
  if (library == nullptr) error = path + " cannot be loaded";
#else
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    error = reason == nullptr ? path + " cannot be loaded" : reason;
  }
#endif
  return library;
}

/// Null when the library has no such function.
inline void* symbol_of(void* library, const char* name) {
#ifdef _WIN32
  return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(library), name));
#else
  return dlsym(library, name);
#endif
}

}  // namespace headframe
