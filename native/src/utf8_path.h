// Paths come from JavaScript as UTF-8. Windows would read such bytes in the code page of its language.
#pragma once

#include <filesystem>
#include <string>

namespace headframe {

inline std::filesystem::path utf8_path(const std::string& text) {
  return std::filesystem::path(std::u8string(text.begin(), text.end()));
}

}  // namespace headframe
