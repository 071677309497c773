#include "cache.h"

#include <cstring>
#include <utility>

namespace headframe::xhash {

std::shared_ptr<const Cache> Cache::build(const Hash256& seed, std::size_t bytes, Simd simd,
                                          const std::atomic<bool>& cancelled) {
  HugeBuffer buffer(bytes);
  if (buffer.words() == nullptr) return nullptr;
  const Kernels& kernels = kernels_of(simd);
  const auto items = static_cast<std::uint32_t>(bytes / item_bytes);
  if (!kernels.fill_cache(buffer.words(), items, seed, cancelled)) return nullptr;
  return std::make_shared<const Cache>(std::move(buffer), items, kernels);
}

std::shared_ptr<const Cache> Cache::of_content(std::span<const std::uint8_t> content, Simd simd) {
  HugeBuffer buffer(content.size());
  if (buffer.words() == nullptr) return nullptr;
  std::memcpy(buffer.words(), content.data(), content.size());
  const auto items = static_cast<std::uint32_t>(content.size() / item_bytes);
  return std::make_shared<const Cache>(std::move(buffer), items, kernels_of(simd));
}

void Cache::hash_light(std::uint64_t dataset_bytes, std::span<const LightInput> inputs,
                       HashResult* out) const noexcept {
  const FastModulus rows(static_cast<std::uint32_t>(dataset_bytes / row_bytes));
  kernels_.hash_light(view(), rows, inputs, out);
}

void Cache::make_items(std::span<const std::uint32_t> indices, std::uint32_t* out) const noexcept {
  kernels_.make_items(view(), indices.data(), indices.size(), out);
}

}  // namespace headframe::xhash
