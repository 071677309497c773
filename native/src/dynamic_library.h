// Driver libraries opened at run time: the program builds and runs without them.
#pragma once

#include <string>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace headframe {

#ifdef _WIN32

/// Windows file names are wide characters. Empty when `text` isn't UTF-8.
inline std::wstring wide(const std::string& text) {
  const int bytes = static_cast<int>(text.size());
  const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, nullptr, 0);
  std::wstring out(static_cast<std::size_t>(length), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, out.data(), length);
  return out;
}

/// A bare name is searched only in the system folder: Windows' default order includes the program's folder and the
/// working directory, where anyone may have placed a file. Dependencies of a library with a full path may be beside it.
inline DWORD folders_of(const std::string& path) {
  const bool is_name = path.find_first_of("\\/:") == std::string::npos;
  return LOAD_LIBRARY_SEARCH_SYSTEM32 | (is_name ? 0 : LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR);
}

#endif

/// Null when it can't be loaded; `error` says why. It stays loaded until the process ends.
inline void* open_library(const std::string& path, std::string& error) {
#ifdef _WIN32
  void* const library = reinterpret_cast<void*>(LoadLibraryExW(wide(path).c_str(), nullptr, folders_of(path)));
  if (library == nullptr) error = path + " cannot be loaded: error " + std::to_string(GetLastError()) + " of Windows";
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
