// What only Windows is asked for, where Node has no function for it.
#pragma once

#include <cstdint>
#include <string>

namespace headframe::windows {

/// Lets this user, the system and its administrators into a folder and what will lie below it, and nobody else: what a
/// folder inherits outside of a user's own profile lets every user read. Empty when done, else what failed.
std::string protect_folder(const std::string& path);

/// When a process began, in units of 100 ns; 0 when there is none, or it can't be told. Tells two processes with one
/// number apart.
std::uint64_t process_start(std::uint32_t pid);

}  // namespace headframe::windows
