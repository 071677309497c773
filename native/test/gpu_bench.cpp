// Measures the GPUs of this computer: `npm run bench -- --gpu`. For each device: building its kernels, making the
// dataset of epoch 0, each kernel and group size for a moment, then the best one for longer, with its power. Every hit
// and some items are verified on the CPU.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

#include "../src/gpu/cuda/cuda_driver.h"
#include "../src/gpu/cuda/cuda_library.h"
#include "../src/gpu/opencl/opencl_driver.h"
#include "../src/sensors/nvml.h"
#include "../src/xhash/cache.h"
#include "../src/xhash/kernels/simd.h"
#include "../src/xhash/sizes.h"

using namespace headframe;
using gpu::BatchResult;
using gpu::Device;
using gpu::DeviceFacts;
using gpu::Driver;
using gpu::Fault;
using gpu::LaunchShape;
using xhash::Cache;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double bytes_per_hash = xhash::accesses * xhash::row_bytes;
constexpr double batch_seconds = 0.03;
constexpr double trial_seconds = 0.5;
constexpr std::uint32_t slice_items = 1u << 18;
constexpr std::uint64_t target_top = UINT64_MAX >> 26;  // a hit in 64 million hashes
constexpr std::uint32_t largest_batch = 1u << 28;
const std::atomic<bool> never{false};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool report(const char* what, const gpu::Outcome& failed) {
  if (failed) std::printf("  %s failed: %s\n", what, failed->text.c_str());
  return failed.has_value();
}

/// Memory bandwidth from clock and bus width, in bytes per second; empty if the driver doesn't report them.
std::optional<double> memory_speed(const gpu::cuda::Library& library, std::size_t index) {
  constexpr auto clock_khz = static_cast<gpu::cuda::Attribute>(36);
  constexpr auto width_bits = static_cast<gpu::cuda::Attribute>(37);
  int clock = 0;
  int width = 0;
  const auto device = static_cast<gpu::cuda::DeviceId>(index);
  const auto& cuda = library.functions();
  if (cuda.DeviceGetAttribute(&clock, clock_khz, device) != gpu::cuda::success || clock == 0) return std::nullopt;
  if (cuda.DeviceGetAttribute(&width, width_bits, device) != gpu::cuda::success) return std::nullopt;
  return 2.0 * clock * 1000 * width / 8;  // two transfers per clock
}

/// Reads the power draw during a measurement; its mean, or nothing.
class PowerMeter {
public:
  PowerMeter(std::shared_ptr<sensors::Nvml> nvml, const std::string& pci) {
    if (nvml == nullptr || pci.empty()) return;
    const std::string bus = pci.size() > 7 ? "0000" + pci : "00000000:" + pci;
    thread_ = std::thread([this, nvml = std::move(nvml), bus] { run(*nvml, bus); });
  }
  ~PowerMeter() { stop(); }
  PowerMeter(const PowerMeter&) = delete;
  PowerMeter& operator=(const PowerMeter&) = delete;

  std::optional<double> stop() {
    ended_ = true;
    if (thread_.joinable()) thread_.join();
    return readings_ == 0 ? std::nullopt : std::optional(sum_ / readings_);
  }

private:
  void run(const sensors::Nvml& nvml, const std::string& bus) {
    while (!ended_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      const auto read = nvml.read(bus);
      const auto* const reading = std::get_if<sensors::NvmlReading>(&read);
      if (reading == nullptr || !reading->power_watts) continue;
      sum_ += *reading->power_watts;
      readings_++;
    }
  }
  std::atomic<bool> ended_{false};
  double sum_ = 0;
  int readings_ = 0;
  std::thread thread_;
};

/// One device under measurement.
class Bench {
public:
  Bench(Device& device, std::shared_ptr<const Cache> cache, std::uint64_t dataset_bytes)
      : device_(device), cache_(std::move(cache)), dataset_bytes_(dataset_bytes) {}

