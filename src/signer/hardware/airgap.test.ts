// Requests for an offline device, and signatures that came back from it: compared with the registry's own library, and
// with what a stranger could return.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UR, URDecoder, UREncoder } from '@ngraveio/bc-ur'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { bytesFromBigint, concatBytes } from '../../base/bytes'
import { bytesOfHex, toHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { addressOfSecret, signDigest } from '../keystore/secret-key'
import {
  AirgapRequests,
  bringSignature,
  broughtSignature,
  bytesOfUuid,
  unsignedFiles,
  unsignedRequest,
} from './airgap-requests'
import { CborTag, type CborValue, decodeCbor, encodeCbor } from './cbor'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'

const vectors = z
  .object({
    requestId: z.string(),
    address: z.string(),
    path: z.string(),
    fingerprint: z.string(),
    requests: z.array(
      z.object({ name: z.string(), signData: z.string(), chainId: z.string().nullable(), ur: z.string() }),
    ),
    signature: z.object({ bytes: z.string(), ur: z.string() }),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../../test/vectors/signer/airgap.json'), 'utf8')))

const SECRET = new Uint8Array(32).fill(0x46)
const ACCOUNT: HardwareAccount = {
  kind: 'airgap',
  address: addressOfSecret(SECRET),
  path: vectors.path,
  fingerprint: vectors.fingerprint,
}
const DIGEST = new Uint8Array(32).fill(0x11)
const WORK: DeviceWork = { kind: 'text', text: bytesOfHex('0x68656c6c6f'), digest: DIGEST }
const ID = bytesOfUuid(vectors.requestId)
const asked = await unsignedRequest(ID, ACCOUNT, WORK)
const SIGNATURE = signDigest(DIGEST, SECRET)
const withV = (...v: number[]) => `${toHex(SIGNATURE.subarray(0, 64))}${toHex(Uint8Array.from(v)).slice(2)}`

const ur = (type: string, cbor: Uint8Array): string => UREncoder.encodeSinglePart(new UR(Buffer.from(cbor), type))

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** As valid as the other, but rejected by nodes. */
function withHigherS(signature: Uint8Array): Uint8Array {
  const s = ORDER - BigInt(toHex(signature.subarray(32, 64)))
  return concatBytes(signature.subarray(0, 32), bytesFromBigint(s, 32), Uint8Array.of(1 - (signature[64] ?? 0)))
}

function workOf({ signData, chainId }: (typeof vectors.requests)[number]): DeviceWork {
  const bytes = bytesOfHex(signData)
  if (chainId === null) return { kind: 'text', text: bytes, digest: DIGEST }
  return { kind: 'transaction', payload: bytes, chainId: BigInt(chainId), digest: DIGEST }
}

describe('a request for a device that is never connected', () => {
  it.each(vectors.requests)("equals the registry library's: $name", async (vector) => {
    expect(await unsignedRequest(ID, ACCOUNT, workOf(vector))).toMatchObject({
      requestId: vectors.requestId,
      signData: vector.signData,
      ur: [vector.ur.toUpperCase()],
    })
  })

  it('that is long is shown in parts, and one too long to film is only a file', async () => {
    const long = (length: number) =>
      unsignedRequest(ID, ACCOUNT, { kind: 'text', text: new Uint8Array(length).fill(0x61), digest: DIGEST })
    const decoder = new URDecoder()
    const { ur } = await long(2_000)
    for (const part of ur) decoder.receivePart(part)

    expect(ur.length).toBeGreaterThan(5)
    expect(decodeCbor(decoder.resultUR().cbor)).toEqual(
      new Map<number, CborValue>([
        [1, new CborTag(37, ID)],
        [2, new Uint8Array(2_000).fill(0x61)],
        [3, 3],
        [
          5,
          new CborTag(
            304,
            new Map<number, CborValue>([
              [1, [44, true, 60, true, 1, true, 0, false, 7, false]],
              [2, 0x1a2b3c4d],
            ]),
          ),
        ],
        [6, bytesOfHex(ACCOUNT.address)],
        [7, 'Headframe'],
      ]),
    )
    expect(await long(40_000)).toMatchObject({ ur: [], signData: `0x${'61'.repeat(40_000)}` })
  })
})

describe('a signature that was brought back', () => {
  const answer = (signature: Uint8Array, id: Uint8Array | null = ID) => {
    const named: (readonly [number, CborValue])[] = id === null ? [] : [[1, new CborTag(37, id)]]
    return ur('eth-signature', encodeCbor(new Map([...named, [2, signature]])))
  }

  it.each([
    ['hex', withV(27)],
    ['hex with the parity alone', withV(1)],
    ['hex with the v of EIP-155', withV(0x10, 0xa0)],
    ['JSON', JSON.stringify({ signature: withV(28) })],
    ['JSON that names the request', JSON.stringify({ requestId: vectors.requestId, signature: withV(0) })],
    ['a UR', answer(SIGNATURE)],
    ['a UR in capitals, with space around it', `\n ${answer(SIGNATURE).toUpperCase()} \n`],
    ['a UR that names no request', answer(SIGNATURE, null)],
  ])('counts as %s', async (_how, text) => {
    expect(await broughtSignature(text, asked)).toEqual(SIGNATURE)
  })

  it.each([
    ['nothing', '', 'want a UR'],
    ['another key', toHex(signDigest(DIGEST, new Uint8Array(32).fill(0x47))), 'did not make it'],
    ['another request', toHex(signDigest(new Uint8Array(32).fill(0x12), SECRET)), 'did not make it'],
    [
      'another id',
      JSON.stringify({ requestId: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6e', signature: withV(27) }),
      'another',
    ],
    ['another id in a UR', answer(SIGNATURE, new Uint8Array(16)), 'answers another request'],
    ['the higher s', toHex(withHigherS(SIGNATURE)), 'did not make it'],
    ['64 bytes', toHex(SIGNATURE.subarray(0, 64)), '64 bytes'],
    ['zeros', toHex(new Uint8Array(65)), 'did not make it'],
    ['no JSON', '{', 'no JSON'],
    ['JSON of something else', '{"r":"0x1"}', '"signature"'],
    ['a UR of something else', ur('bytes', encodeCbor(SIGNATURE)), 'eth-signature'],
    ['a UR with a letter changed', answer(SIGNATURE).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), 'UR'],
    [
      'one part of two',
      'ur:eth-signature/1-2/lpadaxcfaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtdkgslpgh',
      'UR',
    ],
    ['a part of millions', 'ur:eth-signature/1-99999999/aeae', 'UR'],
    ['a UR without a signature', ur('eth-signature', encodeCbor(new Map([[1, 'x']]))), 'no signature'],
    ['a million characters', '0x'.padEnd(1_000_000, '0'), '20000'],
  ])("doesn't count as %s", async (_how, text, reason) => {
    await expect(broughtSignature(text, asked)).rejects.toThrow(reason)
  })
})

describe('the part of CBOR that is read', () => {
  it.each([
    ['nothing', []],
    ['a length without its bytes', [0x5a, 0xff, 0xff, 0xff, 0xff]],
    ['a list that promises billions', [0x9a, 0xff, 0xff, 0xff, 0xff]],
    ['a length that is left open', [0x5f, 0xff]],
    ['more than one value', [1, 1]],
    ['levels without end', Array.from({ length: 1_000 }, () => 0x81)],
    ['a number below zero', [0x20]],
    ['a number beyond 2^53 - 1', [0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
    ['a text that is no UTF-8', [0x61, 0xff]],
    ['a map with a text as key', [0xa1, 0x61, 0x61, 1]],
  ])('rejects %s', (_what, bytes) => {
    expect(() => decodeCbor(Uint8Array.from(bytes))).toThrow()
  })

  it.each([0, 23, 24, 255, 256, 65_535, 65_536, 2 ** 32, Number.MAX_SAFE_INTEGER])('reads %d as written', (value) => {
    expect(decodeCbor(encodeCbor([value, true, 'x']))).toEqual([value, true, 'x'])
  })
})

describe('requests without a connection', () => {
  let clock = new FakeClock()
  let folder = ''
  let requests: AirgapRequests
  const folders: string[] = []
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'airgap-')), 'unsigned')
    folders.push(folder)
    clock = new FakeClock(Date.now()) // files carry the computer's own time
    requests = new AirgapRequests({ folder, clock, log: silentLogger, randomBytes: () => ID })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  afterAll(() => {
    for (const each of folders) rmSync(join(each, '..'), { recursive: true, force: true })
  })

  const start = (signal = new AbortController().signal) => {
    const signed = requests.sign(ACCOUNT, WORK, { requestId: 'r1', signal })
    signed.catch(() => undefined)
    return { signed, out: requests.unsigned('r1', new AbortController().signal) }
  }

  it('exports the request as a file, imports the signature, and leaves nothing behind', async () => {
    const { signed, out } = start()
    const file = await out

    expect(await unsignedFiles(folder)).toEqual([file])
    await requests.give('r1', withV(27))
    expect(await signed).toEqual(SIGNATURE)
    expect(await unsignedFiles(folder)).toEqual([])
    await expect(requests.give('r1', withV(27))).rejects.toThrow('no such request')
  })

  it('accepts a file placed beside it, and keeps waiting after a wrong one', async () => {
    const { signed, out } = start()
    const { requestId } = await out
    await expect(bringSignature(folder, requestId, '0x00')).rejects.toMatchObject({ code: 'SIGNER_AIRGAP_ANSWER' })
    writeFileSync(join(folder, `${requestId}.signature`), 'nonsense')
    clock.advance(1_000)
    const gone = () => expect(() => readFileSync(join(folder, `${requestId}.signature`))).toThrow()
    await vi.waitFor(gone, { timeout: 240_000 })

    await bringSignature(folder, requestId.toUpperCase(), withV(28))
    clock.advance(1_000)

    expect(await signed).toEqual(SIGNATURE)
  })

  it('ends with its caller, when it is canceled, and after an hour', async () => {
    const gone = new AbortController()
    const first = start(gone.signal)
    await first.out
    gone.abort(new Error('gone'))
    await expect(first.signed).rejects.toThrow('gone')

    const second = start()
    await second.out
    requests.giveUp('r1')
    await expect(second.signed).rejects.toMatchObject({ code: 'SIGNER_DEVICE_REFUSED' })

    const third = start()
    await third.out
    clock.advance(3_600_000)
    await expect(third.signed).rejects.toMatchObject({ code: 'SIGNER_AIRGAP_SILENT' })
    expect(await unsignedFiles(folder)).toEqual([])
  })

  it('no longer notifies a listener that stopped waiting for it', async () => {
    const gone = new AbortController()
    const early = requests.unsigned('r1', gone.signal)
    gone.abort(new Error('gone'))
    await expect(early).rejects.toThrow('gone')
    await expect(requests.unsigned('r1', gone.signal)).rejects.toThrow('gone')

    const { signed, out } = start()
    await out
    await requests.give('r1', withV(27))
    expect(await signed).toEqual(SIGNATURE)
  })

  it('keeps what a killed signer left for an hour, and no longer', async () => {
    const killed = new AirgapRequests({
      folder,
      clock,
      log: silentLogger,
      randomBytes: () => ID.map((byte) => byte ^ 1),
    })
    const lost = killed.sign(ACCOUNT, WORK, { requestId: 'r0', signal: new AbortController().signal })
    lost.catch(() => undefined)
    const left = await killed.unsigned('r0', new AbortController().signal)

    const first = start()
    const file = await first.out
    expect(await unsignedFiles(folder)).toHaveLength(2)
    await bringSignature(folder, left.requestId, withV(27)) // nobody waits for it anymore
    requests.giveUp('r1')
    await expect(first.signed).rejects.toMatchObject({ code: 'SIGNER_DEVICE_REFUSED' })
    expect(await unsignedFiles(folder)).toEqual([left])

    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0)
    const second = start()
    expect(await second.out).toEqual(file)
    expect(readdirSync(folder)).toEqual([`${file.requestId}.json`])
    requests.giveUp('r1')
    await expect(second.signed).rejects.toThrow()
    killed.giveUp('r0')
    await expect(lost).rejects.toThrow()
  })

  it('is not kept from going out by what else is in the folder', async () => {
    mkdirSync(join(folder, 'a-folder.json'), { recursive: true })
    symlinkSync(join(folder, 'nothing'), join(folder, 'a-link.json'))
    const { signed, out } = start()
    const file = await out

    expect(await unsignedFiles(folder)).toEqual([file])
    requests.giveUp('r1')
    await expect(signed).rejects.toMatchObject({ code: 'SIGNER_DEVICE_REFUSED' })
  })

  it("reports if it can't store the request", async () => {
    writeFileSync(folder, 'a file in its place')

    await expect(start().signed).rejects.toMatchObject({ code: 'SIGNER_AIRGAP_FOLDER' })
    await expect(bringSignature(folder, vectors.requestId, withV(27))).rejects.toMatchObject({
      code: 'SIGNER_AIRGAP_FOLDER',
    })
  })
})
