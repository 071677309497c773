// A job as JavaScript passes it to a CPU or GPU search.
#pragma once

#include <napi.h>

#include <optional>

#include "../farm/cpu_search.h"
#include "bytes.h"

namespace headframe::addon {

inline constexpr std::uint64_t max_token = (std::uint64_t{1} << 53) - 1;

/// Arguments 1 to 4: token, seal hash, target, { startNonce, segmentBits }. Nothing when one of them is invalid, with a
/// TypeError pending unless it isn't an object.
inline std::optional<farm::Job> job_argument(const Napi::CallbackInfo& info) {
  const auto token = integer_of(info[1], 0, max_token);
  const auto seal_hash = token ? hash_of(info[2]) : std::nullopt;
  const auto target = seal_hash ? hash_of(info[3]) : std::nullopt;
  if (!target || !info[4].IsObject()) return std::nullopt;
  const auto range = info[4].As<Napi::Object>();
  const auto start = uint64_of(range.Get("startNonce"));
  const auto bits = start ? integer_of(range.Get("segmentBits"), 0, 63) : std::nullopt;
  if (!bits) return std::nullopt;
  return farm::Job{*token, *seal_hash, *target, *start, static_cast<std::uint8_t>(*bits)};
}

}  // namespace headframe::addon
