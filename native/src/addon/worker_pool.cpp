#include "worker_pool.h"

#include <system_error>
#include <utility>

namespace headframe::addon {

bool WorkerPool::submit(Work work) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (idle_ <= queue_.size() && threads_.size() < limit_) {
    try {
      threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) return false;
    }
  }
  queue_.push_back(std::move(work));
  wake_.notify_one();
  return true;
}

void WorkerPool::run() noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    idle_++;
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    idle_--;
    if (stopping_) return;
    Work work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // destroy what it owns before taking the lock again
    lock.lock();
  }
}

void WorkerPool::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

}  // namespace headframe::addon
