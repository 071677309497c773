// Sync progress as a list of steps, with the result of each.
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import type { SyncView } from '../../../../contract/network'
import { isSyncing, SILENT_SPACINGS, type SyncState, silenceOf } from '../../../../contract/sync-state'
import { Card } from '../../components/layout/Card'
import { Note } from '../../components/layout/Note'
import { type Text, type TextKey, useFormat, useText } from '../../i18n/text'
import { useNode, useNow } from '../../state/environment'
import { selectHasNoPeers } from '../../state/stores/node-store'
import { useSyncState } from '../../widgets/facts/SyncPill'
import styles from './Node.module.css'

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

export function SyncSteps() {
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
export function useIsCaughtUp(): boolean {
  const state = useSyncState()
  return state === 'synced' || state === 'stalled'
}

/** Null before anything of the chain is known. */
function useSteps(): readonly StepView[] | null {
  const t = useText()
  const format = useFormat()
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
  const t = useText()
  const format = useFormat()
  const sync = useNode((state) => state.sync)
  if (!isSyncing(sync)) return null
  return <p className={styles.soft}>{t('ui.node.step.asOf', { block: format.text('count', sync.currentBlock) })}</p>
}

/** A long silence, with the probability that it is chance. */
export function StaleNote() {
  const t = useText()
  const format = useFormat()
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
