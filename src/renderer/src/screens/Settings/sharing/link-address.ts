// Where a link to this program can point: the addresses at which others can reach it, most likely first.
import type { PlaceView } from '../../../../../contract/app'

interface LinkAddresses {
  /** `host:port` that the program listens on; null = nowhere. */
  readonly api: string | null
  /** Addresses on the home network. */
  readonly place: Pick<PlaceView, 'addresses'> | null
  /** Address of the open page. */
  readonly page: Pick<Location, 'protocol' | 'origin'>
}

/** Origins such as `http://192.0.2.7:3333`, without a trailing slash. */
export function linkOrigins({ api, place, page }: LinkAddresses): readonly string[] {
  const own = page.protocol === 'http:' || page.protocol === 'https:' ? [page.origin] : []
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(api ?? '') ?? []
  if (port === '') return own
  const isEverywhere = host === '0.0.0.0' || host === '[::]'
  const hosts = isEverywhere ? (place?.addresses ?? []) : [host]
  const found = hosts.map((name) => `http://${name}:${port}`)
  // a page opened through a non-local address proves that the address works
  const ordered = isLocal(own[0] ?? '') ? [...found, ...own] : [...own, ...found]
  return [...new Set(ordered)]
}

/** The fragment never reaches a server, a log or a referrer. */
export function linkOf(origin: string, token: string): string {
  return `${origin}/#token=${encodeURIComponent(token)}`
}

function isLocal(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|$)/.test(origin)
}
