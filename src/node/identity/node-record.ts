// How a node is named to others: its id, its enode URL, and its signed record. Sources: EIP-778 (record, "v4" identity), devp2p
// enode URL format
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { toBareHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'

export interface NodeEndpoint {
  /** dotted IPv4 */
  readonly ip: string
  /** TCP; 0 = does not listen */
  readonly port: number
  /** UDP; 0 = no discovery */
  readonly discoveryPort: number
}

export interface NodeIdentity extends NodeEndpoint {
  /** keccak-256 of the public key, 32 bytes */
  readonly id: Uint8Array
  readonly enode: string
  /** `enr:` and URL-safe base64 */
  readonly enr: string
}

/** @param key 32 bytes @param sequence of the record; grows with each change of the endpoint */
export function nodeIdentity(key: Uint8Array, endpoint: NodeEndpoint, sequence: bigint): NodeIdentity {
  const publicKey = secp256k1.getPublicKey(key, false).subarray(1)
  const { ip, port, discoveryPort } = endpoint
  const discovery = discoveryPort === port ? '' : `?discport=${discoveryPort}`
  return {
    ...endpoint,
    id: keccak256(publicKey),
    enode: `enode://${toBareHex(publicKey)}@${ip}:${port}${discovery}`,
    enr: `enr:${Buffer.from(nodeRecord(key, endpoint, sequence)).toString('base64url')}`,
  }
}

/** RLP [signature, sequence, key, value, ...], keys in order. */
function nodeRecord(key: Uint8Array, { ip, port, discoveryPort }: NodeEndpoint, sequence: bigint): Uint8Array {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value)
  const content: RlpItem[] = [
    rlpInteger(sequence),
    ...[text('id'), text('v4')],
    ...[text('ip'), Uint8Array.from(ip.split('.').map(Number))],
    ...[text('secp256k1'), secp256k1.getPublicKey(key, true)],
    ...(port === 0 ? [] : [text('tcp'), rlpInteger(port)]),
    ...(discoveryPort === 0 ? [] : [text('udp'), rlpInteger(discoveryPort)]),
  ]
  const digest = keccak256(encodeRlp(content))
  const signature = secp256k1.sign(digest, key, { prehash: false })
  return encodeRlp([signature, ...content])
}
