// The addon's entry: one Environment per Node environment, and the functions of src/native/addon.ts.
#include <napi.h>

#include "environment.h"
#include "functions.h"

// One translation unit: napi.h costs each file that includes it three seconds of compiling.
// NOLINTBEGIN(bugprone-suspicious-include)
#include "dataset_functions.cpp"
#include "environment.cpp"
#include "gpu_functions.cpp"
#include "hash_functions.cpp"
#include "mailbox.cpp"
#include "number_functions.cpp"
#include "search_functions.cpp"
#include "sensor_functions.cpp"
#include "signature_functions.cpp"
#include "system/confine_functions.cpp"
#include "system/exchange_functions.cpp"
#include "system/heap_functions.cpp"
#include "system/kdf_functions.cpp"
#include "system/notice_functions.cpp"
#include "system/peer_functions.cpp"
#include "windows_functions.cpp"
#include "worker_pool.cpp"
// NOLINTEND(bugprone-suspicious-include)

namespace {

using headframe::addon::Environment;

constexpr int abi = 4;  ///< ADDON_ABI of src/native/loader.ts

Napi::Object initialize_headframe(Napi::Env env, Napi::Object exports) {
  auto* const environment = new Environment(env);  // owned by the instance data from here on
  env.SetInstanceData<Environment>(environment);
  // Registered after the mailbox's own hook, so it runs before it: threads end while the mailbox still exists.
  env.AddCleanupHook([](Environment* ending) { ending->close(); }, environment);
  exports.Set("abi", Napi::Number::New(env, abi));
  headframe::addon::add_hash_functions(env, exports);
  headframe::addon::add_dataset_functions(env, exports);
  headframe::addon::add_search_functions(env, exports);
  headframe::addon::add_gpu_functions(env, exports);
  headframe::addon::add_sensor_functions(env, exports);
  headframe::addon::add_signature_functions(env, exports);
  headframe::addon::add_kdf_functions(env, exports);
  headframe::addon::add_number_functions(env, exports);
  headframe::addon::add_confine_functions(env, exports);
  headframe::addon::add_windows_functions(env, exports);
  headframe::addon::add_notice_functions(env, exports);
  headframe::addon::add_exchange_functions(env, exports);
  headframe::addon::add_peer_functions(env, exports);
  headframe::addon::add_heap_functions(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(headframe, initialize_headframe)
