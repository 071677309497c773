// Is my node's chain right? Sync state, peers, waiting transactions, blocks, and who may use JSON-RPC.
import { Blocks as BlocksIcon, CircleCheck, CircleDashed, Play, PlugZap, Square, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ListenerView, RpcMethodView } from '../../../../contract/explorer'
import type { SyncView } from '../../../../contract/network'
import { isSyncing, SILENT_SPACINGS, type SyncState, silenceOf } from '../../../../contract/sync-state'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { Note } from '../../components/layout/Note'
import { numberHeading, Table } from '../../components/tables/Table'
import table from '../../components/tables/Table.module.css'
import { AddressText } from '../../components/values/HexText'
import { type Text, type TextKey, type useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import type { NodeTab } from '../../navigation/routes'
import { useAttempt, useCall } from '../../state/answers/use-answer'
import { useApp, useCanControl, useEnvironment, useMiner, useNode, useNow } from '../../state/environment'
import { selectHasNoPeers, selectHighest } from '../../state/stores/program-store'
import { Button, Failure } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'
import { BlockList } from '../../widgets/facts/BlockList'
import { AnswerState, EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { useSyncState } from '../../widgets/facts/SyncPill'
import { Value } from '../../widgets/facts/Value'
import { useColumnWhy } from '../../widgets/why/ColumnWhy'
import { NodeWhy } from '../../widgets/why/NodeWhy'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import { LogView } from '../Activity/LogView'
import { Screen } from '../Screen'
import { Blocks } from './blocks/Blocks'
import { Mempool } from './blocks/Mempool'
import { BlockBars, ChainHead, PeerDots } from './ChainHead'
import headStyles from './ChainHead.module.css'
import { DatabaseCheck } from './DatabaseCheck'
import styles from './Node.module.css'
import { NodeTabs } from './NodeTabs'
import { Peers } from './peers/Peers'
import { RpcConsole } from './rpc/RpcConsole'

// The node's log, its endpoints, which methods are called how often, and a console.

/** Modules whose log lines count as the node's: its services and its threads. */
const NODE_MODULES: readonly string[] = ['node', 'chain', 'p2p', 'rpc', 'query', 'solc']

export function Rpc() {
  const t = useText()
  const canControl = useCanControl()
  return (
    <>
      <Listeners />
      <RpcTraffic />
      {canControl && <RpcConsole />}
      <LogView title={t('ui.node.log')} modules={NODE_MODULES} />
    </>
  )
}

const FEW = 10

const tabs: Readonly<Record<NodeTab, () => ReactNode>> = {
  sync: () => <Sync />,
  peers: () => <Peers />,
  mempool: () => <Mempool />,
  blocks: () => <Blocks />,
  rpc: () => <Rpc />,
}

export function Node({ tab }: { readonly tab: NodeTab }) {
  const t = useText()
  const isOff = useNode((state) => state.head?.state === 'stopped')
  const isSwitchedOff = useNode((state) => state.control?.isSwitchedOff ?? false)
  return (
    <Screen title={t('ui.nav.node')} actions={<NodePower />}>
      {tab === 'sync' && !isOff && <ChainHead />}
      <NodeTabs active={tab}>
        {isOff ? (
          <>
            <Card title={t('ui.node.chain')}>
              {isSwitchedOff ? (
                <EmptyState icon={BlocksIcon} title={t('ui.node.off')}>
                  {t('ui.node.offText')}
                </EmptyState>
              ) : (
                <EmptyState icon={BlocksIcon} title={t('ui.node.none')}>
                  {t('ui.node.noneText')}
                </EmptyState>
              )}
            </Card>
            <DatabaseCheck />
          </>
        ) : (
          tabs[tab]()
        )}
      </NodeTabs>
    </Screen>
  )
}

function Sync() {
  const isKnown = useNode((state) => state.head !== null)
  const isCaughtUp = useIsCaughtUp()
  return (
    <>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && (
        <>
          <StaleNote />
          {!isCaughtUp && <SyncSteps />}
          <BlockBars />
        </>
      )}
      <div className={headStyles.row}>
        <RecentBlocks />
        <PeerDots />
      </div>
      {isKnown && <ChainCard />}
      {isCaughtUp && <SyncSteps />}
      {isKnown && <DatabaseCheck />}
    </>
  )
}

function RecentBlocks() {
  const t = useText()
  const blocks = useNode((state) => state.blocks)
  const error = useNode((state) => state.blocksError)
  return (
    <Card
      title={t('ui.node.blocks')}
      isFlush={blocks !== null && blocks.length > 0}
      aside={<a href={hrefOf('/node/blocks')}>{t('ui.node.allBlocks')}</a>}
    >
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {error === '' && blocks === null && <Skeleton lines={6} />}
      {blocks !== null && blocks.length === 0 && <EmptyState icon={BlocksIcon} title={t('ui.node.noBlocks')} />}
      {blocks !== null && blocks.length > 0 && <BlockList blocks={blocks.slice(0, FEW)} />}
    </Card>
  )
}

function ChainCard() {
  const { t, format } = useLanguage()
  const view = useNode((state) => state.head)
  const endpoints = useApp((state) => state.info?.endpoints ?? null)
  const highest = useNode(selectHighest)
  const hasNoPeers = useNode(selectHasNoPeers)
  if (view === null) return null
  return (
    <Card title={t('ui.node.chain')}>
      <div className={headStyles.facts}>
        <Facts>
          <Fact label={t('ui.node.highest')} why={<NodeWhy of="highest" />}>
            <Value kind="count" value={highest} testId="sync-highest" />
          </Fact>
          <Fact label={t('ui.node.nextDifficulty')} why={<NodeWhy of="nextDifficulty" />}>
            <Value kind="difficulty" value={view.nextDifficulty === null ? null : Number(view.nextDifficulty)} />
          </Fact>
          <Fact label={t('ui.node.spacing')} why={<NodeWhy of="spacing" />}>
            <Value kind="duration" value={view.targetSpacingSeconds} />
          </Fact>
          <Fact label={t('ui.node.maturity')} why={<NodeWhy of="maturity" />}>
            {t('ui.node.blocksCount', { count: view.maturityBlocks })}
          </Fact>
          <Fact label={t('ui.node.pool')} why={<NodeWhy of="mempool" />}>
            {view.pending === null || view.queued === null
              ? format.text('count', null)
              : t('ui.node.poolCounts', { pending: view.pending, queued: view.queued })}
          </Fact>
          <Fact label={t('ui.node.peers')} why={view.peers === null ? undefined : <NodeWhy of="peers" />}>
            {hasNoPeers ? t('ui.node.noPeers') : format.text('count', view.peers)}
          </Fact>
          <Fact label={t('ui.node.coinbase')}>
            {view.coinbase === null ? (
              format.text('count', null)
            ) : (
              <AddressText address={view.coinbase} form="short" label={t('ui.node.coinbase')} />
            )}
          </Fact>
          <Fact label={t('ui.node.rpc')}>
            <code>{endpoints?.rpc ?? t('ui.common.off')}</code>
          </Fact>
        </Facts>
      </div>
    </Card>
  )
}

/** Renders nothing for read-only users, and in a run without a node. */
function NodePower() {
  const canControl = useCanControl()
  const { state, canStart } = useNode(({ head, control }) => ({
    state: head?.state ?? null,
    canStart: control?.isSwitchedOff === true || head?.state === 'failed',
  }))
  const { backend } = useEnvironment()
  const { isBusy, failure, run } = useAttempt()
  if (!canControl || state === null || (state === 'stopped' && !canStart)) return null
  return (
    <>
      <Failure text={failure} />
      {canStart ? (
        <StartButton isBusy={isBusy} onPress={() => run(() => backend.call('node.start', {}))} />
      ) : (
        <StopButton isBusy={isBusy || state === 'starting'} onPress={() => run(() => backend.call('node.stop', {}))} />
      )}
    </>
  )
}

interface SwitchProps {
  readonly isBusy: boolean
  readonly onPress: () => void
}

function StartButton({ isBusy, onPress }: SwitchProps) {
  const t = useText()
  return (
    <Button
      variant="primary"
      icon={<Play aria-hidden="true" />}
      needsContact
      isBusy={isBusy}
      data-testid="node-start"
      onClick={onPress}
    >
      {t('ui.node.start')}
    </Button>
  )
}

/** Asks first, and names what ends. */
function StopButton({ isBusy, onPress }: SwitchProps) {
  const t = useText()
  const isSolo = useMiner(({ status }) => status?.source.kind === 'solo')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        icon={<Square aria-hidden="true" />}
        needsContact
        isBusy={isBusy}
        data-testid="node-stop"
        onClick={() => setAsking(true)}
      >
        {t('ui.node.stop')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('ui.node.stopTitle')}
          action={t('ui.node.stop')}
          isDanger
          testId="node-stop-dialog"
          onConfirm={onPress}
          onClose={() => setAsking(false)}
        >
          <p>{stopText(t, isSolo)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function stopText(t: Text, isSolo: boolean): string {
  return isSolo ? `${t('ui.node.stopText')} ${t('ui.node.stopSolo')}` : t('ui.node.stopText')
}

/** Namespaces whose methods change what the node does, or are expensive. */
const RISKY: readonly string[] = ['admin', 'miner', 'debug']

/** Who can use the node: each JSON-RPC endpoint with what it serves and to whom. */
function Listeners() {
  const t = useText()
  const nodeState = useNode((state) => state.head?.state ?? '') // a starting node begins to listen
  const { value, reason, retry } = useCall('node.listeners', {}, { mark: nodeState })
  const listeners = reason === '' ? (value?.listeners ?? null) : null
  return (
    <Card
      title={t('ui.node.listeners')}
      isFlush={listeners !== null && listeners.length > 0}
      testId="listeners"
      aside={<a href={hrefOf('/settings/rpc')}>{t('ui.node.rpcSettings')}</a>}
    >
      {reason !== '' && (
        <ErrorState title={t('ui.node.listenersFailed')} reason={reason} onRetry={() => void retry()} />
      )}
      {listeners === null && reason === '' && (
        <div className={styles.listenersPlace}>
          <Skeleton lines={3} />
        </div>
      )}
      {listeners?.length === 0 && <EmptyState icon={PlugZap} title={t('ui.node.listenersNone')} />}
      {listeners !== null && listeners.length > 0 && <ListenerTable listeners={listeners} />}
    </Card>
  )
}

const headings = ['transport', 'listenAddress', 'namespaces', 'origins', 'hosts'] as const

function ListenerTable({ listeners }: { readonly listeners: readonly ListenerView[] }) {
  const t = useText()
  return (
    <Table label={t('ui.node.listeners')} headings={headings.map((name) => t(`ui.node.${name}`))}>
      {listeners.map(({ kind, address, namespaces, origins, hosts }) => (
        <tr key={kind} data-testid={`listener-${kind}`}>
          <th scope="row">{t(`ui.node.listener.${kind}`)}</th>
          <td className={styles.breaks}>{address === null ? t('ui.node.notListening') : <code>{address}</code>}</td>
          <td className={styles.breaks}>
            <span className={styles.names}>
              {namespaces.map((name) => (
                <Namespace key={name} name={name} isOpenDoor={kind !== 'ipc'} />
              ))}
            </span>
          </td>
          <td className={styles.breaks}>
            {origins === null ? t('ui.node.noPages') : origins.join(', ') || t('ui.node.noOrigins')}
          </td>
          <td className={styles.breaks}>{hosts === null ? t('ui.node.anyHost') : hosts.join(', ')}</td>
        </tr>
      ))}
    </Table>
  )
}

function Namespace({ name, isOpenDoor }: { readonly name: string; readonly isOpenDoor: boolean }) {
  const t = useText()
  const isRisky = isOpenDoor && RISKY.includes(name)
  return (
    <code className={isRisky ? styles.risky : styles.namespace} title={isRisky ? t('ui.node.risky') : undefined}>
      {name}
      {isRisky && <span className="visually-hidden"> ({t('ui.node.risky')})</span>}
    </code>
  )
}

const EVERY_MS = 5_000
/** Height of the words before the first request. */
const NOTHING_PX = 20
const MAX_METHODS = 15

/** How often each JSON-RPC method is called: since the node started, and in the last minute. */
function RpcTraffic() {
  const t = useText()
  const answer = useCall('node.rpcTraffic', {}, { everyMs: EVERY_MS })
  const { value } = answer
  const methods = value?.methods ?? []
  const lastMinute = methods.reduce((sum, method) => sum + method.lastMinute, 0)
  return (
    <Card
      title={t('ui.node.traffic')}
      testId="rpc-traffic"
      isFlush={methods.length > 0}
      aside={value !== null && <span className={styles.soft}>{t('ui.node.trafficMinute', { count: lastMinute })}</span>}
    >
      <AnswerState answer={answer} failed="ui.node.trafficFailed" lines={1} heightPx={NOTHING_PX} />
      {value !== null && methods.length === 0 && <p className={styles.soft}>{t('ui.node.trafficNone')}</p>}
      {methods.length > 0 && <Methods methods={methods} />}
    </Card>
  )
}

const COUNTS = {
  trafficLast: ({ lastMinute }) => lastMinute,
  trafficTotal: ({ total }) => total,
  trafficFailedCount: ({ failed }) => failed,
} as const satisfies Readonly<Record<string, (method: RpcMethodView) => number>>

type Count = keyof typeof COUNTS

const numbers = ['trafficLast', 'trafficTotal', 'trafficFailedCount'] as const satisfies readonly Count[]

function Methods({ methods }: { readonly methods: readonly RpcMethodView[] }) {
  const { t, format } = useLanguage()
  const { heading, because } = useColumnWhy<Count>((of) => <CountWhy of={of} methods={methods} />)
  return (
    <>
      {because}
      <Table
        label={t('ui.node.traffic')}
        headings={[t('ui.node.method'), ...numbers.map((name) => numberHeading(heading(name, t(`ui.node.${name}`))))]}
      >
        {methods.slice(0, MAX_METHODS).map(({ method, total, failed, lastMinute }) => (
          <tr key={method} data-testid="rpc-method">
            <th scope="row">
              <code>{method}</code>
            </th>
            <td className={table.number}>{format.text('count', lastMinute)}</td>
            <td className={table.number}>{format.text('count', total)}</td>
            <td className={table.number}>{format.text('count', failed)}</td>
          </tr>
        ))}
      </Table>
    </>
  )
}

/** What each method adds to a column; those that aren't listed are one row. */
function CountWhy({ of, methods }: { readonly of: Count; readonly methods: readonly RpcMethodView[] }) {
  const t = useText()
  const sum = (some: readonly RpcMethodView[]): number => some.reduce((total, method) => total + COUNTS[of](method), 0)
  const counted = methods.filter((method) => COUNTS[of](method) > 0)
  const rest = counted.slice(MAX_METHODS)
  const rows: readonly WhyRow[] = [
    ...counted.slice(0, MAX_METHODS).map((method) => ({
      label: method.method,
      isForeign: true,
      value: <Value kind="count" value={COUNTS[of](method)} />,
    })),
    ...(rest.length === 0
      ? []
      : [{ label: t('ui.why.row.otherMethods'), value: <Value kind="count" value={sum(rest)} /> }]),
    { label: t('ui.why.row.sum'), value: <Value kind="count" value={sum(methods)} />, isResult: true },
  ]
  return <WhyText of={of} rows={rows} />
}

/** With fewer peers than this, silence may mean that we are cut off. */
const FEW_PEERS = 3
/** Below this many gas per second, blocks are empty and the figure says nothing. */
const MIN_GAS = 1_000

interface StepView {
  readonly name: string
  readonly isDone: boolean
  readonly text: string
  /** 0..1 for a step in progress; null for others. */
  readonly done: number | null
}

function SyncSteps() {
  const t = useText()
  const steps = useSteps()
  if (steps === null) return null
  return (
    <Card title={t('ui.node.syncSteps')} testId="sync-steps">
      <ol className={styles.steps}>
        {steps.map(({ name, isDone, text, done }) => (
          <li key={name} data-state={isDone ? 'done' : 'waiting'}>
            {isDone ? <CircleCheck aria-hidden="true" /> : <CircleDashed aria-hidden="true" />}
            <span>{name}</span>
            <span className={styles.soft}>{text}</span>
            {done !== null && <progress className={styles.progress} value={done} aria-label={name} />}
          </li>
        ))}
      </ol>
      <AsOf />
    </Card>
  )
}

/** Nothing is left of the steps; a long silence after them has words of its own. */
function useIsCaughtUp(): boolean {
  const state = useSyncState()
  return state === 'synced' || state === 'stalled'
}

/** Null before anything of the chain is known. */
function useSteps(): readonly StepView[] | null {
  const { t, format } = useLanguage()
  const { head: view, sync } = useNode((state) => ({ head: state.head, sync: state.sync }))
  const state = useSyncState()
  const needsNone = useNode(selectHasNoPeers)
  if (view === null) return null
  const { peers, head } = view
  const peerStep = {
    name: t('ui.node.step.peers'),
    isDone: needsNone || (peers !== null && peers > 0),
    text:
      peers !== null
        ? t('ui.node.peersFound', { count: peers })
        : t(needsNone ? 'ui.node.stepNotNeeded' : 'ui.node.stepWaiting'),
    done: null,
  }
  const tipStep = {
    name: t('ui.node.step.synced'),
    isDone: state === 'synced',
    text: t(headTexts[state] ?? 'ui.node.stepWaiting'),
    done: null,
  }
  if (isSyncing(sync)) return [peerStep, headerStep(sync, t, format), blockStep(sync, t, format), tipStep]
  const headStep = { isDone: head !== null, text: format.text('count', head?.number), done: null }
  return [peerStep, { name: t('ui.node.step.head'), ...headStep }, tipStep]
}

/** Why the node isn't synced, where the steps above don't say it. */
const headTexts: Partial<Record<SyncState, TextKey>> = {
  synced: 'ui.node.stepDone',
  stalled: 'ui.node.stepStale',
  unconfirmed: 'ui.node.stepUnconfirmed',
}

type Format = ReturnType<typeof useFormat>

function headerStep(sync: SyncView, t: Text, format: Format): StepView {
  const wanted = sync.highestBlock - sync.startingBlock
  const isDone = wanted > 0 && sync.headersDone >= wanted
  const counts = { done: format.text('count', sync.headersDone), of: format.text('count', wanted) }
  const text = sync.phase === 'finding-ancestor' ? t('ui.node.step.ancestor') : t('ui.node.step.counts', counts)
  return { name: t('ui.node.step.headers'), isDone, text, done: isDone ? null : shareOf(sync.headersDone, wanted) }
}

function blockStep(sync: SyncView, t: Text, format: Format): StepView {
  const wanted = sync.highestBlock - sync.startingBlock
  const done = sync.currentBlock - sync.startingBlock
  const { blocksPerSecond: rate, gasPerSecond: gas } = sync
  const parts = [
    t('ui.node.step.counts', {
      done: format.text('count', sync.currentBlock),
      of: format.text('count', sync.highestBlock),
    }),
    ...(rate === null ? [] : [t('ui.node.step.rate', { rate: format.text('count', Math.round(rate)) })]),
    ...(gas === null || gas < MIN_GAS ? [] : [t('ui.node.step.gas', { rate: format.text('difficulty', gas) })]),
    remainingText(sync.remaining, t, format),
  ]
  return { name: t('ui.node.step.blocks'), isDone: false, text: parts.join(' · '), done: shareOf(done, wanted) }
}

/** A range, or a single time if both ends read the same. */
function remainingText(remaining: SyncView['remaining'], t: Text, format: Format): string {
  if (remaining === null) return t('ui.node.step.estimating')
  const [least, most] = [remaining.least, remaining.most].map((seconds) => format.text('duration', Math.ceil(seconds)))
  if (least === undefined || most === undefined || least === most) return t('ui.node.step.left', { time: most ?? '' })
  return t('ui.node.step.leftBetween', { least, most })
}

function shareOf(done: number, wanted: number): number {
  return wanted <= 0 ? 0 : Math.min(1, Math.max(0, done / wanted))
}

/** Which figures don't reflect the network yet. */
function AsOf() {
  const { t, format } = useLanguage()
  const sync = useNode((state) => state.sync)
  if (!isSyncing(sync)) return null
  return <p className={styles.soft}>{t('ui.node.step.asOf', { block: format.text('count', sync.currentBlock) })}</p>
}

/** A long silence, with the probability that it is chance. */
function StaleNote() {
  const { t, format } = useLanguage()
  const { head: view, sync } = useNode(({ head, sync }) => ({ head, sync }))
  const now = useNow()
  const isQuiet = view?.head == null || view.peers === 0 || isSyncing(sync)
  if (isQuiet || silenceOf(view, now) < SILENT_SPACINGS) return null
  const seconds = (now - (view.head?.time ?? now)) / 1000
  const chance = 100 * Math.exp(-silenceOf(view, now))
  return (
    <Note tone="warn" icon={TriangleAlert} testId="stale-note">
      {t('ui.node.staleText', {
        duration: format.text('duration', seconds),
        spacing: format.text('duration', view.targetSpacingSeconds),
        chance: chance < 0.1 ? `<${format.text('percent', 0.1)}` : format.text('percent', chance),
      })}
      {view.peers !== null && view.peers < FEW_PEERS && ` ${t('ui.node.cutOff')}`}
    </Note>
  )
}
