// A device with its own key behind the program's port: simulates Ledger's Ethereum app and its failures.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '../../../base/bytes'
import { addressOfPublicKey, type LowerAddress, toHex } from '../../../base/hex'
import { hashedText } from '../../data/sign-data'
import { SignerError } from '../../errors'
import type { DeviceChannel, DevicePort } from '../device-port'

const INS = { address: 0x02, transaction: 0x04, text: 0x08 } as const
/** For legacy transactions. */
const CHAIN_ID = 2110
const FIRST_CHUNK = 0x00

/**
 * Null: answers like the app. A number: this status. Bytes: these. `silent`: nothing. `unplugged`: the device is
 * removed.
 */
type Answer = null | number | Uint8Array | 'silent' | 'unplugged'

export class SimulatedDevice implements DevicePort {
  readonly address: LowerAddress
  /** Instructions in order of arrival. */
  readonly asked: number[] = []
  open = 0
  mostOpen = 0
  /** Replaces the app's answer to an instruction. */
  answers: (instruction: number) => Answer = () => null
  isPlugged = true
  /** Awaited before each answer, for tests of concurrent events. */
  before: () => Promise<void> = () => Promise.resolve()
  readonly #secret: Uint8Array
  #pending: Uint8Array[] = []

  constructor(seed: number) {
    this.#secret = new Uint8Array(32).fill(seed)
    this.address = addressOfPublicKey(secp256k1.getPublicKey(this.#secret, false).subarray(1))
  }

  async plugged() {
    return this.isPlugged ? [{ open: async () => this.#channel() }] : []
  }

  /** Like the app: the lower s. */
  sign(digest: Uint8Array): { readonly parity: number; readonly halves: Uint8Array } {
    const made = secp256k1.sign(digest, this.#secret, { prehash: false, format: 'recovered' })
    return { parity: made[0] ?? 0, halves: made.subarray(1) }
  }

  #channel(): DeviceChannel {
    this.open += 1
    this.mostOpen = Math.max(this.mostOpen, this.open)
    let isOpen = true
    let drop: (error: Error) => void = () => undefined
    return {
      exchange: async (apdu) => {
        this.asked.push(apdu[1] ?? 0)
        await this.before()
        const answer = this.answers(apdu[1] ?? 0)
        if (answer === 'silent') return new Promise((_, reject) => (drop = reject))
        if (answer === 'unplugged') throw new SignerError('SIGNER_DEVICE_LOST', undefined)
        if (answer instanceof Uint8Array) return answer
        return answer === null ? concatBytes(this.#answer(apdu), status(0x9000)) : status(answer)
      },
      close: async () => {
        if (isOpen) this.open -= 1
        isOpen = false
        drop(new SignerError('SIGNER_DEVICE_LOST', undefined))
      },
    }
  }

  #answer(apdu: Uint8Array): Uint8Array {
    const [, instruction, first, , , depth = 0] = apdu
    const isFirst = first === FIRST_CHUNK
    const behindPath = apdu.subarray(isFirst ? 6 + 4 * depth : 5)
    if (instruction === INS.address) return this.#addressAnswer()
    this.#pending = isFirst ? [behindPath] : [...this.#pending, behindPath]
    const whole = concatBytes(...this.#pending)
    if (instruction === INS.text) return this.#signatureAnswer(keccak_256(hashedText(whole.subarray(4))), 27)
    const isLegacy = (whole[0] ?? 0) >= 0xc0
    return this.#signatureAnswer(keccak_256(whole), isLegacy ? (35 + 2 * CHAIN_ID) & 0xff : 0)
  }

  #addressAnswer(): Uint8Array {
    const text = new TextEncoder().encode(this.address.slice(2))
    return concatBytes(Uint8Array.of(0), Uint8Array.of(text.length), text)
  }

  /** @param offset of the parity; one byte, truncated like the app does */
  #signatureAnswer(digest: Uint8Array, offset: number): Uint8Array {
    const { parity, halves } = this.sign(digest)
    return concatBytes(Uint8Array.of((offset + parity) & 0xff), halves)
  }
}

export function status(word: number): Uint8Array {
  return Uint8Array.of(word >> 8, word & 0xff)
}

/** The other s of the same signature: nodes accept only the lower one. @param halves r and s */
export function withHigherS(halves: Uint8Array): Uint8Array {
  const order = secp256k1.Point.Fn.ORDER
  const s = order - BigInt(toHex(halves.subarray(32)))
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => Number((s >> BigInt(8 * (31 - index))) & 0xffn))
  return concatBytes(halves.subarray(0, 32), bytes)
}
