// A process that has opened everything it needs gives up the rest: no files, connections or other programs from then
// on.
#pragma once

#include <string>

namespace headframe::confine {

/// Applies permanently to every thread of this process. System calls other than computing, own memory, own threads and
/// already open channels fail with EPERM; its memory can't be dumped or read by a debugger.
/// @return empty on success, else the reason (then at most the debugger restriction has been applied)
std::string confine_process();

}  // namespace headframe::confine
