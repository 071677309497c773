// All stores of a page, created once by its entry, and the wiring that fills them from the backend.

import { createStore } from 'zustand/vanilla'
import type { Disposable } from '../../../../base/disposable'
import { messageOf } from '../../../../base/errors'
import { Disposables } from '../../../../base/lifecycle'
import type { Clock } from '../../../../base/time'
import type { Backend } from '../../data/backend'
import { type Controls, createControls } from '../controls'
import {
  atPace,
  createFreeze,
  createLiveReadings,
  createReadingPace,
  tellSight,
  whileInSight,
  whileLive,
} from '../in-sight'
import { createLayers, createToasts } from '../layers'
import { createPreferencesStore } from '../preferences'
import { createQueries } from '../queries'
import { SampleRings } from '../sample-rings'
import { createProgramClock, createTicker } from '../ticker'
import { createHealthStore } from './health-store'
import {
  createAppStore,
  createMinerStore,
  createNodeStore,
  createOperationStore,
  createRules,
  type OperationState,
  selectAllPaused,
} from './program-store'
import { createSignerStore, withRequests } from './signer-store'

const RECENT_BLOCKS = 50

interface StoresDeps {
  readonly backend: Backend
  readonly clock: Clock
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
}

export type Stores = ReturnType<typeof createStores>

export function createStores({ backend, clock: page, storage }: StoresDeps) {
  const clock = createProgramClock(page)
  const miner = createMinerStore()
  const operation = createOperationStore()
  const queries = createQueries(backend)
  const node = createNodeStore()
  const rings = new SampleRings()
  const pace = createReadingPace(clock)
  const freeze = createFreeze(clock)
  const controls = createControls({ backend, clock })
  freeze.store.subscribe(({ since }) => rings.hold(since !== null))
  // A user who acts wants to see the result.
  controls.store.subscribe(({ targets }) => {
    if (Object.values(targets).some(({ kind }) => kind === 'pending')) freeze.off()
  })
  const app = createAppStore(backend.connection())
  const signer = createSignerStore()
  const shown = {
    miner: whileLive(whileInSight(atPace(miner, pace, clock)), freeze),
    operation: whileLive(whileInSight(operation), freeze),
    node: whileLive(node, freeze),
  }
  const ticker = createTicker(clock, freeze)
  return {
    clock,
    app,
    miner,
    operation,
    /** State that changes every second, as rendered: with every second reading. */
    shown,
    /** For figures that are written into the page without a render. */
    readings: createLiveReadings(shown.miner),
    freeze,
    health: createHealthStore({ app, miner: shown.miner, node: shown.node, signer, operation, ticker }),
    node,
    signer,
    preferences: createPreferencesStore(storage),
    controls,
    pauseAll: createPauseAll({ backend, controls, miner, operation }),
    queries,
    rings,
    pace,
    ticker,
    rules: createRules(backend, operation),
    layers: createLayers(),
    toasts: createToasts(),
    /** Keeps ticking while everything else is frozen. */
    liveTicker: createTicker(clock),
  }
}

export function connectStores(stores: Stores, backend: Backend): Disposable {
  const all = new Disposables()
  const { app, miner, operation, controls, rings } = stores
  all.add(connectProgram(stores, backend))
  all.add(backend.onUnread(() => app.setState({ unread: backend.unread() })))
  all.add(backend.on('app.status', (status) => app.setState({ status })))
  all.add(backend.on('app.disk', (disk) => app.setState({ disk })))
  all.add(backend.on('app.activity', ({ entries }) => app.setState({ activity: entries })))
  all.add(
    // Charts first: text on a canvas makes the browser compute the style of everything that was changed before it.
    backend.on('miner.devices', (devices) => {
      rings.addDevices(devices)
      miner.setState({ devices })
      controls.observe(devices)
    }),
  )
  all.add(
    backend.on('miner.status', (status) => {
      rings.addStatus(status)
      miner.setState({ status })
    }),
  )
  all.add(backend.on('miner.pools', (pools) => operation.setState({ pools })))
  all.add(backend.on('miner.poolHead', (poolHead) => operation.setState({ poolHead })))
  all.add(backend.on('miner.reports', ({ reports }) => operation.setState({ reports })))
  all.add(backend.on('miner.incidents', ({ open, recent }) => operation.setState({ incidents: { open, recent } })))
  all.add(backend.on('miner.rigs', (rigs) => operation.setState({ rigs })))
  all.add(connectNode(stores, backend))
  all.add(connectSigner(stores, backend))
  all.add(tellSight(backend, rings))
  all.defer(followBlocks(stores, backend))
  return all
}

/** The connection, and what is read anew with each: the time, the program's description and the rules. */
function connectProgram({ app, clock, rules, rings }: Stores, backend: Backend): Disposable {
  const askTime = async (): Promise<void> => {
    const askedAt = clock.pageNow()
    try {
      clock.observe((await backend.call('app.now', {})).now, askedAt)
    } catch {
      // Contact was lost before the answer; the next connection asks again.
    }
  }
  const askInfo = async (): Promise<void> => {
    const time = askTime()
    try {
      const info = await backend.call('app.info', {})
      await time // what is drawn first tells ages
      app.setState({ info })
    } catch {
      // Contact was lost before the answer; the next connection asks again.
    }
  }
  const showConnection = (): void => {
    const connection = backend.connection()
    const { ofPage } = clock
    app.setState({
      connection:
        connection.kind === 'lost'
          ? { ...connection, since: ofPage(connection.since), retryAt: ofPage(connection.retryAt) }
          : connection,
    })
  }
  const onConnection = (): void => {
    showConnection()
    if (backend.connection().kind !== 'open') return
    rings.clear()
    void askInfo()
    void rules.ask()
  }
  const watching = backend.onConnection(onConnection)
  onConnection()
  return watching
}

