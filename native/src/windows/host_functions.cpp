// Node-API on Windows without importing node.exe. An import names its file, but the program that loads the addon may be
// node.exe, electron.exe or Headframe.exe: so the functions are looked up in the program itself.
// tools/cross/host-functions.mjs generates the names, the slots and one jump per function; this fills the slots before
// any code of the addon runs.
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cstring>

extern "C" {
/// Consecutive zero-terminated names; an empty one ends the list.
extern const char headframe_host_names[];
/// The functions' addresses, in the same order.
extern void* headframe_host_slots[];
}

namespace {

constexpr int generic_failure = 9;  ///< napi_generic_failure

/// Replaces a function that the program lacks; all but two of Node-API return a status.
int missing_function() { return generic_failure; }

struct HostFunctions {
  HostFunctions() noexcept {
    HMODULE const program = GetModuleHandleW(nullptr);
    void** slot = headframe_host_slots;
    for (const char* name = headframe_host_names; *name != '\0'; name += std::strlen(name) + 1) {
      void* const found = reinterpret_cast<void*>(GetProcAddress(program, name));
      *slot++ = found != nullptr ? found : reinterpret_cast<void*>(&missing_function);
    }
  }
};

// Before any other initializer, which might call Node.
__attribute__((init_priority(101))) const HostFunctions host_functions;

}  // namespace
