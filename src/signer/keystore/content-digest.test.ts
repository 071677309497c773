// The key worker's reading of a content against the one that was displayed, and against another implementation.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Transaction } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approvedDataHash } from '../../base/approvals'
import { bytesOfHex, toHex } from '../../base/hex'
import { cliqueHeader, signableData } from '../data/sign-data'
import { signedContentSchema, type ToSign } from '../model/signed-content'
import type { TransactionRequest } from '../model/transaction'
import { transactionToSign } from '../transactions/encode'
import { dataToSign, readContent } from './content-digest'

const ACCOUNT = `0x${'a'.repeat(40)}`
const recorded = readFileSync(join(import.meta.dirname, '../../../test/vectors/signer/sign-data.json'), 'utf8')
const [, HEADER = '', HEADER_HASH = ''] =
  /x-clique-header",\s*"0x[0-9a-fA-F]{40}",\s*"(0xf9[0-9a-f]+)".*?"hash":\s*"(0x[0-9a-f]{64})"/s.exec(recorded) ?? []

/** As it arrives. */
const arrived = ({ content }: Pick<ToSign, 'content'>) =>
  readContent(ACCOUNT, signedContentSchema.parse(JSON.parse(JSON.stringify(content))))

const spelled = (bytes: Uint8Array) => ({ text: toHex(bytes), bytes })
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const number = (bits: number) => fc.bigInt(0n, (1n << BigInt(bits)) - 1n)
const transaction: fc.Arbitrary<TransactionRequest> = fc.record({
  from: fc.constant(null),
  to: fc.option(bytes(20).map(spelled)),
  gas: number(64),
  gasPrice: fc.option(number(256)),
  maxFeePerGas: fc.option(number(128)),
  maxPriorityFeePerGas: fc.option(number(128)),
  value: number(256),
  nonce: number(52),
  data: fc.option(fc.uint8Array({ maxLength: 100 })),
  input: fc.constant(null),
  accessList: fc.option(
    fc.array(fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32), { maxLength: 2 }) }), { maxLength: 2 }),
  ),
  chainId: fc.constant(null),
  methodSignature: fc.constant(null),
})

describe('what the key worker signs', () => {
  it('is the displayed transaction, in all forms, and what ethers hashes', () => {
    fc.assert(
      fc.property(transaction, fc.bigInt(1n, 1n << 52n), (tx, chainId) => {
        const what = transactionToSign(tx, chainId)
        const { digest } = arrived(what)

        expect(toHex(digest)).toBe(toHex(what.digest))
        // Which refuses a tip above the cap.
        const isOdd = (tx.maxPriorityFeePerGas ?? 0n) > (tx.maxFeePerGas ?? 0n) && tx.maxFeePerGas !== null
        if (!isOdd) expect(toHex(digest)).toBe(byEthers(tx, chainId))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['text/plain', '0x68656c6c6f'],
    ['text/plain', '0x'],
    ['image/png', '0x00ff'],
    ['application/clique', '0x68656c6c6f'],
    ['data/validator', { address: ACCOUNT, message: '0x1234' }],
    ['text/validator', { address: '0x11', message: '0x1234' }],
  ])('is the displayed data of type %s', (contentType, data) => {
    const shown = signableData(contentType, data)

    const read = arrived(dataToSign(shown, null))

    expect(toHex(read.digest)).toBe(toHex(shown.hash))
    expect(read.approvalHash()).toBe(approvedDataHash(ACCOUNT, toHex(shown.hashed)))
  })

  it('is the displayed header, of the recorded one too', () => {
    const shown = cliqueHeader('application/x-clique-header', bytesOfHex(HEADER))

    expect(toHex(shown.hash)).toBe(HEADER_HASH)
    expect(toHex(arrived(dataToSign(shown, null)).digest)).toBe(HEADER_HASH)
  })
})

function byEthers(tx: TransactionRequest, chainId: bigint): string {
  const isDynamic = tx.maxFeePerGas !== null
  const type = isDynamic ? 2 : tx.accessList === null ? 0 : 1
  const accessList = (tx.accessList ?? []).map((entry) => ({
    address: toHex(entry.address),
    storageKeys: entry.storageKeys.map(toHex),
  }))
  const other = new Transaction()
  other.type = type
  other.nonce = Number(tx.nonce)
  other.to = tx.to === null ? null : toHex(tx.to.bytes)
  other.gasLimit = tx.gas
  other.value = tx.value
  other.data = toHex(tx.data ?? new Uint8Array(0))
  other.chainId = chainId
  if (type > 0) other.accessList = accessList
  if (isDynamic) {
    other.maxFeePerGas = tx.maxFeePerGas
    other.maxPriorityFeePerGas = tx.maxPriorityFeePerGas ?? 0n
  } else other.gasPrice = tx.gasPrice ?? 0n
  return other.unsignedHash
}
