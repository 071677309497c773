// Makes long work give way to everything else on the computer.
#pragma once

namespace headframe::xhash {

/// Lowers the calling thread's priority (Linux: nice 10; Windows: below normal). Failure is ignored: it is a courtesy.
void lower_thread_priority() noexcept;

}  // namespace headframe::xhash
