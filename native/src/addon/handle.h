// Native objects as opaque JavaScript objects: wrapped with a type tag, so that a wrong handle is a TypeError.
#pragma once

#include <napi.h>

#include <memory>

namespace headframe::addon {

/// The content of a handle: a shared pointer to the native object, or nothing once released.
template <class T>
struct Box {
  std::shared_ptr<T> shared;
};

template <class T>
struct HandleKind;  ///< specialised with: static constexpr napi_type_tag tag; static constexpr const char* name

template <class T>
Napi::Object make_handle(Napi::Env env, std::shared_ptr<T> shared) {
  Napi::Object object = Napi::Object::New(env);
  auto* const box = new Box<T>{std::move(shared)};
  const auto finalize = [](napi_env, void* data, void*) { delete static_cast<Box<T>*>(data); };
  if (napi_wrap(env, object, box, finalize, nullptr, nullptr) != napi_ok) {
    delete box;
    return object;
  }
  object.TypeTag(&HandleKind<T>::tag);
  return object;
}

/// The box of a handle of this kind, or null (nothing thrown) for any other value.
template <class T>
Box<T>* box_of(const Napi::Value& value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&HandleKind<T>::tag)) return nullptr;
  void* data = nullptr;
  if (napi_unwrap(value.Env(), value, &data) != napi_ok) return nullptr;
  return static_cast<Box<T>*>(data);
}

/// The object of a handle, or null with a TypeError pending.
template <class T>
std::shared_ptr<T> open_handle(const Napi::Value& value) {
  Box<T>* const box = box_of<T>(value);
  if (box != nullptr && box->shared) return box->shared;
  const std::string problem =
      std::string(HandleKind<T>::name) + (box == nullptr ? " handle expected" : " was released");
  Napi::TypeError::New(value.Env(), problem).ThrowAsJavaScriptException();
  return nullptr;
}

}  // namespace headframe::addon
