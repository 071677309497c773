// How many nonces a launch gets, so that it takes 20 to 50 ms: long enough that the device never idles between two,
// short enough that a new job does not wait.
#pragma once

#include <algorithm>
#include <cstdint>

namespace headframe::gpu {

class BatchSize {
public:
  static constexpr double least_ms = 20;
  static constexpr double most_ms = 50;
  static constexpr std::uint32_t limit = 1u << 28;

  /// @param hashes to begin with; kept for ever when `fixed`
  explicit BatchSize(std::uint32_t hashes, bool fixed = false) noexcept : hashes_(hashes), fixed_(fixed) {}

  [[nodiscard]] std::uint32_t hashes() const noexcept { return hashes_; }
  /// What a launch of hashes() probably takes, at most most_ms; 0 while that is not known.
  [[nodiscard]] double expected_ms() const noexcept { return expected_ms_; }

  /// A launch of hashes() kept the device busy for so long. @param unit launches are multiples of it
  void measured(double ms, std::uint32_t unit) noexcept {
    expected_ms_ = std::min(ms, most_ms);
    if (fixed_) return;
    if (ms < least_ms && hashes_ <= limit / 2) resize(hashes_ * 2);
    else if (ms > most_ms && hashes_ / 2 >= unit) resize(hashes_ / 2 / unit * unit);
  }

  /// A launch of hashes() had ended before it was asked for: it took less than was expected, nobody knows how much.
  void ended_early() noexcept { expected_ms_ /= 2; }

private:
  void resize(std::uint32_t hashes) noexcept {
    expected_ms_ = std::min(expected_ms_ / hashes_ * hashes, most_ms);
    hashes_ = hashes;
  }

  std::uint32_t hashes_;
  bool fixed_;
  double expected_ms_ = 0;
};

}  // namespace headframe::gpu
