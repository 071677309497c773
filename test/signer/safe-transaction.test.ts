// account_signGnosisSafeTx: the hash is the one that the wallet's version has, with and without a chain id.
import { hashTypedData } from 'viem'
import { expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { checkData } from '../../src/signer/checks/data-rules'
import { parseSafeTransaction } from '../../src/signer/typed-data/safe-transaction'
import { ACCOUNT_A, ACCOUNT_B, Harness } from './harness'

const SAFE = '0x25a6c4BBd32B2424A9c99aEB0584Ad12045382B3'
const ZERO = `0x${'0'.repeat(40)}` as const
const uint = 'uint256'
const SafeTx = [
  { name: 'to', type: 'address' },
  { name: 'value', type: uint },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: uint },
  { name: 'baseGas', type: uint },
  { name: 'gasPrice', type: uint },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: uint },
]
const message = {
  to: ACCOUNT_B,
  value: 20n,
  data: '0x',
  operation: 0,
  safeTxGas: 27_845n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: ZERO,
  refundReceiver: ZERO,
  nonce: 5n,
}
const given = { safe: SAFE, to: ACCOUNT_B, value: '20', safeTxGas: 27_845, nonce: 5 }

it.each([
  ['an older wallet, whose domain names no chain', {}, { verifyingContract: SAFE } as const],
  ['a wallet since 1.3.0', { chainId: 2110 }, { chainId: 2110, verifyingContract: SAFE } as const],
])('is hashed as %s does', (_what, change, domain) => {
  const { data } = parseSafeTransaction([ACCOUNT_A, { ...given, ...change }])

  expect(toHex(data.hash)).toBe(hashTypedData({ domain, types: { SafeTx }, primaryType: 'SafeTx', message }))
})

it.each([false, true])('with a delegatecall is CRITICAL, strict mode: %s', (strict) => {
  const { data, document } = parseSafeTransaction([ACCOUNT_A, { ...given, chainId: 2110, operation: 1 }])

  expect(
    checkData(data, document, { chainId: 2110n, strict, origin: '', address: '', now: 0 }).findings.map(
      ({ severity }) => severity,
    ),
  ).toContain('CRITICAL')
})

const CHECKSUM = 'Invalid checksum on recipient address'

it.each([
  ['its checksum', ACCOUNT_B.toLowerCase(), CHECKSUM],
  ['the zero address', ZERO, 'Transaction recipient is the zero address'],
])('is judged by its recipient: %s', async (_what, to, message) => {
  const harness = await Harness.start()
  try {
    const answer = harness.call('account_signGnosisSafeTx', [ACCOUNT_A, { ...given, chainId: 2110, to }])
    const request = await harness.nextRequest()
    await harness.reject(request)
    await answer

    expect(request.findings.map((finding) => finding.message)).toContain(message)
  } finally {
    await harness.end()
  }
})

it('with a wrong checksum is rejected in strict mode before anyone is asked', async () => {
  const harness = await Harness.start({ service: { strict: true } })
  try {
    const to = ACCOUNT_B.toLowerCase()
    const answer = await harness.call('account_signGnosisSafeTx', [ACCOUNT_A, { ...given, chainId: 2110, to }])

    expect(answer).toMatchObject({ error: { code: -32_000, message: `validation failed: ${CHECKSUM}` } })
    expect(harness.service.requests()).toEqual([])
  } finally {
    await harness.end()
  }
})
