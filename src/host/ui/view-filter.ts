// What a UI with a read-only link gets: only the listed calls and events, limited to what the link shows.
import type { Handlers } from '../../base/wire/define'
import type { WireServer } from '../../base/wire/server'
import type { AppInfoView, AppStatusView } from '../../contract/app'
import type { Contract } from '../../contract/contract'
import type { MinerStatusView, SolutionsView, TimelineView } from '../../contract/miner'
import type { BlockView, NodeHeadView, PeersView } from '../../contract/node'
import type { PoolHeadView, PoolsView } from '../../contract/pools'
import type { RigsView } from '../../contract/rigs'
import type { AccountsView } from '../../contract/signer'
import { HIDING_VIEW_CALLS, HIDING_VIEW_EVENTS, VIEW_CALLS, VIEW_EVENTS } from '../../contract/view-links'
import type { ViewScope } from '../control-port/access-guard'
import { hiddenSource, onlyTexts, rigNumber, withoutAddresses, withoutUser } from '../control-port/redact'
import { HostError } from '../errors'

type Shown = Readonly<Record<string, (value: never) => unknown>>

/** Hidden for every link: the program's folders and listeners. */
const shownToLinks: Shown = {
  'app.info': (info: AppInfoView): AppInfoView => ({
    ...info,
    dataDir: '',
    engine: { ...info.engine, loadError: info.engine.loadError === null ? null : '' },
    endpoints: { api: null, rpc: null, signer: null },
  }),
  'app.status': ({ services, takenAt }: AppStatusView): AppStatusView => ({
    services: services.map((service) => ({ ...service, reason: '' })),
    takenAt,
  }),
  'signer.accounts': (accounts: AccountsView): AccountsView => ({
    ...accounts,
    accounts: accounts.accounts.map((account) => ({ ...account, file: '' })),
    problems: [],
    keystore: '',
  }),
  'node.peers': (peers: PeersView): PeersView => ({ ...peers, self: null }),
}

/** Names of texts that don't identify the owner: states and causes, the pool itself, device models. */
const POOL_TEXTS: readonly string[] = ['host', 'from', 'state', 'cause']
const RIG_TEXTS: readonly string[] = ['name', 'pci', 'backend', 'version', 'pauseReason', 'host']

const hiddenFromLinks: Shown = {
  'miner.pools': (pools: PoolsView): PoolsView => ({
    ...pools,
    pools: pools.pools.map((pool) => ({ ...onlyTexts(pool, POOL_TEXTS), url: withoutUser(pool.url) })),
  }),
  'miner.status': (status: MinerStatusView): MinerStatusView => ({
    ...status,
    source: hiddenSource(status.source),
  }),
  // a pool's own words name the miner it rejected
  'miner.solutions': (solutions: SolutionsView): SolutionsView => ({
    ...solutions,
    shares: solutions.shares.map((share) => ({ ...share, reason: '' })),
  }),
  'miner.timeline': (timeline: TimelineView): TimelineView => ({
    ...timeline,
    marks: timeline.marks.map((mark) => (mark.kind === 'epoch' ? mark : { ...mark, text: '' })),
  }),
  'miner.poolHead': (head: PoolHeadView): PoolHeadView => ({ ...head, coinbases: [] }),
  'miner.rigs': (view: RigsView): RigsView => ({
    ...view,
    rigs: view.rigs.map((rig, index) => ({
      ...onlyTexts(rig, []),
      name: rigNumber(index),
      error: rig.error === '' ? '' : 'not reached',
      hasToken: false,
      labels: {},
      figures: onlyTexts(rig.figures, RIG_TEXTS),
    })),
  }),
  'node.head': (head: NodeHeadView): NodeHeadView => ({ ...head, coinbase: null }),
  // call data and extra data may name anyone
  'node.block': ({ block }: { readonly block: BlockView | null }) => ({
    block: block === null ? null : { ...block, extraData: '0x', transactions: [] },
  }),
}

/** The handlers of such a connection: other calls are refused, whatever access they require. */
export function handlersForLink(handlers: Handlers<Contract>, view: ViewScope): Handlers<Contract> {
  const allowed = view.hides ? HIDING_VIEW_CALLS : VIEW_CALLS
  const wrapped = Object.entries(handlers).map(([name, handler]) => [name, handlerFor(name, handler as AnyHandler)])
  return Object.fromEntries(wrapped) as Handlers<Contract>

  function handlerFor(name: string, handler: AnyHandler): AnyHandler {
    if (!allowed.includes(name))
      return () => {
        throw new HostError('HOST_NOT_FOR_LINKS', { what: name })
      }
    return async (params, signal) => shown(name, await handler(params, signal), view)
  }
}

type AnyHandler = (params: never, signal: AbortSignal) => unknown

/** The sending side of such a connection. */
export function serverForLink(server: WireServer<Contract>, view: ViewScope): WireServer<Contract> {
  const allowed = view.hides ? HIDING_VIEW_EVENTS : VIEW_EVENTS
  return {
    emit: (name, payload) => {
      if (allowed.includes(name)) server.emit(name, shown(name, payload, view))
    },
    close: () => server.close(),
  }
}

function shown<T>(name: string, value: T, { hides }: ViewScope): T {
  const first = apply(shownToLinks, name, value)
  return hides ? withoutAddresses(apply(hiddenFromLinks, name, first)) : first
}

function apply<T>(table: Shown, name: string, value: T): T {
  const change = table[name]
  return change === undefined ? value : (change(value as never) as T)
}
