// Writes a world's state at the end of a block over the state it began with.
import { minimalBytes } from '../../../base/bytes'
import { bytesOfWord } from '../../query/evm/word'
import type { World } from '../../query/evm/world'
import type { WorldAccount } from '../../query/evm/world-account'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import type { StateOverlay } from '../state-overlay'

/**
 * Puts everything in `world` that differs from the stored state into `overlay`, which must be based on the same state.
 */
export function settle(world: World, overlay: StateOverlay): void {
  for (const account of world.loaded()) settleAccount(account, overlay)
}

function settleAccount(account: WorldAccount, overlay: StateOverlay): void {
  const { address, stored, exists, nonce, balance, codeHash } = account
  if (!exists) {
    if (stored !== null) overlay.setAccount(address, null)
    return
  }
  if (account.wiped) overlay.clearStorage(address)
  for (const [key, slot] of account.storage.entries()) {
    const isSame = account.wiped ? slot.value === 0n : slot.value === slot.stored
    if (!isSame) overlay.setSlot(address, bytesOfWord(key), minimalBytes(slot.value))
  }
  overlay.setAccount(address, { nonce, balance, codeHash, storageRoot: stored?.storageRoot ?? EMPTY_TRIE_ROOT })
  if (account.hasNewCode) overlay.setCode(address, account.code.bytes)
}
