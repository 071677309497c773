// Each component in each of its states, from fixed data and with a clock that stands still. A page of its own,
// design.html, that only the development server has; `?theme=light` or `?theme=dark` chooses its colors.
import '../style/base.css'
import { Check, CircleAlert, Info, Pause, Pickaxe, Plus, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { FakeClock } from '../../../base/testing/fake-clock'
import { StatusBar } from '../app/shell/StatusBar'
import { Hatches, lossKinds, Swatch } from '../components/charts/Hatches'
import { StackChart, type StackWords } from '../components/charts/StackChart'
import { Choice } from '../components/forms/Choice'
import { TextField } from '../components/forms/TextField'
import { Card, Fact, Facts, Stat, Stats } from '../components/layout/Card'
import dialog from '../components/layout/Dialog.module.css'
import { Note } from '../components/layout/Note'
import { Tabs } from '../components/layout/Tabs'
import { AddressText } from '../components/values/HexText'
import { loadEnglish } from '../i18n/english'
import { LanguageProvider } from '../i18n/text'
import { DeviceStrip } from '../screens/Overview/DeviceStrip'
import { Luck } from '../screens/Overview/Income'
import { Versus } from '../screens/Pools/income/Calculator'
import { Setting, Switch } from '../screens/Settings/Setting'
import { EnvironmentProvider } from '../state/environment'
import { connectStores, createStores } from '../state/stores/stores'
import { Button } from '../widgets/controls/Button'
import { StatePill } from '../widgets/facts/StatePill'
import { EmptyState, ErrorState } from '../widgets/facts/States'
import { Value } from '../widgets/facts/Value'
import { IncidentRow } from '../widgets/incidents/IncidentRow'
import styles from './Stories.module.css'
import { ScriptedBackend } from './scripted'
import { aMoney, anIncident, lax } from './scripted-money'
import { aBlock, aDevice, aGpu, aHead, anInfo, aStatus, OWN_ADDRESS } from './scripted-values'

const NOW = 1_700_000_000_000
const MINUTE_MS = 60_000

function Scene({
  prepare,
  children,
}: {
  readonly prepare?: (backend: ScriptedBackend) => void
  readonly children: ReactNode
}) {
  const [value] = useState(() => {
    const backend = new ScriptedBackend()
    const clock = new FakeClock(NOW)
    backend
      .answer('app.info', () => anInfo())
      .answer('node.blocks', () => ({ blocks: [aBlock(42), aBlock(41)] }))
      .answer('miner.history', () => ({ stepMs: 1000, firstAt: NOW, values: [] }))
      .answer('miner.money', () => aMoney({ takenAt: NOW }))
      .emit('miner.devices', { devices: [aGpu(0)], takenAt: NOW })
      .emit('miner.status', aStatus())
      .emit('node.head', aHead())
      .emit('miner.incidents', { open: [], recent: [], takenAt: NOW })
    prepare?.(backend)
    const memory = new Map<string, string>()
    const storage = {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, text: string) => void memory.set(key, text),
    }
    const stores = createStores({ backend, clock, storage })
    connectStores(stores, backend)
    return { backend, stores, loadCharts: null, approvalKeys: null }
  })
  return <EnvironmentProvider value={value}>{children}</EnvironmentProvider>
}

const withDevices = (count: number) => (backend: ScriptedBackend) => {
  const devices = Array.from({ length: count }, (_, index) =>
    aGpu(index, { temperature: { core: 55 + (index % 12) * 4, hotspot: null, memory: null } }),
  )
  const third = devices[3]
  if (third !== undefined)
    devices[3] = { ...third, state: 'error', error: 'no driver', hashrate: { now: 0, s60: 0, m15: 0 } }
  const fourth = devices[4]
  if (fourth !== undefined)
    devices[4] = { ...fourth, state: 'paused', paused: true, pauseReasons: ['Api request'], canResume: true }
  backend.emit('miner.devices', { devices, takenAt: NOW })
}

const TOKENS = {
  surfaces: ['frame', 'page', 'panel', 'panel-2', 'panel-3', 'overlay', 'line', 'line-2', 'line-3'],
  words: ['text', 'text-2', 'text-3', 'text-off', 'gold', 'ok', 'warn', 'danger', 'danger-fill', 'focus'],
  devices: ['dev-1', 'dev-2', 'dev-3', 'dev-4', 'dev-5', 'dev-6', 'dev-7', 'dev-8', 'dev-cpu', 'dev-one'],
  losses: ['loss-fault', 'loss-heat', 'loss-work', 'loss-planned'],
  heat: ['heat-1', 'heat-2', 'heat-3', 'heat-4', 'heat-5', 'heat-6', 'heat-7', 'heat-off'],
} as const
const TYPES = [
  'hero',
  'figure-l',
  'figure',
  'page',
  'figure-s',
  'title',
  'lead',
  'body',
  'strong',
  'caption',
  'label',
  'tick',
] as const

