import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { createWireClient } from '../../base/wire/client'
import { memoryTransportPair } from '../../base/wire/memory'
import { parsePoolUrl } from '../../config/values/pool-url'
import { contract } from '../../contract/contract'
import { PRACTICE_CONSENSUS } from '../../node/consensus/params'
import { ActivityRing } from '../log/activity-ring'
import { LogRing } from '../log/log-ring'
import { KeyConfinement } from '../signer/running-vault'
import { settingsDeps } from '../testing/test-settings'
import { noUpdates } from '../testing/test-updates'
import { appHandlers } from './app-handlers'
import { minerHandlers } from './miner/miner-handlers'
import { nodeHandlers } from './node/node-handlers'
import { signerHandlers } from './signer/request-handlers'
import { topic, type UiParts } from './ui-handlers'
import { UiServer } from './ui-server'

const READ_ONLY = { control: false, approve: false, canSignIn: true }
const FULL = { control: true, approve: true, canSignIn: false }
const INFO = {
  version: '0.1.0',
  network: 'practice',
  chainId: 1337,
  networkId: 1337,
  headless: true,
  startedAt: 1,
  dataDir: '/d',
  welcome: true,
  engine: { kind: 'native', simd: 'avx2', loadError: null },
  endpoints: { api: null, rpc: null, signer: null },
} as const

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the UI server', () => {
  const clock = new FakeClock()
  const activity = new ActivityRing()
  const poolParts = {
    miner: null,
    pools: null,
    poolSettings: null,
    readPool: parsePoolUrl,
    probe: async () => ({ fault: 'not asked here', trouble: 'silence' as const }),
    watched: null,
    money: null,
    clock,
  }
  const parts = {
    app: appHandlers({
      info: () => INFO,
      place: async () => ({ freeBytes: 5_000, addresses: ['192.0.2.7'], isNetworkDrive: null }),
      services: [],
      activity,
      lines: new LogRing(),
      crashes: { read: () => [] },
      settings: settingsDeps('/nowhere', clock),
      updates: noUpdates('/nowhere', clock),
      confinement: new KeyConfinement(),
      stop: () => undefined,
      clock,
    }),
    node: nodeHandlers({
      node: null,
      supervised: null,
      signer: null,
      consensus: PRACTICE_CONSENSUS,
      listeners: () => [],
      clock,
    }),
    miner: minerHandlers({
      miner: null,
      poolParts,
      rigs: { miner: null, rigs: null, served: null, rigSettings: null, clock },
      tuning: null,
      measurement: null,
      record: null,
      money: null,
      incidents: null,
      clock,
    }),
    signer: signerHandlers({ signer: null, clock }),
  }
  const server = new UiServer({ parts, clock, log: silentLogger })
  const note = (message: string) => activity.write({ time: 5, level: 'info', module: 'test', message, fields: {} })

  const connect = (access = READ_ONLY) => {
    const [ui, backend] = memoryTransportPair({ json: true })
    const client = createWireClient(contract, ui)
    server.attach(backend, access)
    return client
  }

  beforeEach(() => server.start())
  afterEach(() => server.stop())

  it('gives a new connection the current value of every event at once', async () => {
    note('hello')
    await settle()
    const names: string[] = []
    const client = connect()

    client.on('app.activity', (value) => names.push(value.entries.at(-1)?.message ?? ''))
    client.on('app.status', () => names.push('status'))
    client.on('node.head', (value) => names.push(`node ${value.state}`))
    client.on('miner.status', (value) => names.push(`miner ${value.state}`))
    client.on('signer.requests', (value) => names.push(`waiting ${value.waitingCount}`))
    await settle()

    expect(names.sort()).toEqual(['hello', 'miner off', 'node stopped', 'status', 'waiting 0'])
  })

  it('sends at most as often as the contract says, the latest value last', async () => {
    const seen: string[] = []
    connect().on('app.activity', (value) => seen.push(value.entries.at(-1)?.message ?? ''))
    await settle()
    clock.advance(10_000)
    seen.length = 0

    note('one')
    await settle()
    note('two')
    note('three')
    await settle()
    const before = [...seen]
    clock.advance(500)
    await settle()

    expect(before).toEqual(['one'])
    expect(seen).toEqual(['one', 'three'])
  })

  it('informs each connection of its rights', async () => {
    expect(await connect(FULL).call('app.info', {})).toEqual({
      ...INFO,
      access: { control: true, approve: true, here: true },
      canSignIn: false,
      link: null,
    })
    expect(await connect().call('app.info', {})).toMatchObject({
      access: { control: false, approve: false },
      canSignIn: true,
      link: null,
    })
  })

  it('refuses control and decisions to a read-only connection', async () => {
    const client = connect()

    await expect(client.call('miner.pause', { device: null })).rejects.toMatchObject({ code: 'CONTRACT_DENIED' })
    await expect(client.call('signer.rejectAll', {})).rejects.toMatchObject({ code: 'CONTRACT_DENIED' })
  })

  it('lets a connection with control act, but not decide', async () => {
    const client = connect({ ...READ_ONLY, control: true })

    await expect(client.call('miner.pause', { device: 0 })).rejects.toMatchObject({ code: 'HOST_SERVICE_OFF' })
    await expect(client.call('signer.rejectAll', {})).rejects.toMatchObject({ code: 'CONTRACT_DENIED' })
  })

  it('closes attached connections when it stops, and rejects new ones', async () => {
    const reasons: string[] = []
    connect().onClose((reason) => reasons.push(reason))

    await server.stop()
    const [ui, backend] = memoryTransportPair()
    ui.onClose((reason) => reasons.push(reason))
    server.attach(backend, READ_ONLY)

    expect(reasons).toHaveLength(2)
    expect(server.connections).toBe(0)
    expect(activity.events.listenerCount('added')).toBe(0)
  })
})

