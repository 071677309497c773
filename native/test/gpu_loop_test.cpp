// What is launched when, and that every nonce is searched once: on a fake device with a clock that the test turns.
#include <algorithm>
#include <deque>

#include "../src/gpu/batch_size.h"
#include "../src/gpu/gpu_device_loop.h"
#include "fake_gpu.h"
#include "harness.h"

using namespace headframe;
using namespace headframe::test;
using gpu::GpuDeviceLoop;
using Step = GpuDeviceLoop::Step;
using std::chrono::milliseconds;

namespace {

farm::Job job_of(std::uint64_t token, std::uint8_t segment_bits, std::uint64_t start = 1000) {
  farm::Job job{token, {}, {}, start, segment_bits};
  job.seal_hash[0] = static_cast<std::uint8_t>(token);
  return job;
}

/// A loop, its device, and its results.
struct Rig {
  FakeGpuWorld world;
  FakeGpu device{world};
  GpuDeviceLoop::Time now{std::chrono::seconds(100)};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> hits;
  std::vector<std::uint64_t> done;
  std::uint64_t counted = 0;
  GpuDeviceLoop loop{device,
                     {.hit = [this](auto token, auto nonce) { hits.emplace_back(token, nonce); },
                      .segment_done = [this](auto token) { done.push_back(token); },
                      .counted = [this](auto count) { counted += count; }}};

  /// Follows the plan, `batch_ms` per launch, until it idles or `steps` are done.
  void run(int steps, int batch_ms = 30) {
    world.on_finish = [this, batch_ms] { now += milliseconds(batch_ms); };
    for (int i = 0; i < steps; i++) {
      const auto step = loop.plan();
      if (step == Step::idle) return;
      if (step == Step::launch) CHECK(!loop.launch(now));
      if (step == Step::finish) CHECK(!loop.finish([this] { return now; }));
    }
  }
  [[nodiscard]] std::vector<std::uint64_t> nonces() const {
    std::vector<std::uint64_t> all;
    for (const auto& hit : hits) all.push_back(hit.second);
    std::sort(all.begin(), all.end());
    return all;
  }
};

}  // namespace

TEST_CASE("gpu: each hit of a segment is reported once, the end after it", {
  for (const std::uint8_t bits : {0, 3, 6, 9, 13}) {
    Rig rig;
    rig.world.is_hit = [](std::uint64_t nonce) { return nonce % 37 == 0; };
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < (1ull << bits); i++) {
      if ((1000 + i) % 37 == 0) expected.push_back(1000 + i);
    }
    rig.loop.set_job(job_of(5, bits));
    rig.run(100000);
    CHECK(rig.nonces() == expected);
    CHECK(rig.done == std::vector<std::uint64_t>{5});
    CHECK(rig.counted == 1ull << bits);
  }
});

TEST_CASE("gpu: a segment at the end of the nonces goes on at 0", {
  Rig rig;
  rig.world.is_hit = [](std::uint64_t nonce) { return nonce == 3 || nonce == ~0ull; };
  rig.loop.set_job(job_of(1, 8, ~0ull - 10));
  rig.run(1000);
  CHECK((rig.nonces() == std::vector<std::uint64_t>{3, ~0ull}));
});

TEST_CASE("gpu: more hits than a launch can tell are searched again in halves, and counted once", {
  for (const std::uint64_t every : {1, 2, 3, 15}) {
    Rig rig;
    rig.world.is_hit = [every](std::uint64_t nonce) { return nonce % every == 0; };
    rig.loop.set_job(job_of(1, 10));
    rig.run(100000);
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 1024; i++) expected += (1000 + i) % every == 0;
    const auto nonces = rig.nonces();
    CHECK(nonces.size() == expected);
    CHECK(std::adjacent_find(nonces.begin(), nonces.end()) == nonces.end());
    CHECK(rig.counted == 1024);
    CHECK(rig.done.size() == 1);
    for (const auto& shape : rig.world.shapes)
      CHECK(shape.batch_hashes % shape.group_size == 0 && shape.group_size >= 16);
  }
});

/// A device that processes its launches one after another, at a steady speed; finish() waits for the oldest.
struct SteadyGpu {
  Rig rig;
  std::uint32_t hashes_a_ms;
  GpuDeviceLoop::Time free_at = rig.now;  ///< when all of them are done
  std::deque<GpuDeviceLoop::Time> ends;
  std::chrono::duration<double, std::milli> idle{0};
  milliseconds late{0};  ///< how long after the launch that it waits for the thread wakes

