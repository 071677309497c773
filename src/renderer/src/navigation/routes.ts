// Addresses of the screens. Routes are in the hash, so that no server has to know them and a file: page works too.
import { type ScreenName, screenNames, screenRoutes } from '../../../contract/menu'

export type Route =
  | { readonly screen: 'overview' }
  | { readonly screen: 'gpus'; readonly index: number | null; readonly tab: DeviceTab }
  /** `proposed`: an address that a link filled in; null if none. */
  | { readonly screen: 'pools'; readonly proposed: string | null }
  | { readonly screen: 'rigs'; readonly name: string | null }
  | { readonly screen: 'node'; readonly tab: NodeTab }
  | { readonly screen: 'address'; readonly address: string }
  | { readonly screen: 'block'; readonly id: string }
  | { readonly screen: 'transaction'; readonly hash: string }
  | { readonly screen: 'accounts' }
  | { readonly screen: 'account'; readonly address: string }
  | { readonly screen: 'rules' }
  | { readonly screen: 'approval'; readonly id: string | null }
  | { readonly screen: 'activity'; readonly tab: ActivityTab }
  | { readonly screen: 'settings'; readonly section: string }
  | { readonly screen: 'welcome' }
  | { readonly screen: 'sign-in' }
  | { readonly screen: 'unknown'; readonly path: string }

export const deviceTabs = ['charts', 'tuning', 'about'] as const
export type DeviceTab = (typeof deviceTabs)[number]

export const nodeTabs = ['sync', 'peers', 'mempool', 'blocks', 'rpc'] as const
export type NodeTab = (typeof nodeTabs)[number]

export const activityTabs = ['events', 'audit', 'miner', 'node', 'all'] as const
export type ActivityTab = (typeof activityTabs)[number]

export type NavName = ScreenName

export interface NavItem {
  readonly name: NavName
  readonly path: string
  /** Second letter of the key sequence that starts with `g`. */
  readonly key: string
  /** Under "More" where there is only space for a few. */
  readonly isSecondary?: boolean
}

const placeOf: Readonly<Record<NavName, Omit<NavItem, 'name' | 'path'>>> = {
  overview: { key: 'o' },
  gpus: { key: 'd' },
  pools: { key: 'p', isSecondary: true },
  rigs: { key: 'r' },
  node: { key: 'n', isSecondary: true },
  accounts: { key: 'a' },
  activity: { key: 'l', isSecondary: true },
  settings: { key: 's', isSecondary: true },
}

export const navItems: readonly NavItem[] = screenNames.map((name) => ({
  name,
  path: screenRoutes[name],
  ...placeOf[name],
}))

/** The navigation entry a route belongs to. */
export function navOf(route: Route): NavName | null {
  if (route.screen === 'block' || route.screen === 'transaction' || route.screen === 'address') return 'node'
  if (route.screen === 'approval' || route.screen === 'account' || route.screen === 'rules') return 'accounts'
  if (route.screen === 'sign-in' || route.screen === 'welcome' || route.screen === 'unknown') return null
  return route.screen
}

/** Parses the part of the address after `#`. */
export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '').replace(/\/+$/, '') || '/'
  const [, first = '', second = '', third = ''] = path.split('/')
  const unknown: Route = { screen: 'unknown', path }
  switch (first) {
    case '':
      return path === '/' ? { screen: 'overview' } : unknown
    case 'gpus':
      return deviceRoute(second, third) ?? unknown
    case 'pools':
      return poolsRoute(path) ?? unknown
    case 'rigs':
      return rigRoute(second) ?? unknown
    case 'node':
      return nodeRoute(second, third) ?? unknown
    case 'accounts':
      return accountsRoute(second, third) ?? unknown
    case 'activity':
      return activityRoute(second) ?? unknown
    case 'settings':
      return { screen: 'settings', section: /^[a-z]{1,20}$/.test(second) ? second : 'general' }
    case 'welcome':
      return second === '' ? { screen: 'welcome' } : unknown
    case 'sign-in':
      return { screen: 'sign-in' }
    default:
      return unknown
  }
}

function deviceRoute(second: string, third: string): Route | null {
  if (second === '') return { screen: 'gpus', index: null, tab: 'charts' }
  const tab = third === '' ? 'charts' : deviceTabs.find((name) => name === third)
  return tab === undefined || !/^\d{1,4}$/.test(second) ? null : { screen: 'gpus', index: Number(second), tab }
}

const LONGEST_LINK = 2_048

/** `/pools/add?url=…` fills in the form; only the user can save it. */
function poolsRoute(path: string): Route | null {
  if (path === '/pools') return { screen: 'pools', proposed: null }
  const query = /^\/pools\/add\?(.*)$/.exec(path)?.[1]
  if (query === undefined || path.length > LONGEST_LINK) return null
  const parameters = new URLSearchParams(query.replace(/\+/g, '%2B')) // keeps the plus of stratum+tls instead of turning it into a space
  const url = parameters.get('url') ?? ''
  const isAlone = [...parameters.keys()].length === 1
  return isAlone && /^[\x21-\x7e]{1,1024}$/.test(url) ? { screen: 'pools', proposed: url } : null
}

function accountsRoute(second: string, third: string): Route | null {
  if (second === '') return { screen: 'accounts' }
  if (second === 'approvals') return { screen: 'approval', id: third === '' ? null : third }
  if (second === 'rules') return { screen: 'rules' }
  return /^0x[0-9a-fA-F]{40}$/.test(second) ? { screen: 'account', address: second.toLowerCase() } : null
}

function activityRoute(second: string): Route | null {
  if (second === '') return { screen: 'activity', tab: 'events' }
  const tab = activityTabs.find((name) => name === second)
  return tab === undefined ? null : { screen: 'activity', tab }
}

function nodeRoute(second: string, third: string): Route | null {
  if (second === '') return { screen: 'node', tab: 'sync' }
  const tab = nodeTabs.find((name) => name === second)
  if (tab !== undefined && third === '') return { screen: 'node', tab }
  if (second === 'block' && /^(\d{1,15}|0x[0-9a-f]{64})$/.test(third)) return { screen: 'block', id: third }
  if (second === 'tx' && /^0x[0-9a-f]{64}$/.test(third)) return { screen: 'transaction', hash: third }
  if (second === 'address' && /^0x[0-9a-fA-F]{40}$/.test(third))
    return { screen: 'address', address: third.toLowerCase() }
  return null
}

/** Names of rigs may contain spaces and dots; the longest has 64 characters. */
function rigRoute(second: string): Route | null {
  if (second === '') return { screen: 'rigs', name: null }
  try {
    const name = decodeURIComponent(second)
    return name.length <= 64 ? { screen: 'rigs', name } : null
  } catch {
    return null // a percent sign not followed by two digits
  }
}
