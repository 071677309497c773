// Compiled programs between runs: one file each, with a checksum, so that a torn or foreign one is built again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headframe::gpu {

class ProgramCache {
public:
  /// @param folder where files are; empty: nothing is kept. It is made when it is missing.
  explicit ProgramCache(std::string folder) : folder_(std::move(folder)) {}

  /// @param key all that decides what comes out of the compiler.
  [[nodiscard]] std::optional<std::vector<unsigned char>> read(std::string_view key) const;
  /// Whole or not at all; a failure only costs time at the next start.
  void write(std::string_view key, const std::vector<unsigned char>& binary) const;

private:
  [[nodiscard]] std::string path_of(std::string_view key) const;

  std::string folder_;
};

}  // namespace headframe::gpu
