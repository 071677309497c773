// Undoes what OpenCL's vendors do to the environment. PoCL sets OCL_ICD_FILENAMES to itself when its devices are
// listed: a process started after that, such as this program restarting itself, would see no other vendor's GPUs.
#pragma once

#ifdef __linux__
#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <string>
#endif

namespace headframe::gpu {

#ifndef __linux__
/// PoCL is found on Linux.
struct KeptEnvironment {
  KeptEnvironment() {}  // used for its lifetime
};
#else
/// At its end, every variable is what it was at its beginning.
class KeptEnvironment {
public:
  KeptEnvironment() : before_(variables()) {}
  KeptEnvironment(const KeptEnvironment&) = delete;
  KeptEnvironment& operator=(const KeptEnvironment&) = delete;
  ~KeptEnvironment() {
    for (const auto& [name, value] : variables()) {
      if (!before_.contains(name)) unsetenv(name.c_str());
    }
    for (const auto& [name, value] : before_) {
      const char* const now = getenv(name.c_str());
      if (now == nullptr || value != now) setenv(name.c_str(), value.c_str(), 1);
    }
  }

private:
  static std::map<std::string, std::string> variables() {
    std::map<std::string, std::string> all;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; entry++) {
      const std::string text = *entry;
      const auto split = text.find('=');
      if (split != std::string::npos && split > 0) all.emplace(text.substr(0, split), text.substr(split + 1));
    }
    return all;
  }

  const std::map<std::string, std::string> before_;
};
#endif

}  // namespace headframe::gpu
