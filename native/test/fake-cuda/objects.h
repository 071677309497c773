// What the fake driver library's handles point to.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../../src/gpu/cuda/cuda_api.h"
#include "../cuda-host/kernels.h"

namespace headframe::gpu::cuda {

struct ContextObject {
  explicit ContextObject(DeviceId id) : device(id) {}
  DeviceId device;
  unsigned schedule = 0;
  int users = 0;
  std::atomic<Code> error{success};    ///< once a failure has been told, everything fails
  std::atomic<Code> kernels{success};  ///< how a kernel failed: the next wait reports it, so that no test depends on
                                       ///< how soon the kernel ran
  std::atomic<std::uint64_t> used{0};
  std::map<Address, std::vector<char>> staged;  ///< copies to the device, which arrive when someone waits for them
};

struct EventObject {
  std::mutex mutex;
  std::condition_variable changed;
  unsigned recorded = 0;
  unsigned reached = 0;
};

/// A thread that executes its queue in order.
struct StreamObject {
  explicit StreamObject(const ContextObject* owner) : context(owner), thread([this] { run(); }) {}
  ~StreamObject() {
    push(nullptr);
    thread.join();
  }
  void push(std::function<void()> work) {
    const std::lock_guard lock(mutex);
    queue.push_back(std::move(work));
    changed.notify_all();
  }
  void drain() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return queue.empty(); });
  }
  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return !queue.empty(); });
      const std::function<void()> work = queue.front();
      if (!work) return;
      lock.unlock();
      work();
      lock.lock();
      queue.pop_front();
      changed.notify_all();
    }
  }
  const ContextObject* context;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> queue;
  std::thread thread;
};

struct KernelObject {
  const test::HostKernel* code;
};

struct ModuleObject {
  std::string ptx;
  std::map<std::string, KernelObject> kernels;
};

}  // namespace headframe::gpu::cuda