  /// Seconds; nothing if it failed.
  std::optional<double> make_dataset() {
    const std::span<const std::uint32_t> words(cache_->view().words, cache_->bytes() / 4);
    const auto start = Clock::now();
    if (report("dataset", device_.begin_dataset(words, dataset_bytes_))) return std::nullopt;
    const std::uint64_t items = dataset_bytes_ / xhash::item_bytes;
    for (std::uint64_t first = 0; first < items; first += slice_items) {
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(slice_items, items - first));
      if (report("items", device_.fill_items(first, count))) return std::nullopt;
    }
    const double seconds = seconds_since(start);
    if (report("dataset", device_.end_dataset()) || !items_are_right(items)) return std::nullopt;
    if (report("job", device_.set_job(seal_hash_, target_top))) return std::nullopt;
    return seconds;
  }

  /// A batch of about batch_seconds.
  std::optional<LaunchShape> fitted(LaunchShape shape) {
    for (;;) {
      const auto start = Clock::now();
      if (!run_one(shape)) return std::nullopt;
      if (seconds_since(start) >= batch_seconds || shape.batch_hashes >= largest_batch) return shape;
      shape.batch_hashes *= 2;
    }
  }

  /// H/s with two launches in flight.
  std::optional<double> rate(const LaunchShape& shape, double seconds) {
    std::uint64_t finished = 0;
    if (!start(0, shape) || !start(1, shape)) return std::nullopt;
    const auto began = Clock::now();
    unsigned slot = 0;
    while (seconds_since(began) < seconds) {
      if (!finish(slot) || !start(slot, shape)) return std::nullopt;
      finished += shape.batch_hashes;
      slot = 1 - slot;
    }
    const double took = seconds_since(began);
    if (!finish(slot) || !finish(1 - slot)) return std::nullopt;
    return static_cast<double>(finished) / took;
  }

  [[nodiscard]] std::uint64_t hits() const { return hits_; }
  [[nodiscard]] std::uint64_t wrong_hits() const { return wrong_hits_; }
  [[nodiscard]] double expected_hits() const { return static_cast<double>(hashes_) / static_cast<double>(1u << 26); }

private:
  bool items_are_right(std::uint64_t items) {
    for (std::uint64_t i = 0; i < 1000; i++) {
      const auto index = static_cast<std::uint32_t>(i * (items - 1) / 999);
      std::uint8_t item[xhash::item_bytes];
      alignas(64) std::uint32_t expected[xhash::item_words];
      if (report("item", device_.read_item(index, item))) return false;
      cache_->make_items({&index, 1}, expected);
      if (std::memcmp(item, expected, sizeof item) == 0) continue;
      std::printf("  item %u is wrong\n", index);
      return false;
    }
    return true;
  }
  bool run_one(const LaunchShape& shape) { return start(0, shape) && finish(0); }
  bool start(unsigned slot, const LaunchShape& shape) {
    first_[slot] = next_nonce_;
    next_nonce_ += shape.batch_hashes;
    hashes_ += shape.batch_hashes;
    return !report("launch", device_.launch(slot, first_[slot], shape));
  }
  bool finish(unsigned slot) {
    BatchResult result;
    if (report("search", device_.finish(slot, result))) return false;
    hits_ += result.hits;
    for (std::size_t i = 0; i < std::min<std::size_t>(result.hits, BatchResult::room); i++) {
      const xhash::LightInput input{seal_hash_, first_[slot] + result.offsets[i]};
      xhash::HashResult hash;
      cache_->hash_light(dataset_bytes_, {&input, 1}, &hash);
      const bool right = hash.result[0] == 0 && hash.result[1] == 0 && hash.result[2] == 0 && hash.result[3] < 64;
      if (!right) wrong_hits_++;
    }
    return true;
  }

  Device& device_;
  std::shared_ptr<const Cache> cache_;
  std::uint64_t dataset_bytes_;
  xhash::Hash256 seal_hash_{};
  std::uint64_t first_[Device::slots] = {};
  std::uint64_t next_nonce_ = 0;
  std::uint64_t hashes_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t wrong_hits_ = 0;
};

struct Limits {
  double seconds;  ///< of the last measurement
  std::optional<double> memory_speed;
  std::shared_ptr<sensors::Nvml> nvml;
};

std::string share_text(double rate, const Limits& limits) {
  if (!limits.memory_speed) return "";
  char text[64];
  std::snprintf(text, sizeof text, ", %.1f %% of the memory's %.1f MH/s",
                100 * rate * bytes_per_hash / *limits.memory_speed, *limits.memory_speed / bytes_per_hash / 1e6);
  return text;
}

/// Tries every kernel and group size, then runs the best for `seconds`. False if something failed or was wrong.
bool measure(Bench& bench, const Device& device, const std::string& pci, const Limits& limits) {
  const double seconds = limits.seconds;
  std::optional<LaunchShape> best;
  double best_rate = 0;
  for (std::uint8_t variant = 0; variant < device.variants(); variant++) {
    for (const std::uint32_t group : device.group_sizes()) {
      const auto shape = bench.fitted({group, device.default_shape().batch_hashes / group * group, variant});
      const auto rate = shape ? bench.rate(*shape, trial_seconds) : std::nullopt;
      if (!rate) return false;
      std::printf("  kernel %u, groups of %3u, batches of %9u: %8.2f MH/s%s\n", variant, group, shape->batch_hashes,
                  *rate / 1e6, share_text(*rate, limits).c_str());
      if (*rate > best_rate) best = shape;
      best_rate = std::max(best_rate, *rate);
    }
  }
  PowerMeter power(limits.nvml, pci);
  const auto rate = bench.rate(*best, seconds);
  const auto watts = power.stop();
  if (!rate) return false;
  std::printf("  best for %.0f s: %.2f MH/s%s", seconds, *rate / 1e6, share_text(*rate, limits).c_str());
  if (watts) std::printf(", %.1f W, %.2f J/MH", *watts, *watts / *rate * 1e6);
  std::printf("\n  hits: %llu, by chance %.1f; wrong: %llu\n", static_cast<unsigned long long>(bench.hits()),
              bench.expected_hits(), static_cast<unsigned long long>(bench.wrong_hits()));
  return bench.wrong_hits() == 0;
}