  explicit SteadyGpu(std::uint32_t speed) : hashes_a_ms(speed) {
    rig.world.on_finish = [this] {
      rig.now = std::max(rig.now, ends.front() + late);
      ends.pop_front();
    };
  }
  /// The time when it started on the current launches.
  GpuDeviceLoop::Time launch() {
    CHECK(!rig.loop.launch(rig.now));
    if (free_at < rig.now) idle += rig.now - free_at;
    const auto begins = std::max(free_at, rig.now);
    const std::chrono::duration<double, std::milli> takes(1.0 * rig.world.shapes.back().batch_hashes / hashes_a_ms);
    free_at = begins + std::chrono::duration_cast<GpuDeviceLoop::Time::duration>(takes);
    ends.push_back(free_at);
    return begins;
  }
  void step() {
    if (rig.loop.plan() == Step::launch) launch();
    else CHECK(!rig.loop.finish([this] { return rig.now; }));
  }
};

TEST_CASE("gpu: a device works on a new job in under 30 ms, whenever that comes", {
  for (int steps = 200; steps < 240; steps++) {
    SteadyGpu gpu(1000);
    gpu.rig.loop.set_job(job_of(1, 60));
    for (int i = 0; i < steps; i++) gpu.step();
    // It arrives at the worst moment: the thread has just begun to wait, with both slots full.
    while (gpu.rig.loop.plan() == Step::launch) gpu.step();
    const auto came = gpu.rig.now;
    gpu.step();
    gpu.rig.loop.set_job(job_of(2, 60));
    CHECK(gpu.rig.loop.plan() == Step::launch);
    const auto begins = gpu.launch();
    CHECK(gpu.rig.world.job_marks.back() == 2);
    CHECK(begins - came < milliseconds(30));
  }
});

TEST_CASE("gpu: a thread that wakes late by a part of a launch leaves no device idle", {
  SteadyGpu gpu(1000);
  gpu.rig.loop.set_job(job_of(1, 60));
  for (int i = 0; i < 100; i++) gpu.step();
  gpu.idle = {};
  gpu.late = milliseconds(4);
  for (int i = 0; i < 400; i++) gpu.step();
  CHECK(gpu.idle.count() == 0);
});

TEST_CASE("gpu: what ran when the job changed is reported under its own token, and ends nothing", {
  Rig rig;
  rig.world.is_hit = [](std::uint64_t nonce) { return nonce == 1000 || nonce == 9000; };
  rig.loop.set_job(job_of(1, 8));
  rig.run(1);
  rig.loop.set_job(job_of(2, 8, 9000));
  rig.run(1000);
  CHECK((rig.hits == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 1000}, {2, 9000}}));
  CHECK(rig.done == std::vector<std::uint64_t>{2});
});

TEST_CASE("gpu: without a job it finishes what runs and idles", {
  Rig rig;
  rig.loop.set_job(job_of(1, 40));
  rig.run(2);
  rig.loop.clear_job();
  CHECK(rig.loop.plan() == Step::finish);
  rig.run(100);
  CHECK(rig.loop.plan() == Step::idle);
  CHECK(rig.done.empty());
});

TEST_CASE("gpu: batches grow and shrink to what a launch may take, and stay there", {
  for (const std::uint8_t most_ms : {0, 6, 14}) {
    const double limit = most_ms == 0 ? gpu::BatchSize::usual_ms : most_ms;
    for (const std::uint32_t hashes : {64u, 256u, 1u << 20}) {
      SteadyGpu gpu(1000);
      gpu.rig.loop.set_shape({64, hashes, 0, most_ms}, false);
      gpu.rig.loop.set_job(job_of(1, 60));
      for (int i = 0; i < 200; i++) gpu.step();
      const auto batch = gpu.rig.loop.shape().batch_hashes;
      CHECK(batch >= 0.45 * limit * 1000 && batch <= limit * 1000);
      CHECK(batch % 64 == 0);
      for (int i = 0; i < 200; i++) gpu.step();
      CHECK(gpu.rig.loop.shape().batch_hashes == batch);
    }
  }
});

TEST_CASE("gpu: a launch that had ended long before anybody asked says nothing", {
  SteadyGpu gpu(1000);
  gpu.rig.loop.set_job(job_of(1, 60));
  for (int i = 0; i < 200; i++) gpu.step();
  const auto batch = gpu.rig.loop.shape().batch_hashes;
  for (int i = 0; i < 20; i++) {
    gpu.rig.now += milliseconds(500);  // the computer slept
    gpu.step();
  }
  CHECK(gpu.rig.loop.shape().batch_hashes == batch);
});

TEST_CASE("gpu: a fixed batch keeps its size", {
  gpu::BatchSize size(1024, true);
  for (int i = 0; i < 10; i++) size.measured(1, 64);
  for (int i = 0; i < 20; i++) size.measured(500, 64);
  CHECK(size.hashes() == 1024);
});