function connectNode({ node }: Stores, backend: Backend): Disposable {
  const all = new Disposables()
  all.add(backend.on('node.head', (head) => node.setState({ head })))
  all.add(backend.on('node.peers', (peers) => node.setState({ peers })))
  all.add(backend.on('node.sync', (sync) => node.setState({ sync })))
  all.add(backend.on('node.control', (control) => node.setState({ control })))
  all.add(backend.on('node.balances', (balances) => node.setState({ balances })))
  return all
}

function connectSigner({ signer }: Stores, backend: Backend): Disposable {
  const all = new Disposables()
  all.add(backend.on('signer.requests', (requests) => signer.setState((state) => withRequests(state, requests))))
  all.add(backend.on('signer.accounts', (accounts) => signer.setState({ accounts })))
  all.add(backend.on('signer.vault', (vault) => signer.setState({ vault })))
  all.add(backend.on('signer.switches', (switches) => signer.setState({ switches })))
  all.add(backend.on('signer.notes', (notes) => signer.setState({ notes })))
  all.add(backend.on('signer.callers', ({ callers }) => signer.setState({ callers })))
  all.add(backend.on('signer.sends', ({ sends }) => signer.setState({ sends })))
  return all
}

/** Reads the latest blocks whenever the head's hash changes, one request at a time. */
function followBlocks({ node }: Stores, backend: Backend): () => void {
  const state = { asked: '', busy: false }
  const ask = async (hash: string): Promise<void> => {
    state.busy = true
    state.asked = hash
    try {
      const { blocks } = await backend.call('node.blocks', { from: null, count: RECENT_BLOCKS })
      node.setState({ blocks, blocksError: '' })
      state.busy = false
      look()
    } catch (error: unknown) {
      // The next change of the head reads again.
      node.setState({ blocksError: messageOf(error) })
      state.busy = false
      state.asked = ''
    }
  }
  const look = (): void => {
    const hash = node.getState().head?.head?.hash
    if (hash !== undefined && hash !== state.asked && !state.busy) void ask(hash)
  }
  look()
  return node.subscribe(look)
}

interface RigFailure {
  readonly rig: string
  readonly error: string
}

interface PauseAllState {
  /** Null while there is no question. */
  readonly question: { readonly wanted: boolean; readonly rigs: readonly string[] } | null
  /** Errors of other rigs for the last command. */
  readonly failures: readonly RigFailure[]
}

interface PauseAllDeps {
  readonly backend: Pick<Backend, 'call'>
  readonly controls: Controls
  readonly miner: ReturnType<typeof createMinerStore>
  readonly operation: ReturnType<typeof createOperationStore>
}

/** Other rigs that are online and allow control from here. */
function controllableRigs({ rigs }: OperationState): readonly string[] {
  return (rigs?.rigs ?? [])
    .filter(({ local, online, hasToken, figures }) => !local && online && hasToken && figures?.control === true)
    .map(({ name }) => name)
}

export function createPauseAll({ backend, controls, miner, operation }: PauseAllDeps) {
  const store = createStore<PauseAllState>(() => ({ question: null, failures: [] }))
  const asked = { rigs: false, key: false }
  const last = { rigs: [] as readonly string[] }

  const tellRigs = async (rigs: readonly string[], wanted: boolean): Promise<void> => {
    if (rigs.length === 0) return
    try {
      const action = wanted ? 'pause' : 'resume'
      const { results } = await backend.call('miner.rigCommand', { rigs: [...rigs], action, gpu: null })
      store.setState({ failures: results.filter(({ error }) => error !== '') })
    } catch (error: unknown) {
      const reason = messageOf(error)
      store.setState({ failures: rigs.map((rig) => ({ rig, error: reason })) })
    }
  }

  const act = (wanted: boolean, rigs: readonly string[]): void => {
    last.rigs = wanted ? rigs : []
    void controls.press('all', wanted)
    void tellRigs(rigs, wanted)
  }

  return {
    store,
    /** Asks once per page if other rigs could be included. */
    press(wanted: boolean): void {
      const rigs = controllableRigs(operation.getState())
      const isClear = rigs.length === 0 || asked.rigs
      asked.rigs ||= rigs.length > 0
      if (isClear) act(wanted, [])
      else store.setState({ question: { wanted, rigs } })
    },
    /** By key: toggles between pause and resume. Always asks the first time. */
    pressByKey(): void {
      const wanted = !selectAllPaused(miner.getState())
      if ((miner.getState().devices?.devices.length ?? 0) === 0) return
      const isAsked = asked.key
      asked.key = true
      if (isAsked) act(wanted, [])
      else store.setState({ question: { wanted, rigs: controllableRigs(operation.getState()) } })
    },
    /** @param where null = canceled */
    answer(where: 'here' | 'everywhere' | null): void {
      const { question } = store.getState()
      store.setState({ question: null })
      if (question !== null && where !== null) act(question.wanted, where === 'here' ? [] : question.rigs)
    },
    /** Undoes the last pause on all rigs that it reached. */
    undo(): void {
      act(false, last.rigs)
    },
    forgetFailures: () => store.setState({ failures: [] }),
  }
}
