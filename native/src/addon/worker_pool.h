// Threads for short work (seal checks, cache builds), separate from libuv's, which file access needs.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headframe::addon {

class WorkerPool {
public:
  using Work = std::function<void()>;

  /// No thread is started before the first submit().
  explicit WorkerPool(std::size_t threads) : limit_(threads) {}
  ~WorkerPool() { stop(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// False when stopped, or when no thread could be started.
  bool submit(Work work);
  /// Drops waiting work and waits for running work. Idempotent.
  void stop() noexcept;

private:
  void run() noexcept;

  const std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace headframe::addon
