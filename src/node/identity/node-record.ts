// A node's identity: its id, its enode URL and its signed record. Sources: EIP-778 (record, "v4" identity), devp2p
// enode URL format
import { toBareHex } from '../../base/hex'
import { secp256k1 } from '../../native/secp256k1'
import { keccak256 } from '../codec/keccak'
import { recordText, signRecord } from './enr'

/** A node's address and ports. */
interface NodeEndpoint {
  /** dotted IPv4 */
  readonly ip: string
  /** TCP; 0 = not listening */
  readonly port: number
  /** UDP; 0 = no discovery */
  readonly discoveryPort: number
}

/** The identity announced to other nodes. */
export interface NodeIdentity extends NodeEndpoint {
  /** `HOST:PORT` of the listener; `IP:0` without one. */
  readonly listenAddress: string
  /** keccak-256 of the public key, 32 bytes */
  readonly id: Uint8Array
  readonly enode: string
  /** `enr:` and URL-safe base64 */
  readonly enr: string
}

/** @param key 32 bytes @param sequence of the record; increases with each change of the endpoint */
export function nodeIdentity(key: Uint8Array, endpoint: NodeEndpoint, sequence: bigint): NodeIdentity {
  const publicKey = secp256k1().publicKey(key)
  const { ip, port, discoveryPort } = endpoint
  const host = Uint8Array.from(ip.split('.').map(Number))
  const discovery = discoveryPort === port ? '' : `?discport=${discoveryPort}`
  return {
    ...endpoint,
    listenAddress: `${ip}:${port}`,
    id: keccak256(publicKey),
    enode: `enode://${toBareHex(publicKey)}@${ip}:${port}${discovery}`,
    enr: recordText(signRecord(key, sequence, { host, tcpPort: port, udpPort: discoveryPort, forkId: null })),
  }
}
