import { createHash } from 'node:crypto'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, getActivePrecompiles } from '@ethereumjs/evm'
import { describe, expect, it } from 'vitest'
import { bytesOfHex, toBareHex, toHex } from '../../../../src/base/hex'
import { BLAKE2F_BYTES, blake2f } from './blake2f'

const never = (): boolean => false

/** Bytes that look random and are always the same. */
function anInput(seed: number, rounds: number, flag: 0 | 1): Uint8Array {
  const parts = Array.from({ length: 7 }, (_, i) => createHash('sha256').update(`${seed} ${i}`).digest())
  const input = Uint8Array.from(Buffer.concat(parts).subarray(0, BLAKE2F_BYTES))
  new DataView(input.buffer).setUint32(0, rounds)
  input[BLAKE2F_BYTES - 1] = flag
  return input
}

describe('blake2f', () => {
  it('computes the hash of a text with its twelve rounds (EIP-152, test vector 5)', () => {
    const h =
      '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
      'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b'
    const message = Buffer.from('abc').toString('hex').padEnd(256, '0')
    const input = bytesOfHex(`0000000c${h}${message}03${'00'.repeat(15)}01`)

    const output = blake2f(input, never)

    expect(output && toBareHex(output)).toBe(createHash('blake2b512').update('abc').digest('hex'))
  })

  it('agrees with the library that executes blocks, for any rounds and both flags', async () => {
    const common = createCustomCommon({ chainId: 1, name: 'test' }, Mainnet, { hardfork: Hardfork.Berlin })
    const evm = await createEVM({ common })
    const reference = getActivePrecompiles(common).get('0000000000000000000000000000000000000009')
    for (let seed = 0; seed < 60; seed++) {
      const input = anInput(seed, seed < 30 ? seed : seed * 7, seed % 2 === 0 ? 0 : 1)
      const wanted = await reference?.({ data: input, gasLimit: 1_000_000n, common, _EVM: evm })

      const output = blake2f(input, never)

      expect([seed, output && toHex(output)]).toEqual([seed, wanted && toHex(wanted.returnValue)])
    }
  })

  it('ends soon if nobody waits anymore, however many rounds are left', () => {
    let looks = 0

    const output = blake2f(anInput(1, 0xffff_ffff, 1), () => ++looks > 2)

    expect(output).toBeNull()
    expect(looks).toBe(3)
  })
})
