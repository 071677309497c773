// The whole state of a chain's head compared with prlx's dump of it.
import { toHex } from '../../src/base/hex'
import type { Chain } from '../../src/node/chain/chain'
import { headState, incarnationOf } from '../../src/node/execution/state-reader'
import { stateKeys } from '../../src/node/store/keys'

/** `state.json` of a vector chain. */
export interface StateFile {
  readonly accounts: Readonly<
    Record<
      string,
      {
        readonly balance: string
        readonly nonce: number
        readonly codeHash?: string
        readonly storageRoot?: string
        readonly storage?: Readonly<Record<string, string>>
      }
    >
  >
}

/** The flat keys of the head, in the form of prlx's dump. */
export async function flatState(chain: Chain): Promise<unknown> {
  const state = headState(chain.store)
  const entries = await Promise.all(
    (await chain.store.keysWithPrefix(stateKeys.account(new Uint8Array(0)))).map(async (key) => {
      const address = key.subarray(1)
      const account = state.account(address)
      const prefix = stateKeys.slotsOf(address, incarnationOf(chain.store, address))
      const slots = (await chain.store.keysWithPrefix(prefix)).map((slotKey) => {
        const slot = slotKey.subarray(prefix.length)
        return [toHex(slot), toHex(state.slot(address, slot))] as const
      })
      return [toHex(address), { balance: String(account?.balance), nonce: Number(account?.nonce), slots: slots.sort() }]
    }),
  )
  return entries.sort()
}

/** The dump in the same form. */
export function expectedState(file: StateFile): unknown {
  return Object.entries(file.accounts)
    .map(([address, { balance, nonce, storage }]) => [
      address,
      { balance, nonce, slots: Object.entries(storage ?? {}).sort() },
    ])
    .sort()
}
