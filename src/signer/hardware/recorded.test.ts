// Every recorded exchange with the program's own wallet, preceded by its own address query.
import { connect, Socket } from 'node:net'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import { systemClock } from '../../base/time'
import { hashedText } from '../data/sign-data'
import { parseDocument, signableDocument } from '../typed-data/document'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'
import { LedgerWallet } from './ledger-wallet'
import { type RecordedCase, recordedCases, recordedDevice } from './testing/recorded-device'

const { addresses, cases } = recordedCases()
const PATH = "44'/60'/0'/0/0"
const ACCOUNT: HardwareAccount = { kind: 'ledger', address: (addresses[PATH] ?? '').toLowerCase(), path: `m/${PATH}` }
const NEVER = new AbortController().signal
const addressQuestion = cases.find(({ name, path }) => name === 'address' && path === PATH)?.apdus ?? []

function walletOf(apdus: RecordedCase['apdus']): LedgerWallet {
  return new LedgerWallet({ devices: recordedDevice(apdus), clock: systemClock() })
}

/** Null for what isn't a signature, or is requested in a form that the program doesn't use. */
function workOf({ input }: RecordedCase): DeviceWork | null {
  if (input?.unsigned !== undefined) {
    const payload = bytesOfHex(input.unsigned)
    return { kind: 'transaction', payload, chainId: 2110n, digest: keccak_256(payload) }
  }
  if (input?.messageHex !== undefined) {
    const text = bytesOfHex(input.messageHex)
    return { kind: 'text', text, digest: keccak_256(hashedText(text)) }
  }
  if (input?.typed === undefined) return null
  const document = parseDocument(input.typed)
  const { hash, hashed } = signableDocument(document)
  return { kind: 'typed', document, domainHash: hashed.subarray(2, 34), messageHash: hashed.subarray(34), digest: hash }
}

const signing = cases.flatMap((each) => {
  const work = workOf(each)
  return work === null ? [] : [{ ...each, work }]
})
/** Messages have 27 or 28, the legacy form EIP-155's number in hex, the other forms 00 or 01. */
function parityOf(v: unknown): number {
  if (typeof v === 'number') return v - 27
  const told = Number(`0x${v}`)
  return told < 2 ? told : (told - 35) % 2
}

const CODES = { refuse: 'SIGNER_DEVICE_REFUSED', blocked: 'SIGNER_DEVICE_BLIND_SIGNING' } as const

describe("the recorded exchanges with Ledger's app", () => {
  const connections: unknown[] = []
  beforeAll(() => {
    vi.spyOn(Socket.prototype, 'connect').mockImplementation((...to: unknown[]) => {
      connections.push(to)
      throw new Error('no connection is allowed here')
    })
  })
  afterAll(() => void vi.restoreAllMocks())

  it('are all here', () => {
    expect(cases).toHaveLength(44)
    expect(signing).toHaveLength(29)
  })

  it('give the addresses at their paths', async () => {
    const asked = cases.filter(({ name }) => name === 'address')
    const wallet = walletOf(asked.flatMap(({ apdus }) => apdus))
    const paths = asked.map(({ path }) => path ?? '')

    const found = await wallet.addresses(
      paths.map((path) => `m/${path}`),
      NEVER,
    )

    expect(found).toEqual(paths.map((path) => addresses[path]?.toLowerCase()))
    expect(found).toHaveLength(9)
  })

  it.each(signing.filter(({ how }) => how === 'approve'))('sign: $name', async ({ work, apdus, result }) => {
    const signature = await walletOf([...addressQuestion, ...apdus]).sign(ACCOUNT, work, NEVER)

    expect(toHex(signature.subarray(0, 64))).toBe(`0x${result?.r}${result?.s}`)
    expect(signature[64]).toBe(parityOf(result?.v))
  })

  it.each(signing.filter(({ how }) => how === 'refuse' || how === 'blocked'))(
    'explain refusals: $name, $how',
    async ({ work, apdus, how }) => {
      const code = how === 'blocked' ? CODES.blocked : CODES.refuse
      await expect(walletOf([...addressQuestion, ...apdus]).sign(ACCOUNT, work, NEVER)).rejects.toMatchObject({ code })
    },
  )

  it("sign a document by its hashes if the app doesn't know it", async () => {
    const byHashes = cases.find(({ name, how }) => name === 'EIP-712, hashes' && how === 'approve')
    const typed = signing.find(({ name }) => name === 'EIP-712')
    const [first, second] = typed?.apdus ?? []
    if (byHashes === undefined || typed === undefined || first === undefined || second === undefined) throw new Error()
    const old = [...addressQuestion, first, [second[0], '<= 6d00'] as [string, string], ...byHashes.apdus]

    const signature = await walletOf(old).sign(ACCOUNT, typed.work, NEVER)

    expect(toHex(signature.subarray(0, 64))).toBe(`0x${byHashes.result?.r}${byHashes.result?.s}`)
  })

  it('opened no connection', () => {
    expect(connections).toEqual([])
    expect(() => connect(9)).toThrow('no connection is allowed here')
  })
})
