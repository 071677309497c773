// It would take a jump to another stack for a fault.
#undef _FORTIFY_SOURCE

#include "warp.h"

#include <setjmp.h>
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace headframe::test {

namespace {

/// What the thread sanitizer must know about a fiber; empty without it.
class FiberMark {
public:
#ifdef __SANITIZE_THREAD__
  ~FiberMark() {
    if (made_) __tsan_destroy_fiber(fiber_);
  }
  void set_thread() { fiber_ = __tsan_get_current_fiber(); }
  void set_fiber() {
    if (!made_) fiber_ = __tsan_create_fiber(0);
    made_ = true;
  }
  void enter() const { __tsan_switch_to_fiber(fiber_, 0); }

private:
  void* fiber_ = nullptr;
  bool made_ = false;
#else
  void set_thread() {}
  void set_fiber() {}
  void enter() const {}
#endif
};

constexpr std::size_t stack_bytes = std::size_t{128} * 1024;

struct Lane {
  ucontext_t context;
  jmp_buf place;  ///< where it waits, once it has made an exchange
  std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
  std::uint64_t exchanges = 0;
  FiberMark mark;
  std::array<std::uint32_t, 2>
      given{};  ///< alternating: a lane may give its next value before the last one has read this
};

/// One per thread of the program; lanes run in turn, so an exchange is done when the turn comes around again.
struct Warp {
  std::array<Lane, warp_lanes> lanes;
  ucontext_t caller;
  FiberMark caller_mark;
  std::uint32_t running = 0;
  std::uint32_t first_thread = 0;
  void (*body)(const void*) = nullptr;
  const void* argument = nullptr;
};

Warp& warp() {
  static thread_local const std::unique_ptr<Warp> own = std::make_unique<Warp>();
  return *own;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
[[noreturn]] void enter(Lane& lane) {
  lane.mark.enter();
  setcontext(&lane.context);
  std::abort();
}

void wait_for_turn(Lane& own, Lane& next) {
  next.mark.enter();
  swapcontext(&own.context, &next.context);
}
#else
/// Changing contexts sets the signal mask by a system call, which takes longer than a lane's turn: only a start does.
[[noreturn]] void enter(Lane& lane) {
  if (lane.exchanges > 0) _longjmp(lane.place, 1);
  setcontext(&lane.context);
  std::abort();
}

void wait_for_turn(Lane& own, Lane& next) {
  if (_setjmp(own.place) == 0) enter(next);
}
#endif

/// Every lane has made as many exchanges as the one before it, or one less before its own turn.
void check_in_step(const Warp& all) {
  const std::uint32_t lane = all.running;
  if (lane == 0 || all.lanes[lane].exchanges == all.lanes[lane - 1].exchanges) return;
  std::fprintf(stderr, "lane %u has made %llu exchanges, lane %u %llu\n", lane,
               static_cast<unsigned long long>(all.lanes[lane].exchanges), lane - 1,
               static_cast<unsigned long long>(all.lanes[lane - 1].exchanges));
  std::abort();
}

void run_lane() {
  Warp& all = warp();
  all.body(all.argument);
  check_in_step(all);
  const std::uint32_t lane = all.running;
  if (lane + 1 == warp_lanes) {
    all.caller_mark.enter();
    setcontext(&all.caller);
  }
  all.running = lane + 1;
  enter(all.lanes[lane + 1]);
}

}  // namespace

void run_warp(std::uint32_t first_thread, void (*body)(const void*), const void* argument) {
  Warp& all = warp();
  all.first_thread = first_thread;
  all.body = body;
  all.argument = argument;
  all.running = 0;
  for (Lane& lane : all.lanes) {
    getcontext(&lane.context);
    lane.context.uc_stack.ss_sp = lane.stack.get();
    lane.context.uc_stack.ss_size = stack_bytes;
    lane.context.uc_link = nullptr;
    lane.exchanges = 0;
    lane.mark.set_fiber();
    makecontext(&lane.context, run_lane, 0);
  }
  all.caller_mark.set_thread();
  all.lanes[0].mark.enter();
  swapcontext(&all.caller, &all.lanes[0].context);
}

std::uint32_t warp_thread() { return warp().first_thread + warp().running; }

std::uint32_t warp_exchange(std::uint32_t value, std::uint32_t source) {
  Warp& all = warp();
  const std::uint32_t lane = all.running;
  Lane& own = all.lanes[lane];
  const std::size_t turn = own.exchanges++ % 2;
  check_in_step(all);
  own.given[turn] = value;
  const std::uint32_t next = (lane + 1) % warp_lanes;
  all.running = next;
  wait_for_turn(own, all.lanes[next]);
  return all.lanes[source].given[turn];
}

}  // namespace headframe::test
