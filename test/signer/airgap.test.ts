// An account whose key is in an offline device, through the whole signer: external API, queue, audit log, and back.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UR, UREncoder } from '@ngraveio/bc-ur'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { bringSignature, bytesOfUuid, type UnsignedFile } from '../../src/signer/hardware/airgap-requests'
import { CborTag, type CborValue, encodeCbor } from '../../src/signer/hardware/cbor'
import { SimulatedDevice } from '../../src/signer/hardware/testing/simulated-device'
import { addressOfSecret, recoverAddress, signDigest } from '../../src/signer/keystore/secret-key'
import { Harness } from './harness'

const SECRET = new Uint8Array(32).fill(0x51)
const ADDRESS = addressOfSecret(SECRET)
const NEVER = new AbortController().signal
const DOCUMENT = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { name: 'notes' },
  message: { text: 'hello' },
}
const TX = {
  from: ADDRESS,
  to: `0x${'11'.repeat(20)}`,
  gas: '0x186a0',
  gasPrice: '0x3b9aca00',
  nonce: '0x7',
  value: '0x1',
}
const calls = [
  ['account_signTransaction', [TX]],
  ['account_signTransaction', [{ ...TX, accessList: [] }]],
  ['account_signData', ['text/plain', ADDRESS, '0x68656c6c6f']],
  ['account_signTypedData', [ADDRESS, DOCUMENT]],
] as const

/** What a device does after filming the codes. */
function signedBy(secret: Uint8Array, { digest, requestId }: UnsignedFile): string {
  const signature = signDigest(bytesOfHex(digest), secret)
  const answer = encodeCbor(
    new Map<number, CborValue>([
      [1, new CborTag(37, bytesOfUuid(requestId))],
      [2, signature],
    ]),
  )
  return UREncoder.encodeSinglePart(new UR(Buffer.from(answer), 'eth-signature'))
}

describe('an account in an offline device', () => {
  let harness: Harness
  beforeEach(async () => {
    harness = await Harness.start({ devices: new SimulatedDevice(7) })
    await harness.service.hardware?.watch(ADDRESS, "1A2B3C4D/44'/60'/0'/0/3")
  })
  afterEach(() => harness.end())

  const requests = () => {
    const { hardware } = harness.service
    if (hardware === null) throw new Error('no devices')
    return hardware.airgap
  }
  /** Approved by the user, and exported. */
  const approved = async (method: string, params: readonly unknown[]) => {
    const answer = harness.call(method, params)
    const request = await harness.nextRequest()
    const decided = harness.approve(request)
    const early = decided.then(({ error }) => Promise.reject(new Error(`it ended before it was handed out: ${error}`)))
    early.catch(() => undefined) // of one that ended later
    return { answer, decided, request, file: await Promise.race([requests().unsigned(request.id, NEVER), early]) }
  }
  const steps = async () =>
    (await readFile(harness.auditFile, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type !== 'call')
      .map(({ type, state, decision, what, kind }) => [type, decision ?? state ?? what, type === 'device' ? kind : ''])

  it.each(calls)('signs what was approved: %s', async (method, params) => {
    const { answer, decided, request, file } = await approved(method, params)

    expect(request.device).toEqual({ kind: 'airgap', path: "m/44'/60'/0'/0/3", isBlind: false })
    expect(request.findings.map(({ message }) => message).join()).toContain('bring the signature back')
    expect(file).toMatchObject({
      address: ADDRESS,
      fingerprint: '1a2b3c4d',
      ur: [expect.stringMatching(/^UR:ETH-SIGN/)],
    })
    await requests().give(request.id, signedBy(SECRET, file))

    expect(await decided).toEqual({ state: 'signed', error: '' })
    const { result } = await answer
    const signature = typeof result === 'string' ? bytesOfHex(result) : null
    if (signature !== null) {
      const parity = Uint8Array.from(signature).fill((signature[64] ?? 0) - 27, 64)
      expect(recoverAddress(bytesOfHex(file.digest), parity)).toBe(ADDRESS)
    } else expect(result).toMatchObject({ tx: { to: TX.to, nonce: '0x7', hash: expect.stringMatching(/^0x/) } })
    expect(await steps()).toEqual([
      ['deviceAccount', 'added', ''],
      ['request', undefined, ''],
      ['decision', 'approve', ''],
      ['device', 'asked', 'airgap'],
      ['device', 'signed', 'airgap'],
      ['result', 'signed', ''],
    ])
  })

  it('accepts the signature as a file, no matter who brings it', async () => {
    const { answer, decided, file } = await approved(...calls[0])

    await bringSignature(join(harness.folder, 'unsigned'), file.requestId, signedBy(SECRET, file))

    expect(await decided).toEqual({ state: 'signed', error: '' })
    expect((await answer).result).toHaveProperty('raw')
  })

  it('keeps waiting after the signature of another key, of another request, or a changed one', async () => {
    const { answer, decided, request, file } = await approved(...calls[0])
    const wrong = [
      signedBy(new Uint8Array(32).fill(0x47), file),
      signedBy(SECRET, { ...file, digest: `0x${'12'.repeat(32)}` }),
      signedBy(SECRET, { ...file, requestId: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' }),
      toHex(new Uint8Array(65)),
    ]

    for (const text of wrong) await expect(requests().give(request.id, text)).rejects.toThrow('not the signature')
    expect((await steps()).at(-1)).toEqual(['device', 'asked', 'airgap'])
    requests().giveUp(request.id)

    expect(await decided).toMatchObject({ state: 'rejected' })
    expect(await answer).toMatchObject({ error: { message: 'request denied' } })
    expect((await steps()).slice(-3)).toEqual([
      ['device', 'failed', 'airgap'],
      ['decision', 'reject', ''],
      ['result', 'rejected', ''],
    ])
  })

  it('signs nothing unapproved, and nothing that has ended', async () => {
    const answer = harness.call(...calls[0])
    const request = await harness.nextRequest()
    await expect(requests().give(request.id, withoutFile())).rejects.toThrow('no such request')
    await harness.reject(request)

    expect(await answer).toMatchObject({ error: { message: 'request denied' } })
    await expect(requests().give(request.id, withoutFile())).rejects.toThrow('no such request')
  })

  it('distinguishes two requests of one account', async () => {
    const first = await approved('account_signTransaction', [TX])
    const second = await approved('account_signTransaction', [{ ...TX, nonce: '0x8' }])

    await expect(requests().give(first.request.id, signedBy(SECRET, second.file))).rejects.toThrow('another request')
    await requests().give(second.request.id, signedBy(SECRET, second.file))
    await requests().give(first.request.id, signedBy(SECRET, first.file))

    expect([(await first.answer).result, (await second.answer).result]).toMatchObject([
      { tx: { nonce: '0x7' } },
      { tx: { nonce: '0x8' } },
    ])
  })
})

const withoutFile = (): string => toHex(signDigest(new Uint8Array(32), SECRET))
