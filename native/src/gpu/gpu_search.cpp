#include "gpu_search.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "../xhash/types.h"
#include "dataset_slices.h"
#include "gpu_device_loop.h"

#if defined(__linux__)
#include <pthread.h>
#endif

namespace headframe::gpu {

namespace {

using Clock = std::chrono::steady_clock;

void name_thread(std::thread& thread, const std::string& name) noexcept {
#if defined(__linux__)
  pthread_setname_np(thread.native_handle(), name.substr(0, 15).c_str());
#else
  static_cast<void>(thread);
  static_cast<void>(name);
#endif
}

struct BuildOrder {
  std::uint64_t token;
  std::shared_ptr<const xhash::Cache> cache;
  std::uint64_t bytes;
};

struct ReadOrder {
  std::uint64_t token;
  std::vector<std::uint32_t> indices;
};

struct ShapeOrder {
  LaunchShape shape;
  bool fixed;
};

}  // namespace

/// Shared by the owner and the thread, so that a thread that hangs in its driver can be abandoned.
class GpuSearch::Core {
public:
  Core(Open open, Notify notify) : open_(std::move(open)), notify_(std::move(notify)) {}

  void run() noexcept;

  // Called by the owner.
  void prepare(BuildOrder order);
  void cancel_prepare();
  void read_items(ReadOrder order);
  void set_job(std::optional<farm::Job> job);
  void set_shape(ShapeOrder order);
  void stop() noexcept;
  bool wait_stopped(std::chrono::milliseconds limit);
  std::vector<GpuEvent> take_events();
  std::optional<Shapes> shapes() const;

  std::atomic<std::uint64_t> hashes{0};
  std::atomic<double> progress{0};
  std::atomic<Activity> activity{Activity::idle};

private:
  /// True if there are orders; the lock is held.
  [[nodiscard]] bool is_called() const {
    return stopping_ || build_ || !reads_.empty() || job_changed_ || shape_.has_value();
  }
  [[nodiscard]] bool take_orders();
  [[nodiscard]] Outcome work();
  [[nodiscard]] Outcome open_device();
  [[nodiscard]] Outcome build(const BuildOrder& order);
  void read(const ReadOrder& order);
  void answer_all(const Fault& fault);
  void publish_shapes();
  void queue_event(GpuEvent event);
  [[nodiscard]] GpuDeviceLoop::Sink sink();

  const Open open_;
  const Notify notify_;

  mutable std::mutex mutex_;  ///< guards the orders, the state for the owner, and ended_
  std::condition_variable wake_;
  std::condition_variable ended_wake_;
  std::optional<BuildOrder> build_;
  std::deque<ReadOrder> reads_;
  std::optional<farm::Job> job_;
  bool job_changed_ = false;
  std::optional<ShapeOrder> shape_;
  std::optional<Shapes> shapes_;
  bool stopping_ = false;
  Outcome end_fault_;  ///< the answer to all later requests
  bool ended_ = false;
  std::atomic<bool> cancelled_{false};  ///< the running build; written without the mutex

  std::mutex events_mutex_;
  std::vector<GpuEvent> events_;
  bool notified_ = false;