function Tokens() {
  return Object.entries(TOKENS).map(([group, names]) => (
    <div key={group} className={styles.swatches}>
      {names.map((name) => (
        <span key={name}>
          <i style={{ background: `var(--${name})` }} />
          {name}
        </span>
      ))}
    </div>
  ))
}

const SIZES = ['small', 'normal', 'large'] as const
const VARIANTS = ['primary', 'strong', 'normal', 'quiet', 'link', 'danger', 'dangerQuiet'] as const

function Buttons() {
  return (
    <>
      {SIZES.map((size) => (
        <div key={size} className={styles.row}>
          {VARIANTS.map((variant) => (
            <Button key={variant} size={size} variant={variant}>
              {variant}
            </Button>
          ))}
        </div>
      ))}
      <div className={styles.row}>
        <Button icon={<Plus aria-hidden="true" />}>icon</Button>
        <Button isBare icon={<Pause aria-hidden="true" />} aria-label="bare" />
        <Button disabledReason="Enter a pool address.">disabled</Button>
        <Button variant="primary" disabledReason="Enter a pool address.">
          disabled
        </Button>
      </div>
    </>
  )
}

function Fields() {
  const [chosen, setChosen] = useState('24 h')
  const [isOn, setOn] = useState(true)
  return (
    <>
      <div className={styles.three}>
        <TextField label="Rig name" value="workshop" hint="How the pool shows this computer." onChange={noop} />
        <TextField label="Payout address" isMono value="0x97441cb2" error="20 digits are missing." onChange={noop} />
        <TextField label="Fan, %" value="78" disabled onChange={noop} />
      </div>
      <Choice
        label="Period"
        value={chosen}
        options={['1 h', '24 h', '7 d'].map((value) => ({ value, label: value }))}
        onChange={setChosen}
      />
      <Card title="Settings">
        <Switch label="On" isOn={isOn} onChange={setOn} />
        <Switch label="Off" isOn={false} onChange={noop} />
        <Setting label="Theme" text="Saved on this device.">
          <input type="checkbox" aria-label="box" defaultChecked />
        </Setting>
      </Card>
    </>
  )
}

const noop = (): void => undefined

function Lucks() {
  const common = { textOf: (result: number) => `${result * 50} LAX`, label: 'Luck' }
  return (
    <>
      <div className={styles.luck}>
        <Luck {...common} actual={4} mean={4.28} low={1} high={9} isDiscrete meanText="mean 214" />
      </div>
      <div className={styles.luck}>
        <Luck {...common} actual={92} mean={100} low={81} high={120} isDiscrete={false} meanText="mean 5,000" />
      </div>
    </>
  )
}

const WORDS: StackWords = {
  label: 'Hashrate by device',
  hashrate: 'Hashrate',
  usual: 'usual',
  tick: (rate) => String(Math.round(rate / 1e6)),
  value: (rate) => (rate === null ? '–' : (rate / 1e6).toFixed(1)),
  rate: (rate) => `${(rate / 1e6).toFixed(1)} MH/s`,
  clock: (ms) => new Date(ms).toISOString().slice(11, 16),
  day: (ms) => new Date(ms).toISOString().slice(5, 10),
  moment: (ms) => new Date(ms).toISOString().slice(5, 16),
}
const BINS = 120

function Stack() {
  const [marked, setMarked] = useState<string | null>(null)
  const from = NOW - BINS * MINUTE_MS
  const values = (rate: number, lost: number) =>
    Array.from({ length: BINS }, (_, bin) => (bin >= 40 && bin < 55 ? rate - lost : rate + 4e5 * Math.sin(bin)))
  return (
    <>
      <Hatches />
      <StackChart
        layers={[128e6, 119e6, 61e6].map((rate, place) => ({
          key: String(place),
          label: `GPU ${place}`,
          color: `var(--dev-${place + 1})`,
          values: values(rate, place === 1 ? rate : 0),
          usual: rate,
          now: rate,
        }))}
        bands={lossKinds.map((kind, place) => ({
          id: kind,
          kind,
          from: from + (40 + 18 * place) * MINUTE_MS,
          to: from + (55 + 18 * place) * MINUTE_MS,
          isLive: place === 0,
          rate: 119e6 / (place + 1),
          short: kind,
          title: kind,
          icon: place === 0 ? CircleAlert : Pause,
        }))}
        from={from}
        to={NOW}
        usual={308e6}
        words={WORDS}
        isDead={false}
        marked={marked}
        onMark={setMarked}
        onPick={noop}
      />
    </>
  )
}

const TONES = ['plain', 'ok', 'warn', 'danger'] as const
const PILLS = [
  ['ok', 'mining'],
  ['info', 'building'],
  ['neutral', 'waiting'],
  ['warn', 'attention'],
  ['danger', 'error'],
  ['accent', 'paused'],
] as const

