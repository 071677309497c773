// Paths come from JavaScript as UTF-8. Windows would interpret such bytes in its code page.
#pragma once

#include <filesystem>
#include <string>

namespace headframe {

inline std::filesystem::path utf8_path(const std::string& text) {
  return std::filesystem::path(std::u8string(text.begin(), text.end()));
}

}  // namespace headframe
