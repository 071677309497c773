// The CUDA backend's own code against our own driver library, which runs the kernels on the CPU and fails on command.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../src/gpu/cuda/cuda_driver.h"
#include "harness.h"
#include "reference.h"

using namespace headframe;
using namespace headframe::test;
using gpu::BatchResult;
using gpu::Device;
using gpu::Driver;
using gpu::Fault;

namespace {

constexpr std::uint32_t cache_items = 61;
constexpr std::uint32_t rows = 97;
constexpr gpu::LaunchShape shape{64, 128, 0};

/// The fake library's command file, for as long as a test runs.
class Faults {
public:
  Faults() : path_(std::filesystem::temp_directory_path() / ("headframe-cuda-faults-" + std::to_string(getpid()))) {
    set("");
    setenv("FAKE_CUDA_FAULTS", path_.c_str(), 1);
  }
  ~Faults() { std::filesystem::remove(path_); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  /// In one step: a stream of the library may be reading.
  void set(const std::string& words) {
    const std::filesystem::path next = path_.string() + ".next";
    std::ofstream(next) << words;
    std::filesystem::rename(next, path_);
  }

private:
  std::filesystem::path path_;
};

gpu::CudaOptions options() { return {HEADFRAME_FAKE_CUDA, HEADFRAME_CUDA_RESOURCES}; }

std::shared_ptr<Driver> open_driver() {
  auto opened = gpu::open_cuda(options());
  const auto* const driver = std::get_if<std::shared_ptr<Driver>>(&opened);
  CHECK(driver != nullptr);
  return driver == nullptr ? nullptr : *driver;
}

std::string reason_of(const gpu::CudaOptions& wanted) {
  const auto opened = gpu::open_cuda(wanted);
  const auto* const reason = std::get_if<std::string>(&opened);
  return reason == nullptr ? "opened" : *reason;
}

int ask_library(const char* question) {
  return reinterpret_cast<int (*)()>(dlsym(dlopen(HEADFRAME_FAKE_CUDA, RTLD_NOW), question))();
}

/// Handles that the library created and that aren't released yet.
int live_objects() { return ask_library("fake_cuda_live"); }

std::unique_ptr<Device> open_device(Driver& driver, std::size_t index) {
  Fault fault;
  auto device = driver.open(index, "", fault);
  if (device == nullptr) std::printf("    %s\n", fault.text.c_str());
  CHECK(device != nullptr);
  return device;
}

const Words& cache_words() {
  static const Words words = reference_cache({}, cache_items);
  return words;
}

bool fill(Device& device) {
  if (device.begin_dataset(cache_words(), rows * xhash::row_bytes)) return false;
  for (std::uint32_t first = 0; first < 2 * rows; first += 50) {
    if (device.fill_items(first, std::min(50u, 2 * rows - first))) return false;
  }
  return !device.end_dataset();
}

std::vector<std::uint32_t> sorted(const BatchResult& result) {
  std::vector<std::uint32_t> offsets(result.offsets.begin(), result.offsets.begin() + std::min(result.hits, 16u));
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

std::vector<std::uint32_t> expected_offsets(const xhash::Hash256& seal, std::uint64_t first, std::uint64_t target_top) {
  static const Words dataset = reference_rows(cache_words(), rows);
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t i = 0; i < shape.batch_hashes; i++) {
    const auto hash = reference_hash(dataset, seal, first + i);
    std::uint64_t top = 0;
    for (std::size_t b = 0; b < 8; b++) top = top << 8 | hash.result[b];
    if (top <= target_top) offsets.push_back(i);
  }
  return offsets;
}

}  // namespace

TEST_CASE("CUDA device: tells of the cards what the driver knows", {
  Faults faults;
  const auto driver = open_driver();
  const auto devices = driver->devices();
  CHECK(devices.size() == 2);
  CHECK(devices[0].name == "Fake GPU 0");
  CHECK(devices[0].vendor == "NVIDIA");
  CHECK(devices[0].driver == "CUDA 12.9");
  CHECK(devices[0].pci == "0a:00.0");
  CHECK(devices[1].pci == "0001:01:00.0");
  CHECK(devices[0].memory_bytes == 1u << 30);
  CHECK(devices[0].largest_allocation_bytes == 1u << 30);
  CHECK(devices[0].compute_units == 1);
  faults.set("devices=0");
  CHECK(driver->devices().empty());
});

TEST_CASE("CUDA device: makes the dataset, keeps two launches of different jobs apart, and leaves nothing behind", {
  Faults faults;
  {
    const auto driver = open_driver();
    const auto device = open_device(*driver, 1);
    CHECK(fill(*device));
    for (const std::uint32_t index : {0u, 49u, 50u, 2 * rows - 1}) {
      std::uint8_t item[xhash::item_bytes];
      CHECK(!device->read_item(index, item));
      CHECK(std::memcmp(item, reference_item(cache_words(), index).data(), sizeof item) == 0);
    }
    Random random(1);
    CHECK(device->variants() == 4);
    for (std::uint8_t variant = 0; variant < device->variants(); variant++) {
      const gpu::LaunchShape own{shape.group_size, shape.batch_hashes, variant};
      const xhash::Hash256 first_job = random.hash();
      const xhash::Hash256 second_job = random.hash();
      CHECK(!device->set_job(first_job, UINT64_MAX / 16));
      CHECK(!device->launch(0, 1000, own));
      CHECK(!device->set_job(second_job, UINT64_MAX / 20));
      CHECK(!device->launch(1, UINT64_MAX - 3, own));
      BatchResult first;
      BatchResult second;
      CHECK(!device->finish(0, first));
      CHECK(!device->finish(1, second));
      CHECK(sorted(first) == expected_offsets(first_job, 1000, UINT64_MAX / 16));
      CHECK(sorted(second) == expected_offsets(second_job, UINT64_MAX - 3, UINT64_MAX / 20));
      CHECK(first.hits > 0);
    }
    CHECK(!device->set_job({}, UINT64_MAX));
    CHECK(!device->launch(0, 0, shape));
    BatchResult all;
    CHECK(!device->finish(0, all));
    CHECK(all.hits == shape.batch_hashes);
    CHECK(!device->launch(0, 0, {16, 16, 0}));  // less than a warp
    CHECK(!device->finish(0, all));
    CHECK(all.hits == 16 && sorted(all).back() == 15);
    CHECK(fill(*device));  // again: the old one goes first
  }
  CHECK(live_objects() == 0);
});

TEST_CASE("CUDA device: uses the build that suits an old card, and refuses older ones", {
  Faults faults;
  faults.set("capability=60");
  const auto driver = open_driver();
  {
    const auto device = open_device(*driver, 0);
    CHECK(device->variants() == 2);
    CHECK(fill(*device));
    CHECK(!device->set_job({}, UINT64_MAX / 16));
    CHECK(!device->launch(1, 7, shape));
    BatchResult result;
    CHECK(!device->finish(1, result));
    CHECK(sorted(result) == expected_offsets({}, 7, UINT64_MAX / 16));
  }
  faults.set("capability=52");
  Fault fault;
  CHECK(driver->open(0, "", fault) == nullptr);
  CHECK(fault.kind == Fault::Kind::build);
  CHECK(fault.text == "compute capability 5.2 is too old: needed is 6.0 or newer");
  CHECK(live_objects() == 0);
});

TEST_CASE("CUDA device: loads the newest build that both card and driver take", {
  Faults faults;
  const struct {
    const char* words;
    int target;
  } cases[] = {{"capability=90", 80}, {"capability=80 version=11040", 80}, {"capability=86 version=11030", 61},
               {"capability=75", 61}, {"capability=61 version=9000", 61},  {"capability=60", 60}};
  for (const auto& [words, target] : cases) {
    faults.set(words);
    const auto driver = open_driver();  // asks for the version
    const auto device = open_device(*driver, 0);
    CHECK(ask_library("fake_cuda_target") == target);
  }
});

TEST_CASE("CUDA device: waits in each way that there is", {
  Faults faults;
  for (const gpu::CudaWait wait :
       {gpu::CudaWait::automatic, gpu::CudaWait::spin, gpu::CudaWait::yield, gpu::CudaWait::sleep}) {
    gpu::CudaOptions wanted = options();
    wanted.wait = wait;
    const auto opened = gpu::open_cuda(wanted);
    const auto device = open_device(*std::get<std::shared_ptr<Driver>>(opened), 1);
    CHECK(fill(*device));
  }
});

TEST_CASE("CUDA device: launch shapes and orders that cannot be are refused", {
  Faults faults;
  const auto driver = open_driver();
  const auto device = open_device(*driver, 0);
  CHECK(device->launch(0, 0, shape)->kind == Fault::Kind::other);  // no dataset
  CHECK(device->fill_items(0, 1)->kind == Fault::Kind::other);
  CHECK(device->begin_dataset(cache_words(), 100)->kind == Fault::Kind::other);
  CHECK(fill(*device));
  for (const gpu::LaunchShape& wrong : {gpu::LaunchShape{96, 96, 0}, gpu::LaunchShape{512, 512, 0},
                                        gpu::LaunchShape{64, 0, 0}, gpu::LaunchShape{64, 64, 4}}) {
    CHECK(device->launch(0, 0, wrong)->kind == Fault::Kind::other);
  }
  const gpu::LaunchShape usual = device->default_shape();
  CHECK(usual.batch_hashes % usual.group_size == 0);
});

TEST_CASE("CUDA device: too little memory is said with its size, and the device works on", {
  Faults faults;
  const auto driver = open_driver();
  const auto device = open_device(*driver, 0);
  faults.set("memory=14000");
  const auto failed =
      device->begin_dataset(cache_words(), rows * xhash::row_bytes);  // enough for it, not for the cache
  CHECK(failed && failed->kind == Fault::Kind::out_of_memory);
  CHECK(failed->text == "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), 1 MiB for the cache");
  faults.set("memory=20000");
  CHECK(fill(*device));
});

TEST_CASE("CUDA device: a kernel that cannot be built brings the compiler's words", {
  Faults faults;
  faults.set("jit");
  const auto driver = open_driver();
  Fault fault;
  CHECK(driver->open(0, "", fault) == nullptr);
  CHECK(fault.kind == Fault::Kind::build);
  CHECK(fault.text ==
        "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218): ptxas application ptx input, line 9; error : refused");
  faults.set("");
  auto elsewhere = gpu::open_cuda({HEADFRAME_FAKE_CUDA, "/nonexistent"});
  CHECK(std::get<std::shared_ptr<Driver>>(elsewhere)->open(0, "", fault) == nullptr);
  CHECK(fault.kind == Fault::Kind::build);
  CHECK(fault.text == "/nonexistent/xhash.sm_80.ptx cannot be read");
  CHECK(live_objects() == 0);
});

TEST_CASE("CUDA device: is lost when a kernel or the card fails, and works when opened anew", {
  Faults faults;
  const auto driver = open_driver();
  for (const char* const word : {"launch", "lost"}) {
    auto device = open_device(*driver, 0);
    CHECK(fill(*device));
    CHECK(!device->set_job({}, UINT64_MAX / 16));
    faults.set(word);
    CHECK(!device->launch(0, 0, shape));
    BatchResult result;
    const auto failed = device->finish(0, result);
    CHECK(failed && failed->kind == Fault::Kind::lost);
    CHECK(failed->text == (word == std::string("lost") ? "cuEventSynchronize: CUDA_ERROR_UNKNOWN (999)"
                                                       : "cuEventSynchronize: CUDA_ERROR_LAUNCH_FAILED (719)"));
    faults.set("");
    CHECK(device->launch(0, 0, shape)->kind == Fault::Kind::lost);
    device.reset();
    CHECK(live_objects() == 0);
    device = open_device(*driver, 0);
    CHECK(fill(*device));
  }
});

TEST_CASE("CUDA device: a kernel that fails before its launch is over is told by the launch", {
  Faults faults;
  const auto driver = open_driver();
  auto device = open_device(*driver, 0);
  CHECK(fill(*device));
  CHECK(!device->set_job({}, UINT64_MAX / 16));
  faults.set("early");
  const auto failed = device->launch(0, 0, shape);
  CHECK(failed && failed->kind == Fault::Kind::lost);
  CHECK(failed->text == "cuEventRecord: CUDA_ERROR_LAUNCH_FAILED (719)");
  device.reset();
  CHECK(live_objects() == 0);
});

TEST_CASE("CUDA device: one that hangs stops no other", {
  Faults faults;
  const auto driver = open_driver();
  const auto hung = open_device(*driver, 0);
  const auto healthy = open_device(*driver, 1);
  CHECK(fill(*hung) && fill(*healthy));
  CHECK(!hung->set_job({}, UINT64_MAX / 16) && !healthy->set_job({}, UINT64_MAX / 16));
  faults.set("hang");
  const auto expected = expected_offsets({}, 5, UINT64_MAX / 16);
  std::atomic<bool> answered{false};
  std::thread waiting([&] {
    BatchResult late;
    CHECK(!hung->launch(0, 5, shape));
    CHECK(!hung->finish(0, late));
    answered = true;
    CHECK(sorted(late) == expected);
  });
  for (unsigned i = 0; i < 20; i++) {
    BatchResult result;
    CHECK(!healthy->launch(i % 2, 5, shape));
    CHECK(!healthy->finish(i % 2, result));
    CHECK(sorted(result) == expected);
  }
  CHECK(!answered);
  faults.set("");
  waiting.join();
});

TEST_CASE("CUDA device: no driver, an old one and no card are told apart", {
  Faults faults;
  CHECK(reason_of({"/nonexistent/libcuda.so.1", ""}).find("/nonexistent/libcuda.so.1") != std::string::npos);
  CHECK(reason_of({HEADFRAME_OLD_CUDA, ""}).ends_with(" has no cuDriverGetVersion: the NVIDIA driver is too old"));
  faults.set("no-device");
  CHECK(reason_of(options()) == "cuInit: CUDA_ERROR_NO_DEVICE (100)");
  faults.set("version=8000");
  CHECK(reason_of(options()) == "the NVIDIA driver is too old: it speaks CUDA 8.0, needed is 9.0 or newer");
});
