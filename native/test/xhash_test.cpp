// The function itself: known answers (from test/vectors), and every instruction set against the plain reference.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "../src/xhash/cache.h"
#include "../src/xhash/dataset.h"
#include "../src/xhash/keccak/keccak.h"
#include "../src/xhash/kernels/kernels.h"
#include "../src/xhash/kernels/simd.h"
#include "../src/xhash/sizes.h"
#include "../src/xhash/system/huge_buffer.h"
#include "harness.h"
#include "reference.h"

using namespace headframe;  // a test file: names of the one thing under test
using namespace headframe::test;
using xhash::Cache;
using xhash::Simd;

namespace {

const std::atomic<bool> never{false};

std::span<const std::uint8_t> text(const std::string& s) {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}

std::shared_ptr<const xhash::Dataset> whole_dataset(std::shared_ptr<const Cache> cache, std::uint64_t bytes,
                                                    unsigned threads) {
  std::shared_ptr<const xhash::Dataset> out;
  const auto build = xhash::DatasetBuild::start(std::move(cache), bytes, {threads}, [&](auto made) { out = made; });
  build->join();
  return out;
}

}  // namespace

TEST_CASE("SHA-3 and Keccak give the published digests", {
  CHECK(hex(xhash::sha3_256({})) == "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a");
  CHECK(hex(xhash::keccak_256({})) == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  CHECK(hex(xhash::sha3_512(text("abc"))) ==
        "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
        "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0");
  CHECK(hex(xhash::sha3_256(text(std::string(200, '\xa3')))) ==
        "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787");
});

TEST_CASE("every instruction set hashes messages of any lengths together", {
  Random random(5);
  std::vector<std::uint8_t> bytes(40 * 700);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
  for (const Simd simd : xhash::supported_simd()) {
    for (std::size_t count = 0; count <= 40; count++) {
      std::vector<xhash::Message> messages;
      for (std::size_t i = 0; i < count; i++) {
        messages.push_back(std::span<const std::uint8_t>(bytes).subspan(i * 700, random.next() % 690));
      }
      if (count > 3) messages[0] = {}, messages[1] = messages[1].first(0), messages[2] = {bytes.data(), 136};
      std::vector<xhash::Hash256> out(count);
      xhash::kernels_of(simd).hash_messages(messages, out.data());
      bool equal = true;
      for (std::size_t i = 0; i < count; i++) equal = equal && out[i] == xhash::keccak_256(messages[i]);
      CHECK(equal);
    }
  }
});

TEST_CASE("byte-wise FNV gives recorded values", {
  CHECK(xhash::fnv1(0, 0) == 0);
  CHECK(xhash::fnv1(0xffffffff, 0xffffffff) == 0x007ecd63);
  CHECK(xhash::fnv1(1, 0x01020304) == 0x6fc98381);
  CHECK(xhash::fnv1(0x107c3ac3, 0xb0c62b5a) == 0x02f8c160);
});

TEST_CASE("sizes and seeds of epochs are as recorded", {
  CHECK(xhash::cache_bytes(xhash::full_sizes, 0) == 16776896);
  CHECK(xhash::dataset_bytes(xhash::full_sizes, 0) == 1073739904);
  CHECK(xhash::cache_bytes(xhash::full_sizes, 1) == 16907456);
  CHECK(xhash::dataset_bytes(xhash::full_sizes, 1) == 1082130304);
  CHECK(hex(xhash::seed_hash(0)) == std::string(64, '0'));
  CHECK(hex(xhash::seed_hash(1)) == "98ad90833060d50f880b5eb465849d897ccfaebc9416082f97900ddd539a7e53");
});

TEST_CASE("the recorded seal of the small test cache is right", {
  const auto cache = Cache::build({}, 1024, Simd::scalar, never);
  Random random(1);
  xhash::LightInput input{};
  const std::string seal = "c9149cc0386e689d789a1c2f3d5d169a61a6218ed30e74414dc736e442ef3d1f";
  for (std::size_t i = 0; i < 32; i++) {
    input.seal_hash[i] = static_cast<std::uint8_t>(std::stoi(seal.substr(2 * i, 2), nullptr, 16));
  }
  xhash::HashResult out;
  cache->hash_light(32768, {&input, 1}, &out);
  CHECK(hex(out.mix_digest) == "a6aa4533a01db448f909bf40103c6b9dffdcff55b787e2f5fdc28f571bee1e98");
  CHECK(hex(out.result) == "2cffc56d74f843f15219f5da5f2aedd27e32d583e825acd2a88ead5a5a6cf0d3");
});

TEST_CASE("every instruction set builds the reference's cache", {
  Random random(2);
  for (const Simd simd : xhash::supported_simd()) {
    for (const std::size_t items : {1u, 2u, 5u, 16u, 1009u, 40000u}) {
      if (items == 40000u && simd != Simd::scalar) continue;
      const xhash::Hash256 seed = random.hash();
      const auto cache = Cache::build(seed, items * 64, simd, never);
      const Words expected = reference_cache(seed, items);
      CHECK(std::memcmp(cache->view().words, expected.data(), items * 64) == 0);
    }
  }
});

TEST_CASE("every instruction set makes the reference's items, in groups of any size", {
  Random random(3);
  for (const Simd simd : xhash::supported_simd()) {
    const xhash::Hash256 seed = random.hash();
    const Words words = reference_cache(seed, 509);
    const auto cache = Cache::of_content(bytes_of(words), simd);
    for (const std::size_t count : {1, 2, 3, 7, 8, 9, 16, 37, 95, 96, 97, 200}) {
      std::vector<std::uint32_t> indices(count);
      for (std::uint32_t& index : indices) index = static_cast<std::uint32_t>(random.next());
      if (count > 2) indices[0] = 0, indices[1] = 0xffffffff;
      const xhash::HugeBuffer out(count * 64);
      cache->make_items(indices, out.words());
      bool equal = true;
      for (std::size_t i = 0; i < count; i++) {
        const auto expected = reference_item(words, indices[i]);
        equal = equal && std::memcmp(out.words() + i * 16, expected.data(), 64) == 0;
      }
      CHECK(equal);
    }
  }
});

TEST_CASE("every instruction set gives the reference's light hash, in batches of any size", {
  Random random(4);
  const Words words = reference_cache(random.hash(), 251);
  for (const Simd simd : xhash::supported_simd()) {
    const auto cache = Cache::of_content(bytes_of(words), simd);
    for (const std::size_t count : {1u, 2u, 3u, 4u, 7u, 8u, 13u}) {
      std::vector<xhash::LightInput> inputs(count);
      for (auto& input : inputs) input = {random.hash(), random.next()};
      std::vector<xhash::HashResult> out(count);
      const std::uint32_t rows = 1 + static_cast<std::uint32_t>(random.next() % 5000);
      cache->hash_light(std::uint64_t{rows} * 128, inputs, out.data());
      for (std::size_t i = 0; i < count; i++) {
        CHECK(same(out[i], reference_hash(words, rows, inputs[i].seal_hash, inputs[i].nonce)));
      }
    }
  }
});

TEST_CASE("every instruction set builds the same dataset and finds the same nonces", {
  Random random(5);
  const Words words = reference_cache(random.hash(), 127);
  constexpr std::uint32_t rows = 5003;
  const xhash::Hash256 seal = random.hash();
  xhash::SearchInput input{seal, {}, UINT64_MAX - 50, 0};
  input.target.fill(0xff);
  input.target[0] = 0x08;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint8_t> first;
  for (const Simd simd : xhash::supported_simd()) {
    const auto cache = Cache::of_content(bytes_of(words), simd);
    const auto dataset = whole_dataset(cache, rows * 128, 3);
    const std::span<const std::uint8_t> content(reinterpret_cast<const std::uint8_t*>(dataset->view().words),
                                                rows * 128);
    if (first.empty()) first.assign(content.begin(), content.end());
    CHECK(std::equal(content.begin(), content.end(), first.begin()));
    for (const std::uint32_t count : {1u, 15u, 16u, 17u, 1000u}) {
      input.count = count;
      std::vector<xhash::Hit> hits(count);
      hits.resize(dataset->search(input, hits.data()));
      for (const xhash::Hit& hit : hits) CHECK(same(hit.hash, dataset->hash_full({seal, hit.nonce})));
      if (count < 1000) continue;
      std::vector<std::uint64_t> nonces;
      for (const xhash::Hit& hit : hits) nonces.push_back(hit.nonce);
      if (expected.empty()) expected = nonces;
      CHECK(nonces == expected);
      CHECK(nonces.size() > 10);
      xhash::HashResult light;
      const xhash::LightInput one{seal, nonces[0]};
      cache->hash_light(rows * 128, {&one, 1}, &light);
      CHECK(same(light, hits[0].hash));
    }
  }
});

TEST_CASE("a hit equal to the target counts, one above it does not", {
  const auto cache = Cache::build({}, 1024, Simd::scalar, never);
  const auto dataset = whole_dataset(cache, 32768, 1);
  const xhash::HashResult hash = dataset->hash_full({{}, 42});
  xhash::Hit hit;
  xhash::SearchInput input{{}, hash.result, 42, 1};
  CHECK(dataset->search(input, &hit) == 1);
  for (std::size_t i = 32; i-- > 0;) {
    if (input.target[i]-- != 0) break;
  }
  CHECK(dataset->search(input, &hit) == 0);
});

TEST_CASE("a cancelled dataset build reports nothing and ends soon", {
  const auto cache = Cache::build({}, 64 * 4093, Simd::scalar, never);
  bool reported = false;
  bool whole = true;
  const auto build = xhash::DatasetBuild::start(cache, std::uint64_t{1} << 28, {2}, [&](auto made) {
    reported = true;
    whole = made != nullptr;
  });
  build->cancel();
  build->join();
  CHECK(reported);
  CHECK(!whole);
  CHECK(build->progress() < 1);
});

TEST_CASE("a cancelled cache build gives nothing", {
  const std::atomic<bool> cancelled{true};
  CHECK(Cache::build({}, 64 * 16381, Simd::scalar, cancelled) == nullptr);
});

TEST_CASE("progress of a finished build is 1", {
  std::shared_ptr<const xhash::Dataset> made;
  const auto build =
      xhash::DatasetBuild::start(Cache::build({}, 1024, Simd::scalar, never), 32768, {8}, [&](auto d) { made = d; });
  build->join();
  CHECK(made != nullptr);
  CHECK(build->progress() == 1);
});
