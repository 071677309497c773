import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../base/bytes'
import { bytesOfHex, toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { snappy, unsnappy } from '../../codec/snappy'
import { newSecretKey } from '../../identity/node-key'
import { bodyBytes, FRAME_HEAD_BYTES, FrameCodec } from './connection'
import { ackPacket, authPacket, frameSecrets, publicKeyOf, readAck, readAuth } from './handshake'

const vectors = JSON.parse(readFileSync(new URL('../../../../test/vectors/p2p/rlpx.json', import.meta.url), 'utf8'))
const hex = (text: string) => bytesOfHex(text)
const named = (list: { label: string; packet: string }[], label: string) =>
  hex(list.find((entry) => entry.label === label)?.packet ?? '')

const labelsOf = (list: { label: string }[]): string[] => list.map(({ label }) => label)

describe('the RLPx handshake of the EIP-8 vectors', () => {
  it.each(labelsOf(vectors.auth))('reads %s', (label) => {
    const read = readAuth(named(vectors.auth, label), hex(vectors.staticKeyB))

    expect(read && [toHex(read.remoteId), toHex(read.ephemeralId), toHex(read.nonce)]).toEqual([
      toHex(publicKeyOf(hex(vectors.staticKeyA))),
      toHex(publicKeyOf(hex(vectors.ephemeralKeyA))),
      vectors.nonceA,
    ])
  })

  it.each(labelsOf(vectors.ack))('reads %s', (label) => {
    const read = readAck(named(vectors.ack, label), hex(vectors.staticKeyA))

    expect(read && [toHex(read.ephemeralId), toHex(read.nonce)]).toEqual([
      toHex(publicKeyOf(hex(vectors.ephemeralKeyB))),
      vectors.nonceB,
    ])
  })

  it('derives the secrets of the recipient', () => {
    const { auth, ack, aesSecret, macSecret, ingressMacAfterFoo } = vectors.recipientDerivation
    const secrets = frameSecrets({
      isInitiator: false,
      side: { ephemeralKey: hex(vectors.ephemeralKeyB), nonce: hex(vectors.nonceB) },
      remote: { ephemeralId: publicKeyOf(hex(vectors.ephemeralKeyA)), nonce: hex(vectors.nonceA) },
      auth: named(vectors.auth, auth),
      ack: named(vectors.ack, ack),
    })

    expect(secrets && [toHex(secrets.aes), toHex(secrets.mac)]).toEqual([aesSecret, macSecret])
    expect(toHex(secrets?.ingress.update(new TextEncoder().encode('foo')).digest() ?? new Uint8Array(0))).toBe(
      ingressMacAfterFoo,
    )
  })

  it('rejects a packet with a changed bit, and one for another key', () => {
    const packet = named(vectors.auth, 'Auth2')
    const spoilt = packet.slice()
    spoilt[200] = (spoilt[200] ?? 0) ^ 1

    expect(readAuth(spoilt, hex(vectors.staticKeyB))).toBeNull()
    expect(readAuth(packet, hex(vectors.staticKeyA))).toBeNull()
    expect(readAuth(packet.subarray(0, 40), hex(vectors.staticKeyB))).toBeNull()
  })
})

describe('frames', () => {
  const vectorCodec = () => {
    const seeded = () => keccak_256.create().update(new TextEncoder().encode(vectors.frames.egressMacSeedAscii))
    const { aesSecret, macSecret } = vectors.frames
    return new FrameCodec({ aes: hex(aesSecret), mac: hex(macSecret), egress: seeded(), ingress: seeded() })
  }

  it('are read as in the vectors', () => {
    const codec = vectorCodec()
    for (const { code, frame, payload, snappy: packed } of vectors.frames.frames) {
      const bytes = hex(frame)
      const size = codec.readHead(bytes.subarray(0, FRAME_HEAD_BYTES)) ?? -1
      const content = codec.readBody(bytes.subarray(FRAME_HEAD_BYTES), size)

      expect(FRAME_HEAD_BYTES + bodyBytes(size)).toBe(bytes.length)
      expect(content?.[0]).toBe(code === 0 ? 0x80 : code)
      const rest = content?.subarray(1) ?? new Uint8Array(0)
      expect(toHex((packed ? unsnappy(rest, 0xffffff) : rest) ?? new Uint8Array(0))).toBe(payload)
    }
  })

  it('are written so that the other side reads them, from both sides of a fresh handshake', () => {
    const [a, b] = [newSecretKey(randomBytes), newSecretKey(randomBytes)]
    const side = () => ({ ephemeralKey: newSecretKey(randomBytes), nonce: new Uint8Array(randomBytes(32)) })
    const [ours, theirs] = [side(), side()]
    const auth = authPacket(a, publicKeyOf(b), ours, randomBytes)
    const heard = readAuth(auth, b)
    const ack = ackPacket(heard?.remoteId ?? publicKeyOf(a), theirs, randomBytes)
    const answered = readAck(ack, a)
    if (heard === null || answered === null) throw new Error('handshake failed')
    const first = frameSecrets({ isInitiator: true, side: ours, remote: answered, auth, ack })
    const second = frameSecrets({ isInitiator: false, side: theirs, remote: heard, auth, ack })
    if (first === null || second === null) throw new Error('no secrets')
    const [writer, reader] = [new FrameCodec(first), new FrameCodec(second)]

    for (const size of [0, 1, 15, 16, 17, 70_000]) {
      const content = concatBytes(snappy(new Uint8Array(randomBytes(size))))
      const frame = writer.encode(content)
      const promised = reader.readHead(frame.subarray(0, FRAME_HEAD_BYTES)) ?? -1
      expect(reader.readBody(frame.subarray(FRAME_HEAD_BYTES), promised)).toEqual(Buffer.from(content))
    }
    const spoilt = writer.encode(Uint8Array.of(1))
    spoilt[3] = (spoilt[3] ?? 0) ^ 1
    expect(reader.readHead(spoilt.subarray(0, FRAME_HEAD_BYTES))).toBeNull()
  })

  it('uses the same digest as the rest of the node', () => {
    expect(toHex(keccak_256.create().digest())).toBe(toHex(keccak256(new Uint8Array(0))))
    expect(secp256k1.utils.isValidSecretKey(newSecretKey(randomBytes))).toBe(true)
  })
})
