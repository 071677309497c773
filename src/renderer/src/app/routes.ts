// Addresses of the screens. Routing is by hash, so that no server has to know them and a file: page works too.

export type Route =
  | { readonly screen: 'overview' }
  | { readonly screen: 'gpus'; readonly index: number | null }
  | { readonly screen: 'node' }
  | { readonly screen: 'block'; readonly id: string }
  | { readonly screen: 'transaction'; readonly hash: string }
  | { readonly screen: 'accounts' }
  | { readonly screen: 'approval'; readonly id: string | null }
  | { readonly screen: 'activity' }
  | { readonly screen: 'settings'; readonly section: 'appearance' | 'about' }
  | { readonly screen: 'sign-in' }
  | { readonly screen: 'unknown'; readonly path: string }

export type NavName = 'overview' | 'gpus' | 'node' | 'accounts' | 'activity' | 'settings'

export interface NavItem {
  readonly name: NavName
  readonly path: string
  /** Second letter of the key sequence that starts with `g`. */
  readonly key: string
}

export const navItems: readonly NavItem[] = [
  { name: 'overview', path: '/', key: 'o' },
  { name: 'gpus', path: '/gpus', key: 'm' },
  { name: 'node', path: '/node', key: 'n' },
  { name: 'accounts', path: '/accounts', key: 'a' },
  { name: 'activity', path: '/activity', key: 'l' },
  { name: 'settings', path: '/settings', key: 's' },
]

/** The navigation entry a route belongs to. */
export function navOf(route: Route): NavName | null {
  if (route.screen === 'block' || route.screen === 'transaction') return 'node'
  if (route.screen === 'approval') return 'accounts'
  if (route.screen === 'sign-in' || route.screen === 'unknown') return null
  return route.screen
}

/** Reads the part of the address behind `#`. */
export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '').replace(/\/+$/, '') || '/'
  const [, first = '', second = '', third = ''] = path.split('/')
  const unknown: Route = { screen: 'unknown', path }
  switch (first) {
    case '':
      return path === '/' ? { screen: 'overview' } : unknown
    case 'gpus':
      return second === '' || /^\d{1,4}$/.test(second)
        ? { screen: 'gpus', index: second === '' ? null : Number(second) }
        : unknown
    case 'node':
      return nodeRoute(second, third) ?? unknown
    case 'accounts':
      if (second === '') return { screen: 'accounts' }
      return second === 'approvals' ? { screen: 'approval', id: third === '' ? null : third } : unknown
    case 'activity':
      return { screen: 'activity' }
    case 'settings':
      return { screen: 'settings', section: second === 'about' ? 'about' : 'appearance' }
    case 'sign-in':
      return { screen: 'sign-in' }
    default:
      return unknown
  }
}

function nodeRoute(second: string, third: string): Route | null {
  if (second === '' || second === 'blocks') return { screen: 'node' }
  if (second === 'block' && /^(\d{1,15}|0x[0-9a-f]{64})$/.test(third)) return { screen: 'block', id: third }
  if (second === 'tx' && /^0x[0-9a-f]{64}$/.test(third)) return { screen: 'transaction', hash: third }
  return null
}
