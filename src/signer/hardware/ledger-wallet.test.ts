import { keccak_256 } from '@noble/hashes/sha3.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { concatBytes } from '../../base/bytes'
import { bytesOfHex } from '../../base/hex'
import { FakeClock } from '../../base/testing/fake-clock'
import { hashedText } from '../data/sign-data'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'
import { LedgerWallet } from './ledger-wallet'
import { SimulatedDevice, status, withHigherS } from './testing/simulated-device'

const SIGN = 0x04
const SIGN_TEXT = 0x08
const PATH = "m/44'/60'/0'/0/0"
const NEVER = new AbortController().signal
// Legacy form, chain 2110.
const PAYLOAD = bytesOfHex(
  '0xee07843b9aca00830186a09411111111111111111111111111111111111111118814d1120d7b1600008082083e8080',
)
const WORK: DeviceWork = { kind: 'transaction', payload: PAYLOAD, chainId: 2110n, digest: keccak_256(PAYLOAD) }

function textWork(text: Uint8Array): DeviceWork {
  return { kind: 'text', text, digest: keccak_256(hashedText(text)) }
}

describe('a Ledger', () => {
  let device: SimulatedDevice
  let clock: FakeClock
  let wallet: LedgerWallet
  let account: HardwareAccount
  const sign = (work: DeviceWork = WORK, signal = NEVER) => wallet.sign(account, work, signal)
  /** Resolves when the device was asked for this many signatures. */
  const asked = (count: number) =>
    expect.poll(() => device.asked.filter((instruction) => instruction === SIGN).length).toBe(count)

  beforeEach(() => {
    device = new SimulatedDevice(7)
    clock = new FakeClock()
    wallet = new LedgerWallet({ devices: device, clock })
    account = { kind: 'ledger', address: device.address, path: PATH }
  })

  it('signs, and is closed again', async () => {
    const { halves, parity } = device.sign(WORK.digest)

    expect(await sign()).toEqual(concatBytes(halves, Uint8Array.of(parity)))
    expect([device.open, clock.pending]).toEqual([0, 0])
  })

  it.each([1, 150, 151, 5_000])('signs a text of %s bytes', async (length) => {
    const work = textWork(new Uint8Array(length).fill(0x61))
    const { halves, parity } = device.sign(work.digest)

    expect(await sign(work)).toEqual(concatBytes(halves, Uint8Array.of(parity)))
  })

  it("isn't asked about an empty text, which the library answers itself", async () => {
    await expect(sign(textWork(new Uint8Array(0)))).rejects.toThrow('cannot sign an empty text')
    expect(device.asked).toEqual([])
  })

  it.each([
    [0x5515, 'LOCKED', 'unlock it with its PIN'],
    [0x6804, 'LOCKED', 'unlock it with its PIN'],
    [0x6982, 'LOCKED', 'unlock it with its PIN'],
    [0x6b0c, 'LOCKED', 'unlock it with its PIN'],
    [0x6511, 'APP', 'open its Ethereum app'],
    [0x6d00, 'APP', 'open its Ethereum app'],
    [0x6d02, 'APP', 'open its Ethereum app'],
    [0x6e00, 'APP', 'open its Ethereum app'],
    [0x6e01, 'APP', 'open its Ethereum app'],
    [0x6985, 'REFUSED', 'refused on the Ledger'],
    [0x5501, 'REFUSED', 'refused on the Ledger'],
    [0x6a80, 'BLIND_SIGNING', 'switch on "Blind signing"'],
    [0x6a15, 'PATH', "m/44'/60'/0'/0/0"],
    [0x6f00, 'ANSWER', '0x6f00'],
  ])('explains status %i', async (word, code, words) => {
    device.answers = (instruction) => (instruction === SIGN ? word : null)

    const failure = await sign().catch((error: unknown) => error)

    expect(failure).toMatchObject({ code: `SIGNER_DEVICE_${code}` })
    expect(String(failure)).toContain(words)
    expect(device.open).toBe(0)
  })

  it("that isn't there, goes away, or is locked from the start", async () => {
    device.answers = () => 0x5515
    await expect(sign()).rejects.toMatchObject({ code: 'SIGNER_DEVICE_LOCKED' })
    device.answers = (instruction) => (instruction === SIGN ? 'unplugged' : null)
    await expect(sign()).rejects.toMatchObject({ code: 'SIGNER_DEVICE_LOST' })
    device.isPlugged = false
    await expect(sign()).rejects.toMatchObject({ code: 'SIGNER_DEVICE_ABSENT' })
    device.isPlugged = true
    device.answers = () => null
    expect(await sign()).toHaveLength(65)
  })

  const TEXT = textWork(new TextEncoder().encode('Hello'))
  const good = new SimulatedDevice(7).sign(TEXT.digest)
  const other = new SimulatedDevice(7).sign(WORK.digest)
  const stranger = new SimulatedDevice(8).sign(TEXT.digest)
  it.each([
    ['nothing, with a good status', status(0x9000)],
    ['a cut signature', concatBytes(Uint8Array.of(good.parity), good.halves.subarray(0, 50), status(0x9000))],
    ['the signature of another key', concatBytes(Uint8Array.of(stranger.parity), stranger.halves, status(0x9000))],
    ['the higher s', concatBytes(Uint8Array.of(1 - good.parity), withHigherS(good.halves), status(0x9000))],
    ['zeros', concatBytes(new Uint8Array(65), status(0x9000))],
    ['a signature of something else', concatBytes(Uint8Array.of(other.parity), other.halves, status(0x9000))],
  ])("isn't believed if it answers %s", async (_what, answer) => {
    device.answers = (instruction) => (instruction === SIGN_TEXT ? answer : null)

    await expect(sign(TEXT)).rejects.toMatchObject({ code: 'SIGNER_DEVICE_SIGNATURE' })
  })

  it("isn't believed if it sends no answer for a transaction without chain id, which the library treats as signed", async () => {
    const payload = bytesOfHex(`0x${'e907843b9aca00830186a094'}${'11'.repeat(20)}8814d1120d7b16000080`)
    device.answers = (instruction) => (instruction === SIGN ? status(0x9000) : null)

    const signed = sign({ kind: 'transaction', payload, chainId: 2110n, digest: keccak_256(payload) })
    await expect(signed).rejects.toMatchObject({ code: 'SIGNER_DEVICE_SIGNATURE' })
  })

  it("isn't believed if it answers a transaction with garbage", async () => {
    device.answers = (instruction) => (instruction === SIGN ? status(0x9000) : null)

    await expect(sign()).rejects.toMatchObject({ code: 'SIGNER_DEVICE_ANSWER' })
  })

  it.each([
    ['no byte', new Uint8Array(0)],
    ['one byte', Uint8Array.of(0x90)],
    ['a length beyond its end', concatBytes(Uint8Array.of(200, 1, 2), status(0x9000))],
    ['no address', concatBytes(Uint8Array.of(0, 3, 0x7a, 0x7a, 0x7a), status(0x9000))],
    ['many bytes', concatBytes(new Uint8Array(60_000).fill(0xff), status(0x9000))],
  ])("isn't believed if it answers a request for an address with %s", async (_what, answer) => {
    device.answers = () => answer

    await expect(wallet.addresses([PATH], NEVER)).rejects.toMatchObject({ code: 'SIGNER_DEVICE_ANSWER' })
    expect(device.open).toBe(0)
  })

  it('with other keys is named, and not asked for a signature', async () => {
    account = { ...account, address: `0x${'11'.repeat(20)}` }

    await expect(sign()).rejects.toMatchObject({ code: 'SIGNER_DEVICE_OTHER' })
    expect(device.asked).not.toContain(SIGN)
  })

  it('is found among several', async () => {
    const other = new SimulatedDevice(9)
    const plugged = async () => [...(await other.plugged()), ...(await device.plugged())]
    wallet = new LedgerWallet({ devices: { plugged }, clock })

    expect(await sign()).toHaveLength(65)
    expect(other.asked).not.toContain(SIGN)
  })

  it('that never answers is abandoned, and the next one gets its turn', async () => {
    device.answers = (instruction) => (instruction === SIGN ? 'silent' : null)
    const silent = sign()
    const failure = expect(silent).rejects.toMatchObject({ code: 'SIGNER_DEVICE_SILENT' })
    const next = sign()
    await asked(1)
    device.answers = () => null
    clock.advance(300_000)

    await failure
    expect(await next).toHaveLength(65)
    expect([device.open, device.mostOpen, clock.pending]).toEqual([0, 1, 0])
  })

  it('that never sends its address is abandoned', async () => {
    device.answers = () => 'silent'
    const silent = wallet.addresses([PATH], NEVER)
    const failure = expect(silent).rejects.toMatchObject({ code: 'SIGNER_DEVICE_SILENT' })
    await expect.poll(() => device.asked.length).toBe(1)
    clock.advance(20_000)
    await failure
  })

  it('is released when its request is canceled', async () => {
    device.answers = (instruction) => (instruction === SIGN ? 'silent' : null)
    const caller = new AbortController()
    const failure = expect(sign(WORK, caller.signal)).rejects.toThrow('caller has gone')
    await asked(1)
    caller.abort(new Error('caller has gone'))

    await failure
    expect([device.open, clock.pending]).toEqual([0, 0])
  })

  it('answers one at a time, in order', async () => {
    const works = ['first', 'second', 'third'].map((text) => textWork(new TextEncoder().encode(text)))
    const signatures = await Promise.all(works.map((work) => sign(work)))

    expect(device.mostOpen).toBe(1)
    expect(signatures).toEqual(
      works.map(({ digest }) => {
        const { halves, parity } = device.sign(digest)
        return concatBytes(halves, Uint8Array.of(parity))
      }),
    )
  })

  it("isn't asked for what was canceled while it was busy", async () => {
    device.answers = (instruction) => (instruction === SIGN ? 'silent' : null)
    const [holder, waiting] = [new AbortController(), new AbortController()]
    const first = expect(sign(WORK, holder.signal)).rejects.toThrow('over')
    const second = expect(sign(WORK, waiting.signal)).rejects.toThrow('gone')
    await asked(1)
    waiting.abort(new Error('gone'))
    holder.abort(new Error('over'))

    await Promise.all([first, second])
    await asked(1)
  })
})
