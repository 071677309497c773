// Keccak-256 of many messages, States::lanes of them side by side. A lane whose message has ended takes the next one,
// so messages of different lengths keep all lanes busy. Included by kernel_bodies.h.

#include <cstring>

#include "../keccak/keccak_round.h"
#include "../platform.h"
#include "../word.h"
#include "kernels.h"

namespace headframe::xhash {
namespace {

inline constexpr std::size_t keccak_rate = 136;  ///< bytes per block of Keccak-256
inline constexpr std::size_t keccak_rate_words = keccak_rate / 8;

/// States::lanes sponges. Words are in memory between permutations: [word][lane].
template <class States>
class Sponges {
public:
  HEADFRAME_INLINE void clear(std::size_t lane) noexcept {
    for (auto& word : words_) word[lane] = 0;
  }

  HEADFRAME_INLINE void absorb(std::size_t lane, const std::uint8_t* block) noexcept {
    for (std::size_t w = 0; w < keccak_rate_words; w++) {
      std::uint64_t word;
      std::memcpy(&word, block + 8 * w, 8);
      words_[w][lane] ^= word;
    }
  }

  HEADFRAME_INLINE void permute() noexcept {
    States state[25];
    for (std::size_t w = 0; w < 25; w++) state[w] = States::load(words_[w]);
    Keccak<States>::permute(state);
    for (std::size_t w = 0; w < 25; w++) state[w].store(words_[w]);
  }

  HEADFRAME_INLINE void squeeze(std::size_t lane, Hash256& out) const noexcept {
    for (std::size_t w = 0; w < 4; w++) std::memcpy(out.data() + 8 * w, &words_[w][lane], 8);
  }

private:
  alignas(64) std::uint64_t words_[25][States::lanes] = {};
};

/// The message in one lane; without `out` the lane has none.
struct Absorbed {
  Message rest;
  Hash256* out = nullptr;
  bool is_padded = false;  ///< its last block is absorbed

  /// The next block, in `last` if it has to be padded.
  HEADFRAME_INLINE const std::uint8_t* next(std::uint8_t (&last)[keccak_rate]) noexcept {
    if (rest.size() >= keccak_rate) {
      const std::uint8_t* const block = rest.data();
      rest = rest.subspan(keccak_rate);
      return block;
    }
    std::memset(last, 0, keccak_rate);
    if (!rest.empty()) std::memcpy(last, rest.data(), rest.size());
    last[rest.size()] = 0x01;
    last[keccak_rate - 1] |= 0x80;
    is_padded = true;
    return last;
  }
};

template <class States>
void hash_in_lanes(std::span<const Message> messages, Hash256* out) noexcept {
  Sponges<States> sponges;
  Absorbed held[States::lanes];
  std::uint8_t last[keccak_rate];
  std::size_t taken = 0;
  std::size_t done = 0;
  while (done < messages.size()) {
    for (std::size_t lane = 0; lane < States::lanes; lane++) {
      Absorbed& own = held[lane];
      if (own.out == nullptr) {
        if (taken == messages.size()) continue;
        own = {messages[taken], out + taken, false};
        taken++;
        sponges.clear(lane);
      }
      sponges.absorb(lane, own.next(last));
    }
    sponges.permute();
    for (std::size_t lane = 0; lane < States::lanes; lane++) {
      Absorbed& own = held[lane];
      if (own.out == nullptr || !own.is_padded) continue;
      sponges.squeeze(lane, *own.out);
      own.out = nullptr;
      done++;
    }
  }
}

/// Vectors cost more than one state, so a single message doesn't get any.
template <class States>
void hash_messages(std::span<const Message> messages, Hash256* out) noexcept {
  if (messages.size() == 1) return hash_in_lanes<Word>(messages, out);
  hash_in_lanes<States>(messages, out);
}

}  // namespace
}  // namespace headframe::xhash