const STORIES: readonly (readonly [name: string, content: ReactNode])[] = [
  ['tokens', <Tokens key="tokens" />],
  [
    'type',
    TYPES.map((name) => (
      <p key={name} style={{ font: `var(--t-${name})` }}>
        {name} 200.01
      </p>
    )),
  ],
  ['buttons', <Buttons key="buttons" />],
  ['fields', <Fields key="fields" />],
  [
    'notes',
    TONES.map((tone) => (
      <Note
        key={tone}
        tone={tone}
        icon={tone === 'ok' ? Check : tone === 'plain' ? Info : TriangleAlert}
        action={<Button>Set 260 W</Button>}
      >
        <strong>Memory is at 96 °C</strong>, above 95 °C for 2 h.
      </Note>
    )),
  ],
  [
    'pills',
    <div key="pills" className={styles.row}>
      {PILLS.map(([tone, mark]) => (
        <StatePill key={tone} tone={tone} mark={mark}>
          {mark}
        </StatePill>
      ))}
    </div>,
  ],
  [
    'values',
    <>
      <Stats>
        <Stat label="Hashrate">
          <Value kind="hashrate" value={757_100_000} />
        </Stat>
        <Stat label="Unknown">
          <Value kind="watts" value={null} />
        </Stat>
        <Stat label="Old">
          <Value kind="celsius" value={61} takenAt={NOW - 2 * MINUTE_MS} />
        </Stat>
      </Stats>
      <Card title="Facts">
        <Facts>
          <Fact label="Difficulty">
            <Value kind="difficulty" value={486_100_000_000_000} />
          </Fact>
          <Fact label="Account">
            <AddressText address={OWN_ADDRESS} form="short" />
          </Fact>
        </Facts>
      </Card>
      <Tabs
        label="Tabs"
        active="one"
        tabs={['one', 'two'].map((name) => ({
          name,
          href: `#/design/${name}`,
          title: name,
          testId: `story-tab-${name}`,
        }))}
      />
    </>,
  ],
  ['luck', <Lucks key="luck" />],
  ['stack', <Stack key="stack" />],
  [
    'losses',
    <div key="losses" className={styles.row}>
      {lossKinds.map((kind) => (
        <span key={kind}>
          <Swatch kind={kind} /> {kind}
        </span>
      ))}
    </div>,
  ],
  [
    'versus',
    <Versus
      key="versus"
      given={{ hashrate: 757e6, difficulty: 486e12, subsidy: String(50n * 10n ** 18n), fee: 1, shareDifficulty: 8e9 }}
    />,
  ],
  ...([1, 6, 64] as const).map(
    (count) =>
      [
        `strip-${count}`,
        <Scene key={count} prepare={withDevices(count)}>
          <DeviceStrip usual={() => 59_000_000} />
        </Scene>,
      ] as const,
  ),
  [
    'status',
    <>
      <div className={styles.bar}>
        <Scene>
          <StatusBar />
        </Scene>
      </div>
      <div className={styles.bar}>
        <Scene
          prepare={(backend) =>
            backend.emit('miner.devices', { devices: [aDevice({ state: 'error', error: 'no driver' })], takenAt: NOW })
          }
        >
          <StatusBar />
        </Scene>
      </div>
    </>,
  ],
  [
    'incidents',
    <ul key="incidents" className={styles.list}>
      <IncidentRow incident={anIncident({ since: NOW - 22 * MINUTE_MS })} now={NOW} isFirst />
      <IncidentRow
        incident={anIncident({
          id: 'i2',
          level: 'note',
          kind: 'planned',
          cause: 'paused',
          income: lax(60),
          since: NOW - 90 * MINUTE_MS,
          until: NOW - 50 * MINUTE_MS,
        })}
        now={NOW}
        isFull
      />
    </ul>,
  ],
  [
    'states',
    <div key="states" className={styles.three}>
      <Card title="Empty">
        <EmptyState icon={Pickaxe} title="You mine solo on your node." action={<Button>Add pool</Button>} />
      </Card>
      <Card title="Failed">
        <ErrorState title="Can’t read the blocks" reason="the node is off" />
      </Card>
    </div>,
  ],
  [
    'dialog',
    <div key="dialog" className={dialog.dialog} style={{ position: 'static', transform: 'none' }}>
      <h2>Pause 200 rigs?</h2>
      <p>Mining stops on 2,174 GPUs until you resume.</p>
      <div className={dialog.actions}>
        <Button variant="quiet">Cancel</Button>
        <Button variant="strong">Pause 200 rigs</Button>
      </div>
    </div>,
  ],
]

function Page() {
  return (
    <main className={styles.page}>
      <h1>Components</h1>
      {STORIES.map(([name, content]) => (
        <section key={name} data-story={name} className={styles.story}>
          <h2>{name}</h2>
          <div className={styles.content}>{content}</div>
        </section>
      ))}
    </main>
  )
}

async function show(root: HTMLElement): Promise<void> {
  document.documentElement.dataset.theme = new URLSearchParams(window.location.search).get('theme') ?? 'dark'
  await loadEnglish()
  createRoot(root).render(
    <LanguageProvider locale="en">
      <Scene>
        <Page />
      </Scene>
    </LanguageProvider>,
  )
}

const root = document.getElementById('root')
if (root !== null) void show(root)
