// Number of nonces per launch, chosen so that it takes a few milliseconds: two are always queued, and a new job waits
// for both. Shorter launches waste overhead, longer ones time on old jobs.
#pragma once

#include <cstdint>

namespace headframe::gpu {

class BatchSize {
public:
  /// Two of them take under 30 ms.
  static constexpr double usual_ms = 12;
  static constexpr std::uint32_t limit = 1u << 28;

  /// @param hashes initial value; constant when `fixed` @param most_ms maximum duration of a launch
  explicit BatchSize(std::uint32_t hashes, bool fixed = false, double most_ms = usual_ms) noexcept
      : hashes_(hashes), fixed_(fixed), most_ms_(most_ms) {}

  [[nodiscard]] std::uint32_t hashes() const noexcept { return hashes_; }
  /// A launch shorter than this is doubled. Less than half of the maximum, so that sizes don't oscillate.
  [[nodiscard]] double least_ms() const noexcept { return 0.45 * most_ms_; }

  /// A launch of hashes() kept the device busy for this long. @param unit launches are multiples of it
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
