// The CPU device: job changes, segments, events, and stopping in the middle of work.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "../src/farm/cpu_search.h"
#include "../src/xhash/sizes.h"
#include "harness.h"
#include "reference.h"

using namespace headframe;
using namespace headframe::test;
using farm::CpuSearch;
using farm::SearchEvent;

namespace {

const std::atomic<bool> never{false};

std::shared_ptr<const xhash::Dataset> small_dataset() {
  std::shared_ptr<const xhash::Dataset> out;
  const auto best = xhash::supported_simd().back();
  const auto build = xhash::DatasetBuild::start(xhash::Cache::build({}, 1024, best, never), 32768, {1},
                                                [&](auto made) { out = made; });
  build->join();
  return out;
}

farm::Job job_of(std::uint64_t token, std::uint8_t top_byte_of_target, std::uint8_t segment_bits) {
  farm::Job job{token, {}, {}, 1000, segment_bits};
  job.target.fill(0xff);
  job.target[0] = top_byte_of_target;
  return job;
}

void wait_for(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

TEST_CASE("threads together search each nonce of a segment once", {
  const auto dataset = small_dataset();
  const farm::Job job = job_of(7, 0x0f, 12);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 4096; i++) {
    if (dataset->hash_full({job.seal_hash, 1000 + i}).result <= job.target) expected.push_back(1000 + i);
  }
  for (const unsigned threads : {1u, 2u, 3u, 7u}) {
    CpuSearch search("test", threads, [] {});
    std::vector<SearchEvent> events;
    search.set_dataset(dataset);
    search.set_job(job);
    wait_for([&] {
      for (const SearchEvent& event : search.take_events()) events.push_back(event);
      return !events.empty() && !events.back().hit;
    });
    std::vector<std::uint64_t> found;
    for (const SearchEvent& event : events) {
      CHECK(event.token == 7);
      if (event.hit) found.push_back(event.hit->nonce);
    }
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
    CHECK(search.hash_count() == 4096);
  }
});

TEST_CASE("a segment smaller than the number of threads is searched and reported", {
  CpuSearch search("test", 8, [] {});
  search.set_dataset(small_dataset());
  search.set_job(job_of(1, 0xff, 0));
  std::size_t hits = 0;
  bool finished = false;
  wait_for([&] {
    for (const SearchEvent& event : search.take_events()) event.hit ? static_cast<void>(hits++) : void(finished = true);
    return finished;
  });
  CHECK(finished);
  CHECK(hits == 1);
});

TEST_CASE("running threads leave a job for a new one after the batch at hand", {
  constexpr std::uint64_t jobs = 20;
  constexpr std::uint64_t at_hand = 2 * 256;  // two threads with a batch each
  CpuSearch search("test", 2, [] {});
  search.set_dataset(small_dataset());
  std::vector<std::uint64_t> hits_of(jobs + 1);
  std::vector<std::uint64_t> counted_before(jobs + 1);
  const auto take = [&] {
    for (const SearchEvent& event : search.take_events()) hits_of[event.token]++;
  };
  // Every hash is a hit, and no segment ends while the test runs.
  for (std::uint64_t token = 1; token <= jobs; token++) {
    search.set_job(job_of(token, 0xff, 40));
    counted_before[token] = search.hash_count();
    wait_for([&] {
      take();
      return hits_of[token] > 0;
    });
    CHECK(hits_of[token] > 0);
  }
  search.stop();
  take();
  std::uint64_t hits_of_older = 0;
  for (std::uint64_t token = 1; token <= jobs; token++) {
    CHECK(hits_of_older <= counted_before[token] + at_hand);
    hits_of_older += hits_of[token];
  }
});

TEST_CASE("hits past the queue's bound are dropped and counted, the end of the segment is not", {
  CpuSearch search("test", 2, [] {});
  search.set_dataset(small_dataset());
  search.set_job(job_of(1, 0xff, 14));
  wait_for([&] { return search.hash_count() == 16384; });
  search.stop();
  const auto events = search.take_events();
  CHECK(events.size() == CpuSearch::queue_limit + 1);
  CHECK(!events.back().hit);
  CHECK(search.dropped_hits() == 16384 - CpuSearch::queue_limit);
});

TEST_CASE("notifies once until its events are taken", {
  std::atomic<int> notified{0};
  CpuSearch search("test", 2, [&] { notified++; });
  search.set_dataset(small_dataset());
  search.set_job(job_of(1, 0xff, 10));
  wait_for([&] { return search.hash_count() == 1024; });
  CHECK(notified == 1);
  CHECK(search.take_events().size() >= 1024);  // the end of the segment may come a moment later
  search.set_job(job_of(2, 0xff, 10));
  wait_for([&] { return notified == 2; });
  CHECK(notified == 2);
});

TEST_CASE("sleeps without a job, and lets go of a dataset that was replaced", {
  CpuSearch search("test", 2, [] {});
  auto old = small_dataset();
  const std::weak_ptr<const xhash::Dataset> watched = old;
  search.set_dataset(std::move(old));
  search.set_job(job_of(1, 0, 50));
  wait_for([&] { return search.hash_count() > 0; });
  search.set_dataset(small_dataset());
  wait_for([&] { return watched.expired(); });
  CHECK(watched.expired());
  const auto count = search.hash_count();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK(search.hash_count() == count);
});

TEST_CASE("stops in the middle of a search, and twice", {
  for (int i = 0; i < 50; i++) {
    CpuSearch search("test", 3, [] {});
    search.set_dataset(small_dataset());
    search.set_job(job_of(1, 0x7f, 60));
    if (i % 2 == 0) search.stop();
    search.stop();
  }
  CHECK(true);
});