  // Used by the thread only.
  std::unique_ptr<Device> device_;
  std::unique_ptr<GpuDeviceLoop> loop_;
  bool has_dataset_ = false;
  std::optional<ShapeOrder> last_shape_;
};

std::unique_ptr<GpuSearch> GpuSearch::start(const std::string& name, Open open, Notify notify) {
  auto core = std::make_shared<Core>(std::move(open), std::move(notify));
  try {
    std::thread thread([core] { core->run(); });
    name_thread(thread, name);
    thread.detach();
  } catch (const std::system_error&) {
    return nullptr;
  }
  return std::unique_ptr<GpuSearch>(new GpuSearch(std::move(core)));
}

GpuSearch::~GpuSearch() {
  stop();
  if (!hangs_) wait_stopped(std::chrono::seconds(1));
}

void GpuSearch::prepare(std::uint64_t token, std::shared_ptr<const xhash::Cache> cache, std::uint64_t bytes) {
  core_->prepare({token, std::move(cache), bytes});
}
void GpuSearch::cancel_prepare() { core_->cancel_prepare(); }
double GpuSearch::progress() const noexcept { return core_->progress.load(std::memory_order_relaxed); }
void GpuSearch::read_items(std::uint64_t token, std::vector<std::uint32_t> indices) {
  core_->read_items({token, std::move(indices)});
}
void GpuSearch::set_job(const farm::Job& job) { core_->set_job(job); }
void GpuSearch::clear_job() { core_->set_job(std::nullopt); }
void GpuSearch::set_shape(const LaunchShape& shape, bool fixed) { core_->set_shape({shape, fixed}); }
std::optional<GpuSearch::Shapes> GpuSearch::shapes() const { return core_->shapes(); }
GpuSearch::Activity GpuSearch::activity() const noexcept { return core_->activity.load(std::memory_order_relaxed); }
std::uint64_t GpuSearch::hash_count() const noexcept { return core_->hashes.load(std::memory_order_acquire); }
std::vector<GpuEvent> GpuSearch::take_events() { return core_->take_events(); }
void GpuSearch::stop() noexcept { core_->stop(); }
bool GpuSearch::wait_stopped(std::chrono::milliseconds limit) {
  hangs_ = !core_->wait_stopped(limit);
  return !hangs_;
}

void GpuSearch::Core::prepare(BuildOrder order) {
  const std::uint64_t token = order.token;
  std::optional<BuildOrder> replaced;
  Outcome refused;
  {
    const std::lock_guard lock(mutex_);
    refused = end_fault_;
    if (!refused) replaced = std::exchange(build_, std::move(order));
    job_.reset();
    job_changed_ = true;
    cancelled_.store(true, std::memory_order_relaxed);  // the running one; work() clears it for this order
    wake_.notify_all();
  }
  if (replaced) queue_event({.kind = GpuEvent::Kind::prepared, .token = replaced->token, .cancelled = true});
  if (refused) queue_event({.kind = GpuEvent::Kind::prepared, .token = token, .fault = refused});
}

void GpuSearch::Core::cancel_prepare() {
  std::optional<BuildOrder> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting = std::exchange(build_, std::nullopt);
    cancelled_.store(true, std::memory_order_relaxed);
  }
  if (waiting) queue_event({.kind = GpuEvent::Kind::prepared, .token = waiting->token, .cancelled = true});
}

void GpuSearch::Core::read_items(ReadOrder order) {
  const std::uint64_t token = order.token;
  Outcome refused;
  {
    const std::lock_guard lock(mutex_);
    refused = end_fault_;
    if (!refused) reads_.push_back(std::move(order));
    wake_.notify_all();
  }
  if (refused) queue_event({.kind = GpuEvent::Kind::items, .token = token, .fault = refused});
}

void GpuSearch::Core::set_job(std::optional<farm::Job> job) {
  const std::lock_guard lock(mutex_);
  job_ = job;
  job_changed_ = true;
  wake_.notify_all();
}

void GpuSearch::Core::set_shape(ShapeOrder order) {
  const std::lock_guard lock(mutex_);
  shape_ = order;
  wake_.notify_all();
}

void GpuSearch::Core::stop() noexcept {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  cancelled_.store(true, std::memory_order_relaxed);
  wake_.notify_all();
}

bool GpuSearch::Core::wait_stopped(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return ended_wake_.wait_for(lock, limit, [this] { return ended_; });
}

std::optional<GpuSearch::Shapes> GpuSearch::Core::shapes() const {
  const std::lock_guard lock(mutex_);
  return shapes_;
}

std::vector<GpuEvent> GpuSearch::Core::take_events() {
  const std::lock_guard lock(events_mutex_);
  notified_ = false;
  return std::exchange(events_, {});
}

void GpuSearch::Core::queue_event(GpuEvent event) {
  {
    const std::lock_guard lock(events_mutex_);
    if (event.kind == GpuEvent::Kind::hit && events_.size() >= queue_limit) return;
    events_.push_back(std::move(event));
    if (std::exchange(notified_, true)) return;
  }
  notify_();
}

GpuDeviceLoop::Sink GpuSearch::Core::sink() {
  return {
      .hit = [this](
                 std::uint64_t token,
                 std::uint64_t nonce) { queue_event({.kind = GpuEvent::Kind::hit, .token = token, .nonce = nonce}); },
      .segment_done =
          [this](std::uint64_t token) { queue_event({.kind = GpuEvent::Kind::segment_done, .token = token}); },
      .counted = [this](std::uint64_t count) { hashes.fetch_add(count, std::memory_order_release); },
  };
}

/// Runs until told to stop. A fault during the search ends the device; later orders are answered with that fault.
void GpuSearch::Core::run() noexcept {
  Outcome fault;
  while (!fault && take_orders()) fault = work();
  // First: a failing driver may well hang while it is released.
  if (fault) queue_event({.kind = GpuEvent::Kind::failed, .fault = fault});
  loop_.reset();
  device_.reset();
  answer_all(fault.value_or(Fault{Fault::Kind::other, "the device was closed"}));
  queue_event({.kind = GpuEvent::Kind::closed});
  const std::lock_guard lock(mutex_);
  ended_ = true;
  ended_wake_.notify_all();
}

