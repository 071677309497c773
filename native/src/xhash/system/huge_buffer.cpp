#include "huge_buffer.h"

#include <utility>

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace headframe::xhash {

#if defined(_WIN32)

HugeBuffer::HugeBuffer(std::size_t bytes) noexcept : mapped_bytes_(bytes) {
  mapping_ = VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  words_ = static_cast<std::uint32_t*>(mapping_);
}

HugeBuffer::~HugeBuffer() {
  if (mapping_ != nullptr) VirtualFree(mapping_, 0, MEM_RELEASE);
}

#else

HugeBuffer::HugeBuffer(std::size_t bytes) noexcept {
  constexpr std::size_t huge_page = std::size_t{1} << 21;
  const std::size_t spare = bytes >= huge_page ? huge_page : 0;
  void* const mapping = mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return;
  mapping_ = mapping;
  mapped_bytes_ = bytes + spare;
  std::uintptr_t start = reinterpret_cast<std::uintptr_t>(mapping);
  if (spare > 0) start = (start + huge_page - 1) & ~(huge_page - 1);
  words_ = reinterpret_cast<std::uint32_t*>(start);
#if defined(MADV_HUGEPAGE)
  if (spare > 0) static_cast<void>(madvise(words_, bytes, MADV_HUGEPAGE));  // a hint: small pages work too
#endif
}

HugeBuffer::~HugeBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_bytes_);
}

#endif

HugeBuffer::HugeBuffer(HugeBuffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      words_(std::exchange(other.words_, nullptr)) {}

HugeBuffer& HugeBuffer::operator=(HugeBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(words_, other.words_);
  return *this;
}

}  // namespace headframe::xhash