describe('a value that takes long to read', () => {
  const clock = new FakeClock()
  const empty = { calls: () => ({}), topics: [] }
  const readings: { readonly give: (number: number) => void; readonly fail: () => void }[] = []
  let changed: () => void = () => undefined

  /** The page's heights, from a server whose only topic is answered by hand. */
  async function heights(): Promise<{ readonly seen: number[]; readonly stop: () => Promise<void> }> {
    readings.length = 0
    const head = topic('node.balances', {
      read: () =>
        new Promise((resolve, reject) => {
          const give = (asOf: number): void => resolve({ asOf, accounts: [], takenAt: 0 })
          readings.push({ give, fail: () => reject(new Error('the chain worker is busy')) })
        }),
      watch: (listener) => {
        changed = listener
        return { dispose: () => undefined }
      },
    })
    const parts = { app: empty, miner: empty, signer: empty, node: { ...empty, topics: [head] } } as unknown as UiParts
    const server = new UiServer({ parts, clock, log: silentLogger })
    await server.start()
    const [ui, backend] = memoryTransportPair()
    server.attach(backend, READ_ONLY)
    const seen: number[] = []
    createWireClient(contract, ui).on('node.balances', ({ asOf }) => seen.push(asOf ?? -1))
    await settle()
    return { seen, stop: () => server.stop() }
  }

  it('is left out when a later one was sent meanwhile', async () => {
    const { seen, stop } = await heights()
    changed()
    await settle()
    expect(readings).toHaveLength(2)

    readings[1]?.give(11)
    await settle()
    readings[0]?.give(10)
    await settle()

    expect(seen).toEqual([11])
    await stop()
  })

  it('is read again when it failed, without another change', async () => {
    const { seen, stop } = await heights()
    readings[0]?.fail()
    await settle()
    clock.advance(2_000)
    readings[1]?.give(11)
    await settle()

    expect(seen).toEqual([11])
    await stop()
    expect(clock.pending).toBe(0)
  })
})
