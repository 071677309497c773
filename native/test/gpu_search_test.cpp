// A GPU's thread: preparing, jobs, faults and stopping, on a fake device.
#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

#include "../src/gpu/gpu_search.h"
#include "fake_gpu.h"
#include "harness.h"

using namespace headframe;
using namespace headframe::test;
using gpu::GpuEvent;
using gpu::GpuSearch;
using Kind = gpu::GpuEvent::Kind;

namespace {

constexpr std::uint64_t dataset_size = 128 * 4099;

std::shared_ptr<const xhash::Cache> small_cache() {
  const std::vector<std::uint8_t> content(1024);
  return xhash::Cache::of_content(content, xhash::Simd::scalar);
}

farm::Job job_of(std::uint64_t token, std::uint8_t segment_bits) {
  farm::Job job{token, {}, {}, 1000, segment_bits};
  job.seal_hash[0] = static_cast<std::uint8_t>(token);
  return job;
}

struct Rig {
  FakeGpuWorld world;
  std::vector<GpuEvent> events;
  std::unique_ptr<GpuSearch> search = GpuSearch::start(
      "test", [this](gpu::Fault&) { return std::make_unique<FakeGpu>(world); }, [] {});

  ~Rig() {
    search->stop();
    CHECK(search->wait_stopped(std::chrono::seconds(20)));
  }

