// How far the node is, as a list of steps with what each found.
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { Banner } from '../../components/Banner'
import { Card } from '../../components/Card'
import { useFormat, useText } from '../../i18n/text'
import { useNode, useNow } from '../../state/environment'
import { syncStateOf } from '../../state/node-store'
import styles from './Node.module.css'

/** With fewer peers than this a silence may mean that we are cut off. */
const FEW_PEERS = 3

export function SyncSteps() {
  const t = useText()
  const format = useFormat()
  const view = useNode((state) => state.head)
  const sync = syncStateOf(view, useNow())
  if (view === null) return null
  const { peers, head } = view
  const steps = [
    {
      name: 'ui.node.step.peers',
      isDone: peers === null || peers > 0,
      text: peers === null ? t('ui.node.stepNotNeeded') : t('ui.node.peersFound', { count: peers }),
    },
    { name: 'ui.node.step.head', isDone: head !== null, text: format.text('count', head?.number) },
    {
      name: 'ui.node.step.tip',
      isDone: sync === 'tip',
      text: t(sync === 'tip' ? 'ui.node.stepDone' : 'ui.node.stepWaiting'),
    },
  ] as const
  return (
    <Card title={t('ui.node.syncSteps')} testId="sync-steps">
      <ol className={styles.steps}>
        {steps.map(({ name, isDone, text }) => (
          <li key={name} data-state={isDone ? 'done' : 'waiting'}>
            {isDone ? <CircleCheck aria-hidden="true" /> : <CircleDashed aria-hidden="true" />}
            <span>{t(name)}</span>
            <span className={styles.soft}>{text}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** A long silence, with how likely chance alone makes one. */
export function StaleNote() {
  const t = useText()
  const format = useFormat()
  const view = useNode((state) => state.head)
  const now = useNow()
  if (view?.head == null || syncStateOf(view, now) !== 'stalled') return null
  const seconds = (now - view.head.time) / 1000
  const chance = 100 * Math.exp(-seconds / view.targetSpacingSeconds)
  return (
    <Banner tone="warn" icon={TriangleAlert} testId="stale-note">
      {t('ui.node.staleText', {
        duration: format.text('duration', seconds),
        spacing: format.text('duration', view.targetSpacingSeconds),
        chance: chance < 0.1 ? `<${format.text('percent', 0.1)}` : format.text('percent', chance),
      })}
      {view.peers !== null && view.peers < FEW_PEERS && ` ${t('ui.node.cutOff')}`}
    </Banner>
  )
}