/// Executes the orders; false when told to stop.
bool GpuSearch::Core::take_orders() {
  std::unique_lock lock(mutex_);
  if (!loop_ || loop_->plan() == GpuDeviceLoop::Step::idle) {
    activity.store(Activity::idle, std::memory_order_relaxed);
    wake_.wait(lock, [this] { return is_called(); });
  }
  if (stopping_) return false;
  if (shape_) {
    last_shape_ = std::exchange(shape_, std::nullopt);
    if (loop_) loop_->set_shape(last_shape_->shape, last_shape_->fixed);
  }
  if (job_changed_ && loop_) {
    if (job_ && has_dataset_) loop_->set_job(*job_);
    else loop_->clear_job();
  }
  job_changed_ = false;
  return true;
}

Outcome GpuSearch::Core::work() {
  std::optional<BuildOrder> order;
  std::deque<ReadOrder> reads;
  {
    const std::lock_guard lock(mutex_);
    if (build_) cancelled_.store(stopping_, std::memory_order_relaxed);
    order = std::exchange(build_, std::nullopt);
    reads = std::exchange(reads_, {});
  }
  for (const ReadOrder& each : reads) read(each);
  if (order) return build(*order);
  if (!loop_) return std::nullopt;
  const GpuDeviceLoop::Step step = loop_->plan();
  const bool searches = step != GpuDeviceLoop::Step::idle;
  if (searches)
    activity.store(loop_->may_compile() ? Activity::compiling : Activity::searching, std::memory_order_relaxed);
  Outcome fault;
  if (step == GpuDeviceLoop::Step::launch) fault = loop_->launch(Clock::now());
  if (step == GpuDeviceLoop::Step::finish) fault = loop_->finish(Clock::now);
  publish_shapes();
  return fault;
}

Outcome GpuSearch::Core::open_device() {
  if (device_) return std::nullopt;
  Fault fault{Fault::Kind::other, "the device could not be opened"};
  device_ = open_(fault);
  if (!device_) return fault;
  loop_ = std::make_unique<GpuDeviceLoop>(*device_, sink());
  if (last_shape_) loop_->set_shape(last_shape_->shape, last_shape_->fixed);
  publish_shapes();
  return std::nullopt;
}

/// A build's fault is its answer; only a fault of launches in flight ends the device.
Outcome GpuSearch::Core::build(const BuildOrder& order) {
  has_dataset_ = false;
  activity.store(Activity::compiling, std::memory_order_relaxed);
  GpuEvent answer{.kind = GpuEvent::Kind::prepared, .token = order.token};
  answer.fault = open_device();
  if (!answer.fault) {
    loop_->clear_job();
    if (auto fault = loop_->drain(Clock::now)) {
      answer.fault = fault;
      queue_event(std::move(answer));
      return fault;
    }
    const auto ended = build_dataset(*device_, *order.cache, order.bytes,
                                     {.cancelled = cancelled_, .progress = progress, .compiled = [this] {
                                        activity.store(Activity::building, std::memory_order_relaxed);
                                      }});
    answer.fault = ended.fault;
    answer.cancelled = ended.cancelled;
    has_dataset_ = !ended.fault && !ended.cancelled;
  }
  queue_event(std::move(answer));
  return std::nullopt;
}

void GpuSearch::Core::read(const ReadOrder& order) {
  GpuEvent answer{.kind = GpuEvent::Kind::items, .token = order.token};
  if (!has_dataset_) answer.fault = Fault{Fault::Kind::other, "the device has no dataset"};
  answer.bytes.resize(order.indices.size() * xhash::item_bytes);
  for (std::size_t i = 0; i < order.indices.size() && !answer.fault; i++) {
    const std::span<std::uint8_t, xhash::item_bytes> item(&answer.bytes[i * xhash::item_bytes], xhash::item_bytes);
    answer.fault = device_->read_item(order.indices[i], item);
  }
  queue_event(std::move(answer));
}

/// Requests that will never be processed, and later ones.
void GpuSearch::Core::answer_all(const Fault& fault) {
  std::optional<BuildOrder> order;
  std::deque<ReadOrder> reads;
  {
    const std::lock_guard lock(mutex_);
    end_fault_ = fault;
    order = std::exchange(build_, std::nullopt);
    reads = std::exchange(reads_, {});
  }
  if (order) queue_event({.kind = GpuEvent::Kind::prepared, .token = order->token, .fault = fault});
  for (const ReadOrder& each : reads) {
    queue_event({.kind = GpuEvent::Kind::items, .token = each.token, .fault = fault});
  }
}

void GpuSearch::Core::publish_shapes() {
  const std::lock_guard lock(mutex_);
  if (shapes_) shapes_->current = loop_->shape();
  else shapes_ = Shapes{loop_->shape(), device_->variants(), device_->group_sizes()};
}

}  // namespace headframe::gpu
