// Combinations that a form rejects although a command line may use them: each single value is fine, together they are
// insecure.

import { bracketed, isLoopback } from '../../base/ip-address'
import type { Secret } from '../../base/secret'
import type { ResolvedConfig } from '../../config/resolved-config'

/** JSON-RPC namespaces that web pages shouldn't reach. */
const STRONG_NAMESPACES: readonly string[] = ['debug', 'trace', 'admin', 'miner']

/**
 * What would be dangerous after a restart, one sentence each.
 * @param file the configuration from the config file alone
 * @param running this run: its command line and environment stay in effect
 */
export function dangersOf(file: ResolvedConfig, running: ResolvedConfig): readonly string[] {
  const isFixed = (key: string): boolean =>
    ['command line', 'environment'].includes(running.sources[key]?.kind ?? 'default')
  const rpc = (property: keyof ResolvedConfig['rpc']): readonly string[] => {
    const value: unknown = (isFixed(`rpc.${property}`) ? running : file).rpc[property]
    return Array.isArray(value) ? value.map(String) : []
  }
  return [
    ...originDangers('http.corsdomain', rpc('httpCors'), 'http.api', rpc('httpApi')),
    ...originDangers('ws.origins', rpc('wsOrigins'), 'ws.api', rpc('wsApi')),
    ...controlDangers({
      bind: (isFixed('api.bind') ? running : file).api.bind,
      allowControl: (isFixed('api.allowControl') ? running : file).api.allowControl,
      token: file.api.token ?? (isFixed('api.token') || isFixed('api.tokenFile') ? running.api.token : null),
    }),
  ]
}

function originDangers(
  flag: string,
  origins: readonly string[],
  apiFlag: string,
  namespaces: readonly string[],
): readonly string[] {
  if (origins.includes('*'))
    return [
      `--${flag} *: every web page that is opened on this computer could use the node; name the origins one by one`,
    ]
  const foreign = origins.filter((origin) => !isOwnOrigin(origin))
  const strong = namespaces.filter((name) => STRONG_NAMESPACES.includes(name))
  if (foreign.length === 0 || strong.length === 0) return []
  return [
    `--${apiFlag} with ${strong.join(', ')} and --${flag} with ${foreign.join(', ')}: a page of that origin could change the node; take out one of them`,
  ]
}

interface Control {
  readonly bind: ResolvedConfig['api']['bind']
  readonly allowControl: boolean
  readonly token: Secret | null
}

function controlDangers({ bind, allowControl, token }: Control): readonly string[] {
  if (!allowControl || token !== null || bind === null || bind.host === '127.0.0.1') return []
  return [
    `--api-allow-control on ${bracketed(bind.host)}:${bind.port} without a token: anybody who reaches it could control the miner; make a token first`,
  ]
}

function isOwnOrigin(origin: string): boolean {
  try {
    const { hostname } = new URL(origin.includes('://') ? origin : `http://${origin}`)
    return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
  } catch {
    return false // only an address can be our own
  }
}
