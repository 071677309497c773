// A process that has opened everything it needs gives up the rest: no files, connections or other programs from then
// on.
#pragma once

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

}  // namespace headframe::confine