bool bench_device(Driver& driver, std::size_t index, const Limits& limits) {
  const DeviceFacts facts = driver.devices()[index];
  std::printf("%s (%s), %s, %u units, %.1f GB\n", facts.name.c_str(), facts.pci.c_str(), facts.driver.c_str(),
              facts.compute_units, static_cast<double>(facts.memory_bytes) / 1e9);
  auto start = Clock::now();
  Fault fault;
  const auto device = driver.open(index, "", fault);
  if (device == nullptr) return !report("open", fault);
  std::printf("  kernels ready after %.2f s\n", seconds_since(start));
  const auto cache = Cache::build({}, xhash::cache_bytes(xhash::full_sizes, 0), xhash::supported_simd().back(), never);
  Bench bench(*device, cache, xhash::dataset_bytes(xhash::full_sizes, 0));
  const auto dataset_seconds = bench.make_dataset();
  if (!dataset_seconds) return false;
  std::printf("  dataset of epoch 0 after %.2f s, 1000 items of it checked\n", *dataset_seconds);
  return measure(bench, *device, facts.pci, limits);
}

/// Devices measured; counts failures into `failed`.
std::size_t bench_cuda(const std::string& resources, double seconds, int& failed) {
  const gpu::CudaOptions options{"", resources + "/cuda"};
  auto opened = gpu::open_cuda(options);
  if (const auto* const reason = std::get_if<std::string>(&opened)) {
    std::printf("CUDA: no GPU: %s\n", reason->c_str());
    return 0;
  }
  Limits limits{seconds, {}, {}};
#ifdef _WIN32
  const auto library = gpu::cuda::Library::open("nvcuda.dll");
  auto nvml = sensors::Nvml::open("nvml.dll");
#else
  const auto library = gpu::cuda::Library::open("libcuda.so.1");
  auto nvml = sensors::Nvml::open("libnvidia-ml.so.1");
#endif
  if (auto* const found = std::get_if<std::shared_ptr<sensors::Nvml>>(&nvml)) limits.nvml = *found;
  const auto driver = std::get<std::shared_ptr<Driver>>(opened);
  const std::size_t count = driver->devices().size();
  for (std::size_t index = 0; index < count; index++) {
    limits.memory_speed = memory_speed(*std::get<std::shared_ptr<const gpu::cuda::Library>>(library), index);
    std::printf("CUDA %zu: ", index);
    if (!bench_device(*driver, index, limits)) failed++;
  }
  return count;
}

std::size_t bench_opencl(const std::string& resources, double seconds, int& failed) {
  std::ifstream file(resources + "/opencl/xhash.cl");
  const std::string source{std::istreambuf_iterator<char>(file), {}};
#ifdef _WIN32
  auto opened = gpu::open_opencl({"OpenCL.dll", source});
#else
  auto opened = gpu::open_opencl({"libOpenCL.so.1", source});
#endif
  if (const auto* const reason = std::get_if<std::string>(&opened)) {
    std::printf("OpenCL: no GPU: %s\n", reason->c_str());
    return 0;
  }
  const auto driver = std::get<std::shared_ptr<Driver>>(opened);
  const auto all = driver->devices();
  std::size_t measured = 0;
  for (std::size_t index = 0; index < all.size(); index++) {
    if (all[index].is_cpu) continue;  // npm run bench measures CPUs
    std::printf("OpenCL %zu: ", index);
    if (!bench_device(*driver, index, {seconds, {}, {}})) failed++;
    measured++;
  }
  if (measured == 0) std::printf("OpenCL: no GPU\n");
  return measured;
}

}  // namespace

/// Arguments: the folder `resources`, seconds for the last measurement.
int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: gpu_bench RESOURCES SECONDS\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const double seconds = std::atof(argv[2]);
  int failed = 0;
  const std::size_t measured = bench_cuda(argv[1], seconds, failed) + bench_opencl(argv[1], seconds, failed);
  if (measured == 0) std::printf("no GPU\n");
  return failed == 0 ? 0 : 1;
}
