// What a chain database records about its network, and the checks that a later start uses the same one.
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { LOCKBOX_ADDRESS } from '../consensus/rewards'
import { readCustomGenesis } from '../custom-genesis'
import { ChainError } from '../errors'
import { EMPTY_ACCOUNT, encodeAccount } from '../execution/account'
import { headState } from '../execution/state-reader'
import type { NetworkSpec } from '../networks'
import { metaKeys } from '../store/keys'
import type { Store, StoreReader } from '../store/store'
import type { OpenParams } from './wire/chain-wire'

/** Rules set by a genesis file that its block hash doesn't cover. */
const FREE_RULES = ['chainId', 'coinbaseMaturityBlocks', 'retargetIntervalBlocks', 'asertActivationHeight'] as const

/**
 * The genesis file to open with; null = the stored one. If it belongs to the data directory (practice) the stored one
 * is used; on other networks the given one must equal the stored one.
 */
export function genesisFor(network: NetworkSpec, stored: string | null, params: OpenParams): string | null {
  if (network.genesis !== null) return network.genesis
  return stored === null ? params.genesis : null
}

/** @throws ChainError CHAIN_XHASH_MODE_MISMATCH */
export function checkXhashMode(store: Store, { custom, folder }: OpenParams): void {
  const bytes = store.get(metaKeys.xhashMode)
  if (custom === null || bytes === undefined) return
  const stored = new TextDecoder().decode(bytes)
  const wanted = custom.xhashMode
  if (stored !== wanted) throw new ChainError('CHAIN_XHASH_MODE_MISMATCH', { folder, stored, wanted })
}

/** Records the sizes that a new custom chain is created with; an existing chain was created by a start that did. */
export async function keepXhashMode(store: Store, { custom }: OpenParams): Promise<void> {
  if (custom === null || store.get(metaKeys.xhashMode) !== undefined) return
  await store.write([[metaKeys.xhashMode, new TextEncoder().encode(custom.xhashMode)]])
}

/** Two genesis files may produce the same block and still differ in rules. @throws ChainError CHAIN_RULES_MISMATCH */
export function checkStoredRules(stored: string, { custom, folder }: OpenParams): void {
  if (custom === null) return
  const [before, now] = [readCustomGenesis(stored), readCustomGenesis(custom.genesis)]
  if (!before.ok || !now.ok) return
  for (const rule of FREE_RULES) {
    const [was, is] = [String(before.value[rule] ?? 'none'), String(now.value[rule] ?? 'none')]
    if (was !== is) throw new ChainError('CHAIN_RULES_MISMATCH', { folder, rule, stored: was, wanted: is })
  }
}

/**
 * Without the account 0x42, or with an empty one, the subsidy schedule is deleted with it in every block. That is the
 * rule, and rarely what the author of a genesis file intended. Source: vectors chain/maturity.json
 */
export function warnWithoutLockbox(store: StoreReader, log: Logger): void {
  const { nonce, balance, codeHash } = headState(store).account(LOCKBOX_ADDRESS) ?? EMPTY_ACCOUNT
  const nothing = encodeAccount(EMPTY_ACCOUNT)
  if (!equalBytes(encodeAccount({ ...EMPTY_ACCOUNT, nonce, balance, codeHash }), nothing)) return
  log.warn('no subsidy is ever paid: the genesis lacks the lockbox account with 1 wei', {
    account: toHex(LOCKBOX_ADDRESS),
  })
}
