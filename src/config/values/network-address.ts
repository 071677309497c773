// Listening addresses: an IP literal or `localhost`, and for the control port the forms of its option.
import { bracketed, isIpv4, isIpv6 } from '../../base/ip-address'
import type { ValueType } from '../schema'
import { textType } from './value-types'

/** Where the control port listens. */
export interface BindAddress {
  /** An IP literal without brackets; `localhost` becomes 127.0.0.1. */
  readonly host: string
  /** 0 = any free one. */
  readonly port: number
  /** hashwarp's spelling with a negative port: nobody has control. */
  readonly readOnly: boolean
}

/** An IPv4 or IPv6 literal, or `localhost`. */
export function listenHost(): ValueType<string> {
  return textType('ADDR', 'an IP address or localhost', literalOf)
}

/** `ADDR:PORT`, `[V6]:PORT`, `localhost:PORT`, `ADDR:-PORT`, or `off`. */
export function bindAddress(): ValueType<BindAddress | 'off'> {
  const parse = (text: string): BindAddress | 'off' | null => {
    if (text === 'off') return 'off'
    const match = /^(\[[^\]]*\]|[^:[\]]+):(-?)(\d{1,5})$/.exec(text)
    const host = match?.[1] === undefined ? null : literalOf(match[1])
    const port = Number(match?.[3])
    if (host === null || port > 65_535) return null
    if (match?.[1]?.startsWith('[') !== host.includes(':')) return null
    return { host, port, readOnly: match?.[2] === '-' }
  }
  const expected = 'ADDR:PORT with an IP address or localhost and a port in 0..65535, ADDR:-PORT for read only, or off'
  return textType('ADDR:PORT', expected, parse, (value) =>
    value === 'off' ? value : `${bracketed(value.host)}:${value.readOnly ? '-' : ''}${value.port}`,
  )
}

/** Where a port listens; the same without the spelling for read-only. */
export type ListenPlace = Pick<BindAddress, 'host' | 'port'>

/** `ADDR:PORT`, `[V6]:PORT`, `localhost:PORT`, or `off`. */
export function listenAddress(): ValueType<ListenPlace | 'off'> {
  const { parse: parseBind } = bindAddress()
  const parse = (text: string): ListenPlace | 'off' | null => {
    const bind = parseBind(text)
    if (bind === null || bind === 'off') return bind
    return bind.readOnly ? null : { host: bind.host, port: bind.port }
  }
  const expected = 'ADDR:PORT with an IP address or localhost and a port in 0..65535, or off'
  return textType('ADDR:PORT', expected, parse, (value) =>
    value === 'off' ? value : `${bracketed(value.host)}:${value.port}`,
  )
}

function literalOf(text: string): string | null {
  if (text === 'localhost') return '127.0.0.1'
  if (isIpv4(text)) return text
  const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? text
  return isIpv6(inner) ? inner.toLowerCase() : null
}
