// RLPx frames: 16-byte header and body, each with a MAC chained over all previous frames.
// Source: devp2p, RLPx; vectors test/vectors/p2p/rlpx.json
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { equalBytes } from '../../../base/bytes'
import type { FrameSecrets, MacState } from './handshake'

const BLOCK = 16
/** Header and its MAC. */
export const FRAME_HEAD_BYTES = 2 * BLOCK
/** Exclusive upper limit of a frame's content. */
export const FRAME_LIMIT = 0x1000000

/** Stateful in both directions: encode and decode frames in order; a wrong MAC ends the connection. */
export class FrameCodec {
  readonly #encrypt: ReturnType<typeof createCipheriv>
  readonly #decrypt: ReturnType<typeof createDecipheriv>
  readonly #mac: ReturnType<typeof createCipheriv>
  readonly #egress: MacState
  readonly #ingress: MacState

  constructor({ aes, mac, egress, ingress }: FrameSecrets) {
    this.#encrypt = createCipheriv('aes-256-ctr', aes, new Uint8Array(BLOCK))
    this.#decrypt = createDecipheriv('aes-256-ctr', aes, new Uint8Array(BLOCK))
    this.#mac = createCipheriv('aes-256-ecb', mac, null).setAutoPadding(false)
    this.#egress = egress
    this.#ingress = ingress
  }

  /** One frame, to be written at once. @param content shorter than `FRAME_LIMIT` */
  encode(content: Uint8Array): Uint8Array {
    if (content.length >= FRAME_LIMIT) throw new RangeError(`${content.length} bytes do not fit a frame`)
    const padded = paddedSize(content.length)
    const frame = new Uint8Array(FRAME_HEAD_BYTES + padded + BLOCK)
    const header = new Uint8Array(BLOCK)
    header.set([content.length >>> 16, (content.length >>> 8) & 0xff, content.length & 0xff, 0xc2, 0x80, 0x80])
    frame.set(this.#encrypt.update(header))
    frame.set(this.#headMac(this.#egress, frame.subarray(0, BLOCK)), BLOCK)
    frame.set(content, FRAME_HEAD_BYTES)
    const body = frame.subarray(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + padded)
    body.set(this.#encrypt.update(body))
    frame.set(this.#bodyMac(this.#egress, body), FRAME_HEAD_BYTES + padded)
    return frame
  }

  /** The content size from a 32-byte head; null when its MAC is wrong. */
  readHead(head: Uint8Array): number | null {
    const sealed = head.subarray(0, BLOCK)
    if (!equalBytes(this.#headMac(this.#ingress, sealed), head.subarray(BLOCK))) return null
    const header = this.#decrypt.update(sealed)
    return ((header[0] ?? 0) << 16) | ((header[1] ?? 0) << 8) | (header[2] ?? 0)
  }

  /** The content of `size` bytes from a body with its MAC; null when that is wrong. */
  readBody(body: Uint8Array, size: number): Uint8Array | null {
    const sealed = body.subarray(0, body.length - BLOCK)
    if (!equalBytes(this.#bodyMac(this.#ingress, sealed), body.subarray(body.length - BLOCK))) return null
    return this.#decrypt.update(sealed).subarray(0, size)
  }

  #headMac(state: MacState, sealed: Uint8Array): Uint8Array {
    return this.#fold(state, sealed)
  }

  #bodyMac(state: MacState, sealed: Uint8Array): Uint8Array {
    state.update(sealed)
    return this.#fold(state, digestOf(state))
  }

  #fold(state: MacState, seed: Uint8Array): Uint8Array {
    const mask = this.#mac.update(digestOf(state))
    state.update(mask.map((byte, index) => byte ^ (seed[index] ?? 0)))
    return digestOf(state)
  }
}

/** Bytes that follow the head of a frame of `size`. */
export function bodyBytes(size: number): number {
  return paddedSize(size) + BLOCK
}

function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

/** The first 16 bytes of the digest so far. */
function digestOf(state: MacState): Uint8Array {
  return state.clone().digest().subarray(0, BLOCK)
}
