// Compiled programs stored between runs: one file each, with a checksum, so that a torn or foreign one is rebuilt.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headframe::gpu {

class ProgramCache {
public:
  /// @param folder of the files, created when missing; empty: nothing is stored.
  explicit ProgramCache(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] bool stores() const noexcept { return !folder_.empty(); }

  /// @param key everything that determines the compiler's output.
  [[nodiscard]] std::optional<std::vector<unsigned char>> read(std::string_view key) const;
  /// Whole or not at all; a failure only costs time at the next start.
  void write(std::string_view key, const std::vector<unsigned char>& binary) const;

private:
  [[nodiscard]] std::string path_of(std::string_view key) const;

  std::string folder_;
};

}  // namespace headframe::gpu
