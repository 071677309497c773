// Value types of the network layer: lists of nodes, of node lists and of networks, and the port mapping.

import { isIpLiteral } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import type { ValueType } from '../schema'
import { listType, textType } from './value-types'

/** How our port becomes reachable; `host` is the public address of `extip`. */
export interface NatMode {
  readonly kind: 'any' | 'none' | 'upnp' | 'pmp' | 'extip'
  readonly host: string | null
}

const ENODE = /^enode:\/\/[0-9a-fA-F]{128}@(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]{1,253}):\d{1,5}(\?discport=\d{1,5})?$/
const BLOCK_HASH = /^(\d{1,15}|0x[0-9a-fA-F]{1,12})=0x[0-9a-fA-F]{64}$/
const ENRTREE = /^enrtree:\/\/[A-Z2-7]{50,56}@[A-Za-z0-9._-]{1,253}$/

/** Enode URLs, comma-separated; an empty text is the empty list. */
export function nodeUrls(): ValueType<readonly string[]> {
  return textList('NODES', 'a comma list of enode://ID@HOST:PORT', (text) => ENODE.test(text))
}

/** Addresses of DNS node lists (EIP-1459), comma-separated. */
export function treeUrls(): ValueType<readonly string[]> {
  return textList('TREES', 'a comma list of enrtree://KEY@DOMAIN', (text) => ENRTREE.test(text))
}

/** The secret key of a node: 64 hex digits, kept as a `Secret`. */
export function nodeKey(): ValueType<Secret> {
  const parse = (text: string): Secret | null => (/^(0x)?[0-9a-fA-F]{64}$/.test(text) ? new Secret(text) : null)
  return { ...textType('HEX', '64 hex digits', parse), form: 'secret' }
}

/** Networks such as `10.0.0.0/8`, comma-separated. */
export function networkList(): ValueType<readonly string[]> {
  return textList('NETWORKS', 'a comma list of networks such as 10.0.0.0/8', isNetwork)
}

/** Blocks as `NUMBER=HASH`, comma-separated; the number may be `0x` and hex digits. */
export function blockHashes(): ValueType<readonly string[]> {
  return textList('BLOCKS', 'a comma list of NUMBER=0xHASH with 64 hex digits', (text) => BLOCK_HASH.test(text))
}

/** `any`, `none`, `upnp`, `pmp` or `extip:IP`. */
export function natMode(): ValueType<NatMode> {
  const parse = (text: string): NatMode | null => {
    if (text === 'any' || text === 'none' || text === 'upnp' || text === 'pmp') return { kind: text, host: null }
    const host = text.startsWith('extip:') ? text.slice('extip:'.length) : ''
    return isIpLiteral(host) ? { kind: 'extip', host } : null
  }
  const expected = 'any, none, upnp, pmp, or extip:IP'
  return textType('MODE', expected, parse, ({ kind, host }) => (host === null ? kind : `${kind}:${host}`))
}

function isNetwork(text: string): boolean {
  const [, host, bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  return host !== undefined && isIpLiteral(host) && Number(bits) <= (host.includes(':') ? 128 : 32)
}

function textList(
  placeholder: string,
  expected: string,
  isGood: (text: string) => boolean,
): ValueType<readonly string[]> {
  const read = (texts: readonly string[]): readonly string[] | null => {
    if (texts.length === 1 && texts[0] === '') return []
    return texts.every(isGood) ? texts : null
  }
  return listType({ placeholder, expected, read })
}
