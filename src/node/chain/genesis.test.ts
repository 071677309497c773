import { expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { bytesOfHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { EMPTY_ACCOUNT } from '../execution/account'
import { MemoryStore } from '../store/store'
import { StateOverlay } from '../testing/state-overlay'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { createGenesis, parseGenesis } from './genesis'

const [one, two, three] = ['11', '22', 'ff'].map((byte) => byte.repeat(20))

it('writes what the same accounts, slots and code give in any order, one for all spellings of a key', async () => {
  const alloc = {
    [`0x${three}`]: { balance: '7', code: '0x6001', storage: { '0x2': '0x0100', '0x1': '0x05', '0x3': '0x00' } },
    [two ?? '']: { balance: '0' },
    [one ?? '']: { balance: '1', storage: { '0x1': '0x09', '0x01': '0x08', '0x4': '0x04' } },
    [`0x${one}`]: { balance: '2', nonce: '0x3', code: '0x6001' },
  }
  const file = parseGenesis(JSON.stringify({ config: { chainId: 1 }, gasLimit: 8_000_000, difficulty: 1, alloc }))
  const overlay = new StateOverlay(new MemoryStore(), { keccak256 })
  const slot = (address: Uint8Array, number: bigint, value: number[]) =>
    overlay.setSlot(address, bytesFromBigint(number, 32), Uint8Array.from(value))
  const [first, second, third] = [one, two, three].map((text) => bytesOfHex(text ?? ''))
  if (!file.ok || first === undefined || second === undefined || third === undefined) throw new Error('not read')
  overlay.setAccount(first, { ...EMPTY_ACCOUNT, balance: 2n, nonce: 3n })
  overlay.setAccount(second, EMPTY_ACCOUNT)
  overlay.setAccount(third, { ...EMPTY_ACCOUNT, balance: 7n })
  for (const address of [first, third]) overlay.setCode(address, Uint8Array.of(0x60, 1))
  slot(first, 1n, [8])
  slot(first, 4n, [4])
  slot(third, 1n, [5])
  slot(third, 2n, [1, 0])

  const { changes } = await createGenesis(file.value)

  expect(changes).toEqual(overlay.finish(EMPTY_TRIE_ROOT))
})
