// Makes long-running work yield to everything else on the computer.
#pragma once

namespace headframe::xhash {

/// Lowers the calling thread's priority (Linux: nice 10; Windows: below normal). Failure is ignored: it is optional.
void lower_thread_priority() noexcept;

/// Lowers it below all other work here (Linux: nice 19; Windows: idle), so that a search beside it keeps nine tenths of
/// a contended core.
void idle_thread_priority() noexcept;

}  // namespace headframe::xhash
