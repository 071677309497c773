// A process that has opened all it needs gives up the rest: no file, no connection, no other program from then on.
#pragma once

#include <string>

namespace headframe::confine {

/// For every thread of this process, for good. What a thread asks of the kernel beyond computing, its memory, its own
/// threads and the channels that are open already fails with EPERM; its memory is neither dumped nor read by a
/// debugger.
/// @return empty when it holds, else why it does not (then nothing but the debugger's part may have changed)
std::string confine_process();

}  // namespace headframe::confine
