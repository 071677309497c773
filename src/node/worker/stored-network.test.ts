import { expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { LOCKBOX_ADDRESS } from '../consensus/rewards'
import { type AccountState, EMPTY_ACCOUNT, encodeAccount } from '../execution/account'
import { stateKeys } from '../store/keys'
import { MemoryStore } from '../store/store'
import { warnWithoutLockbox } from './chain-session'

async function warningsFor(lockbox: AccountState | null): Promise<readonly LogRecord[]> {
  const store = new MemoryStore()
  if (lockbox !== null) await store.write([[stateKeys.account(LOCKBOX_ADDRESS), encodeAccount(lockbox)]])
  const records: LogRecord[] = []
  const sink = { write: (record: LogRecord) => void records.push(record) }
  warnWithoutLockbox(store, createLogger('test', { minLevel: 'warn', now: () => 0, sink }))
  return records
}

it.each<[string, AccountState | null, number]>([
  ['no lockbox', null, 1],
  ['an empty lockbox, whatever is in its storage', { ...EMPTY_ACCOUNT, storageRoot: new Uint8Array(32).fill(1) }, 1],
  ['a lockbox of 1 wei', { ...EMPTY_ACCOUNT, balance: 1n }, 0],
  ['a lockbox with a nonce', { ...EMPTY_ACCOUNT, nonce: 1n }, 0],
])('warns as it should about a chain with %s', async (_name, lockbox, warnings) => {
  expect(await warningsFor(lockbox)).toHaveLength(warnings)
})
