// How many nonces a launch gets, so that it takes a few milliseconds: two are always queued, and a new job waits for
// both. Shorter ones cost their own overhead, longer ones time on old jobs.
#pragma once

#include <cstdint>

namespace headframe::gpu {

class BatchSize {
public:
  /// Two of them are over in under 30 ms.
  static constexpr double usual_ms = 12;
  static constexpr std::uint32_t limit = 1u << 28;

  /// @param hashes to begin with; kept for ever when `fixed` @param most_ms what a launch may take
  explicit BatchSize(std::uint32_t hashes, bool fixed = false, double most_ms = usual_ms) noexcept
      : hashes_(hashes), fixed_(fixed), most_ms_(most_ms) {}

  [[nodiscard]] std::uint32_t hashes() const noexcept { return hashes_; }
  /// A launch that takes less is doubled. Under half of the most, or sizes would go to and fro.
  [[nodiscard]] double least_ms() const noexcept { return 0.45 * most_ms_; }

  /// A launch of hashes() kept the device busy for so long. @param unit launches are multiples of it
  void measured(double ms, std::uint32_t unit) noexcept {
    if (fixed_) return;
    if (ms < least_ms() && hashes_ <= limit / 2) hashes_ *= 2;
    else if (ms > most_ms_ && hashes_ / 2 >= unit) hashes_ = hashes_ / 2 / unit * unit;
  }

private:
  std::uint32_t hashes_;
  bool fixed_;
  double most_ms_;
};

}  // namespace headframe::gpu