  bool wait_for(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (;;) {
      for (GpuEvent& event : search->take_events()) events.push_back(std::move(event));
      if (holds()) return true;
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  [[nodiscard]] const GpuEvent* find(Kind kind, std::uint64_t token) const {
    const auto found = std::find_if(events.begin(), events.end(),
                                    [&](const GpuEvent& e) { return e.kind == kind && e.token == token; });
    return found == events.end() ? nullptr : &*found;
  }
  const GpuEvent* wait_event(Kind kind, std::uint64_t token) {
    const bool came = wait_for([&] { return find(kind, token) != nullptr; });
    CHECK(came);
    return find(kind, token);
  }
  void prepare(std::uint64_t token = 1) {
    search->prepare(token, small_cache(), dataset_size);
    const GpuEvent* const end = wait_event(Kind::prepared, token);
    CHECK(end != nullptr && !end->fault && !end->cancelled);
  }
};

}  // namespace

TEST_CASE("gpu thread: prepares every item, reads them, and searches", {
  Rig rig;
  rig.world.is_hit = [](std::uint64_t nonce) { return nonce == 1234; };
  CHECK(!rig.search->shapes());
  rig.prepare();
  CHECK(rig.world.filled == dataset_size / 64);
  CHECK(rig.search->progress() == 1);
  rig.search->read_items(2, {7, 9});
  const GpuEvent* const items = rig.wait_event(Kind::items, 2);
  CHECK(items != nullptr && items->bytes.size() == 128 && items->bytes[0] == 7 && items->bytes[64] == 9);
  rig.search->set_job(job_of(3, 12));
  CHECK(rig.wait_event(Kind::segment_done, 3) != nullptr);
  const GpuEvent* const hit = rig.find(Kind::hit, 3);
  CHECK(hit != nullptr && hit->nonce == 1234);
  CHECK(rig.search->hash_count() == 4096);
  CHECK(rig.search->shapes()->variants == 3);
});

TEST_CASE("gpu thread: a build ends soon after it was cancelled, and another one can follow", {
  Rig rig;
  rig.world.fill_ms = 15;
  rig.search->prepare(1, small_cache(), 128ull << 20);
  CHECK(rig.wait_for([&] { return rig.search->progress() > 0; }));
  rig.search->cancel_prepare();
  const GpuEvent* const end = rig.wait_event(Kind::prepared, 1);
  CHECK(end != nullptr && end->cancelled && !end->fault);
  rig.world.fill_ms = 0;
  rig.prepare(2);
});

TEST_CASE("gpu thread: a build that is cancelled before the thread looks at it is not begun", {
  Rig rig;
  rig.prepare();
  std::promise<void> release;
  std::atomic<bool> is_busy{false};
  rig.world.on_finish = [&, released = release.get_future().share()] {
    is_busy = true;
    released.wait();
  };
  rig.search->set_job(job_of(1, 40));
  CHECK(rig.wait_for([&] { return is_busy.load(); }));
  rig.search->prepare(2, small_cache(), dataset_size);
  rig.search->cancel_prepare();
  release.set_value();
  const GpuEvent* const end = rig.wait_event(Kind::prepared, 2);
  CHECK(end != nullptr && end->cancelled && !end->fault);
  rig.prepare(3);
});

TEST_CASE("gpu thread: a device that hangs while it is let go has told its fault before", {
  Rig rig;
  std::promise<void> release;
  rig.prepare();
  rig.world.on_close = [released = release.get_future().share()] { released.wait(); };
  rig.world.launches_until_fault = 0;
  rig.search->set_job(job_of(1, 40));
  CHECK(rig.wait_event(Kind::failed, 0) != nullptr);
  CHECK(rig.find(Kind::closed, 0) == nullptr);
  release.set_value();
  CHECK(rig.wait_event(Kind::closed, 0) != nullptr);
});

TEST_CASE("gpu thread: tells when a driver may be compiling, and when it builds and searches", {
  Rig rig;
  std::vector<GpuSearch::Activity> seen;
  const auto see = [&] { seen.push_back(rig.search->activity()); };
  rig.world.on_compile = see;
  rig.world.on_finish = see;
  CHECK(rig.search->activity() == GpuSearch::Activity::idle);
  rig.prepare();
  CHECK(rig.wait_for([&] { return rig.search->activity() == GpuSearch::Activity::idle; }));
  rig.search->set_job(job_of(2, 11));  // two launches and more
  CHECK(rig.wait_event(Kind::segment_done, 2) != nullptr);
  CHECK(seen.size() >= 3);
  CHECK(seen[0] == GpuSearch::Activity::compiling);  // before there is a dataset
  CHECK(seen[1] == GpuSearch::Activity::compiling);  // with the first launch of a kernel
  CHECK(seen.back() == GpuSearch::Activity::searching);
});

TEST_CASE("gpu thread: one that is closed while its driver compiles takes no memory for a dataset after that", {
  Rig rig;
  std::promise<void> release;
  std::atomic<bool> compiles{false};
  rig.world.on_compile = [&, released = release.get_future().share()] {
    compiles = true;
    released.wait();
  };
  rig.search->prepare(1, small_cache(), dataset_size);
  CHECK(rig.wait_for([&] { return compiles.load(); }));
  CHECK(rig.search->activity() == GpuSearch::Activity::compiling);
  rig.search->stop();
  release.set_value();
  CHECK(rig.wait_event(Kind::closed, 0) != nullptr);
  CHECK(rig.world.datasets_begun == 0);
  CHECK(rig.world.open_devices == 0);
});

TEST_CASE("gpu thread: a build that replaces another one cancels it", {
  Rig rig;
  rig.world.fill_ms = 15;
  rig.search->prepare(1, small_cache(), 128ull << 20);
  CHECK(rig.wait_for([&] { return rig.search->progress() > 0; }));
  rig.world.fill_ms = 0;
  rig.prepare(2);
  const GpuEvent* const first = rig.find(Kind::prepared, 1);
  CHECK(first != nullptr && first->cancelled);
});

TEST_CASE("gpu thread: a device without the memory says so and stays usable", {
  Rig rig;
  rig.world.has_memory = false;
  rig.search->prepare(1, small_cache(), dataset_size);
  const GpuEvent* const end = rig.wait_event(Kind::prepared, 1);
  CHECK(end != nullptr && end->fault && end->fault->kind == gpu::Fault::Kind::out_of_memory);
  rig.world.has_memory = true;
  rig.prepare(2);
});

TEST_CASE("gpu thread: a fault while searching is told once, the device is let go, and later questions are refused", {
  Rig rig;
  rig.prepare();
  rig.world.launches_until_fault = 3;
  rig.search->set_job(job_of(1, 40));
  const GpuEvent* const failed = rig.wait_event(Kind::failed, 0);
  CHECK(failed != nullptr && failed->fault && failed->fault->kind == gpu::Fault::Kind::lost);
  CHECK(rig.wait_event(Kind::closed, 0) != nullptr);
  CHECK(rig.world.open_devices == 0);
  rig.search->prepare(9, small_cache(), dataset_size);
  const GpuEvent* const refused = rig.wait_event(Kind::prepared, 9);
  CHECK(refused != nullptr && refused->fault && refused->fault->text == "fake: gone");
});

TEST_CASE("gpu thread: a device that does not open is the answer to its first build", {
  GpuSearch::Open open = [](gpu::Fault& fault) {
    fault = {gpu::Fault::Kind::build, "fake: no kernel"};
    return std::unique_ptr<gpu::Device>();
  };
  const auto search = GpuSearch::start("test", open, [] {});
  search->prepare(1, small_cache(), dataset_size);
  std::vector<GpuEvent> events;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (events.empty() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    events = search->take_events();
  }
  CHECK(events.size() == 1 && events[0].fault && events[0].fault->text == "fake: no kernel");
});

TEST_CASE("gpu thread: jobs change while it searches, and the last one wins", {
  Rig rig;
  rig.prepare();
  for (std::uint64_t token = 1; token <= 50; token++) rig.search->set_job(job_of(token, 40));
  rig.search->set_job(job_of(77, 10));
  CHECK(rig.wait_event(Kind::segment_done, 77) != nullptr);
  const std::lock_guard lock(rig.world.mutex);
  CHECK(rig.world.job_marks.back() == 77);
});

TEST_CASE("gpu thread: one that hangs in its driver can be left behind", {
  auto world = std::make_shared<FakeGpuWorld>();
  std::promise<void> release;
  const auto released = release.get_future().share();
  world->on_finish = [released] { released.wait(); };
  auto search = GpuSearch::start(
      "test", [world](gpu::Fault&) { return std::make_unique<FakeGpu>(*world); }, [] {});
  search->prepare(1, small_cache(), dataset_size);
  search->set_job(job_of(1, 40));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto is_searching = [&] {
    const std::lock_guard lock(world->mutex);
    return !world->job_marks.empty();
  };
  while (!is_searching() && std::chrono::steady_clock::now() < end) {
    search->set_job(job_of(1, 40));  // ignores one that arrives before the dataset
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  search->stop();
  CHECK(!search->wait_stopped(std::chrono::milliseconds(50)));
  release.set_value();
  CHECK(search->wait_stopped(std::chrono::seconds(20)));
  CHECK(world->open_devices == 0);
});

TEST_CASE("gpu thread: ends in the middle of anything", {
  for (int i = 0; i < 30; i++) {
    Rig rig;
    rig.search->prepare(1, small_cache(), dataset_size);
    if (i % 3 == 1) rig.wait_event(Kind::prepared, 1);
    if (i % 3 == 1) rig.search->set_job(job_of(1, 60));
    if (i % 2 == 0) rig.search->stop();
  }
});
