// A process that has opened everything it needs gives up the rest: no files, connections or other programs from then
// on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headframe::confine {

/// Applies permanently to every thread of this process. System calls other than computing, own memory, own threads and
/// already open channels fail with EPERM; its memory can't be dumped or read by a debugger.
/// @return empty on success, else the reason (then at most the debugger restriction has been applied)
std::string confine_process();

/// Replaces this process's program, keeping its number and channels, by one that can't create an io_uring. Such a ring
/// would bypass `confine_process`, and runtimes create theirs before any code of ours. Call it before reading a
/// channel.
/// @param program path @param arguments with the program's name first @param environment NAME=VALUE
/// @return only on failure: the reason
std::string restart_without_rings(const std::string& program, const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& environment);

/// Permanently keeps this process's memory out of core files and from debuggers of the same user: for a process that
/// holds secrets and can't be confined.
/// @return empty on success, else the reason
std::string deny_dumps();

/// Keeps a range of memory out of the swap file, as far as the system's limit for locked memory allows.
/// @return whether it did
bool lock_memory(const void* begin, std::size_t bytes);

}  // namespace headframe::confine
