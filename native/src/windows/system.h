// Windows-only functions that Node lacks.
#pragma once

#include <cstdint>
#include <string>

namespace headframe::windows {

/// Restricts a folder, and everything created below it later, to this user, the system and its administrators:
/// permissions inherited outside a user's profile let every user read. Empty on success, else what failed.
std::string protect_folder(const std::string& path);

/// Restricts a listening named pipe of this process, `\\.\pipe\NAME`, in the same way: by default every user may open
/// it for reading. Connects to the pipe once. Empty on success, else what failed.
std::string protect_pipe(const std::string& name);

/// When a process began, in units of 100 ns; 0 when it doesn't exist or can't be queried. Distinguishes two processes
/// with the same id.
std::uint64_t process_start(std::uint32_t pid);

}  // namespace headframe::windows
