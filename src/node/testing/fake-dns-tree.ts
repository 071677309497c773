// A signed node list in memory, for tests without DNS.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak256 } from '../codec/keccak'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding. */
export function toBase32(bytes: Uint8Array): string {
  let bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0')
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
}

/** Serves TXT records from memory. */
export class FakeDns {
  readonly texts = new Map<string, string>()
  readonly questions: string[] = []

  readonly resolveTxt = async (name: string): Promise<readonly string[]> => {
    this.questions.push(name)
    const text = this.texts.get(name)
    if (text === undefined) throw new Error(`no such name ${name}`)
    return ['v=spf1 -all', text]
  }

  /** Publishes a tree of nodes (`enr:`) and links (`enrtree:`). @param key 32 bytes @returns its address */
  publish(domain: string, key: Uint8Array, tree: { nodes: string[]; links: string[]; sequence: number }): string {
    const nodes = this.#put(domain, this.#branch(domain, tree.nodes))
    const links = this.#put(domain, this.#branch(domain, tree.links))
    const signed = `enrtree-root:v1 e=${nodes} l=${links} seq=${tree.sequence}`
    const digest = keccak256(new TextEncoder().encode(signed))
    const signature = Buffer.concat([secp256k1.sign(digest, key, { prehash: false }), Uint8Array.of(0)])
    this.texts.set(domain, `${signed} sig=${signature.toString('base64url')}`)
    return `enrtree://${toBase32(secp256k1.getPublicKey(key, true))}@${domain}`
  }

  #branch(domain: string, leaves: readonly string[]): string {
    return `enrtree-branch:${leaves.map((leaf) => this.#put(domain, leaf)).join(',')}`
  }

  #put(domain: string, text: string): string {
    const name = toBase32(keccak256(new TextEncoder().encode(text)).subarray(0, 16))
    this.texts.set(`${name}.${domain}`, text)
    return name
  }
}
