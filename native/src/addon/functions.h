// The function groups of the addon; each adds its functions to the exports.
#pragma once

#include <napi.h>

namespace headframe::addon {

void add_hash_functions(Napi::Env env, Napi::Object exports);
void add_dataset_functions(Napi::Env env, Napi::Object exports);
void add_search_functions(Napi::Env env, Napi::Object exports);
void add_gpu_functions(Napi::Env env, Napi::Object exports);
void add_sensor_functions(Napi::Env env, Napi::Object exports);
void add_signature_functions(Napi::Env env, Napi::Object exports);
void add_kdf_functions(Napi::Env env, Napi::Object exports);
void add_number_functions(Napi::Env env, Napi::Object exports);
void add_confine_functions(Napi::Env env, Napi::Object exports);
void add_windows_functions(Napi::Env env, Napi::Object exports);
void add_notice_functions(Napi::Env env, Napi::Object exports);
void add_exchange_functions(Napi::Env env, Napi::Object exports);
void add_peer_functions(Napi::Env env, Napi::Object exports);
void add_heap_functions(Napi::Env env, Napi::Object exports);

}  // namespace headframe::addon
