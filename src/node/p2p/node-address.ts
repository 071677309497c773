// A node's address: its public key and where it listens, as an enode URL. Source: devp2p enode URL format
import { isIP } from 'node:net'
import { fromHex, toBareHex } from '../../base/hex'
import { bracketed } from '../../base/ip-address'
import { fail, ok, type Result } from '../codec/result'

/** An enode URL in parts: `enode://<id>@host:tcp?discport=udp`. */
export interface NodeAddress {
  /** secp256k1 public key without its leading 0x04, 64 bytes */
  readonly id: Uint8Array
  /** IP address (IPv6 without brackets) or a DNS name */
  readonly host: string
  /** 0 = not listening */
  readonly tcpPort: number
  /** 0 = no discovery */
  readonly udpPort: number
}

const URL_FORM =
  /^enode:\/\/(?:0x)?([0-9a-fA-F]*)@(\[[0-9a-fA-F:.]+\]|[^\s@:/?[\]]+):(\d{1,5})(?:\?discport=(\d{1,5}))?$/
const MAX_URL_CHARACTERS = 512
const LAST_PORT = 65_535

/** Parses `enode://ID@HOST:PORT[?discport=PORT]`; the error says what is wrong. */
export function parseEnode(text: string): Result<NodeAddress> {
  if (text.length > MAX_URL_CHARACTERS) return fail(`enode: longer than ${MAX_URL_CHARACTERS} characters`)
  const matched = URL_FORM.exec(text)
  if (matched === null) return fail('invalid enode: want enode://ID@HOST:PORT')
  const [, digits = '', hostText = '', tcp = '', udp = tcp] = matched
  const id = fromHex(digits)
  if (id === null || id.length !== 64) return fail('invalid enode: the id has to be 128 hex digits')
  const tcpPort = Number(tcp)
  const udpPort = Number(udp)
  if (tcpPort > LAST_PORT || udpPort > LAST_PORT) return fail('invalid enode: a port is above 65535')
  const host = hostText.startsWith('[') ? hostText.slice(1, -1) : hostText
  if (hostText.startsWith('[') && isIP(host) !== 6) return fail('invalid enode: no IPv6 address in the brackets')
  return ok({ id, host, tcpPort, udpPort })
}

/** The inverse of `parseEnode`; includes `discport` only when the ports differ. */
export function formatEnode({ id, host, tcpPort, udpPort }: NodeAddress): string {
  return `enode://${toBareHex(id)}@${bracketed(host)}:${tcpPort}${udpPort === tcpPort ? '' : `?discport=${udpPort}`}`
}

/** Map key of a node: 128 hex digits. */
export function nodeName(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex') // as one string: there are many of these
}
