#include "program_cache.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>

#include "../../utf8_path.h"
#include "../../xhash/keccak/keccak.h"

namespace headframe::gpu {

namespace {

constexpr std::size_t checksum_bytes = 32;

xhash::Hash256 hash_of(std::span<const unsigned char> bytes) { return xhash::sha3_256({bytes.data(), bytes.size()}); }

}  // namespace

std::string ProgramCache::path_of(std::string_view key) const {
  const auto hash = hash_of({reinterpret_cast<const unsigned char*>(key.data()), key.size()});
  std::string name = folder_ + "/opencl-";
  for (std::size_t i = 0; i < 16; i++) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", hash[i]);
    name += digits;
  }
  return name + ".bin";
}

std::optional<std::vector<unsigned char>> ProgramCache::read(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(utf8_path(path_of(key)), std::ios::binary);
  std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.size() <= checksum_bytes) return std::nullopt;
  const std::vector<unsigned char> binary(bytes.begin() + checksum_bytes, bytes.end());
  const auto hash = hash_of(binary);
  if (!std::equal(hash.begin(), hash.end(), bytes.begin())) return std::nullopt;
  return binary;
}

void ProgramCache::write(std::string_view key, const std::vector<unsigned char>& binary) const {
  static std::atomic<unsigned> writes{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::string path = path_of(key);
  const std::string fresh = path + "." + std::to_string(now) + "-" + std::to_string(writes++) + ".new";
  std::error_code ignored;
  std::filesystem::create_directories(utf8_path(folder_), ignored);
  {
    std::ofstream file(utf8_path(fresh), std::ios::binary | std::ios::trunc);
    const auto hash = hash_of(binary);
    file.write(reinterpret_cast<const char*>(hash.data()), checksum_bytes);
    file.write(reinterpret_cast<const char*>(binary.data()), static_cast<std::streamsize>(binary.size()));
    file.flush();
    if (!file.good()) {
      file.close();
      std::filesystem::remove(utf8_path(fresh), ignored);
      return;
    }
  }
  std::error_code failed;
  std::filesystem::rename(utf8_path(fresh), utf8_path(path), failed);
  if (failed) std::filesystem::remove(utf8_path(fresh), ignored);
}

}  // namespace headframe::gpu
