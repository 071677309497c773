// What happened lately, newest first.
import { CircleAlert, Info, ScrollText, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import type { ActivityView } from '../../../../contract/app'
import { hrefOf } from '../../app/router'
import { type ActivityTab, activityTabs } from '../../app/routes'
import { Card } from '../../components/Card'
import { AddressText, CopyButton, ForeignText, HashText } from '../../components/HexText'
import { EmptyState, Skeleton } from '../../components/States'
import { Tabs } from '../../components/Tabs'
import { isAddress, isHash } from '../../format/bytes-text'
import { useFormat, useText } from '../../i18n/text'
import { selectCanApprove } from '../../state/app-store'
import { useApp, useEnvironment } from '../../state/environment'
import { Screen } from '../Screen'
import styles from './Activity.module.css'
import { Audit } from './Audit'
import { LogView } from './LogView'

const icons = { info: Info, warn: TriangleAlert, error: CircleAlert } as const

/** What a tab of the log shows: modules by the first part of their names. */
const logModules = {
  miner: ['miner', 'pool', 'sensors', 'xhash', 'history', 'control-port'],
  node: ['node', 'chain', 'p2p', 'rpc', 'query', 'solc'],
  all: [],
} as const

export function Activity({ tab }: { readonly tab: ActivityTab }) {
  const t = useText()
  const canApprove = useApp(selectCanApprove)
  // The record tells what was asked and signed: only for whoever may decide requests.
  const shown = activityTabs.filter((name) => name !== 'audit' || canApprove)
  return (
    <Screen title={t('ui.nav.activity')}>
      <Tabs
        label={t('ui.activity.parts')}
        active={tab}
        tabs={shown.map((name) => ({
          name,
          href: hrefOf(name === 'events' ? '/activity' : `/activity/${name}`),
          title: t(`ui.activity.tab.${name}`),
          testId: `activity-tab-${name}`,
        }))}
      />
      {tab === 'events' && <Events />}
      {tab === 'audit' && <Audit />}
      {(tab === 'miner' || tab === 'node' || tab === 'all') && (
        <LogView key={tab} title={t(`ui.activity.tab.${tab}`)} modules={logModules[tab]} />
      )}
    </Screen>
  )
}

function Events() {
  const t = useText()
  const format = useFormat()
  const { clock } = useEnvironment()
  const entries = useApp((state) => state.activity)
  const now = clock.now()
  const isDated = entries?.some(({ at }) => format.dayTime(at, now) !== format.timeOfDay(at)) ?? false
  return (
    <>
      {entries === null && <Skeleton lines={8} />}
      {entries !== null && entries.length === 0 && <EmptyState icon={ScrollText} title={t('ui.activity.none')} />}
      {entries !== null && entries.length > 0 && (
        <Card title={t('ui.activity.tab.events')} isFlush>
          <ol className={isDated ? styles.dated : undefined} data-testid="log-view">
            {[...entries].reverse().map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        </Card>
      )}
    </>
  )
}

const Entry = memo(
  function Entry({ entry }: { readonly entry: ActivityView }) {
    const t = useText()
    const format = useFormat()
    const { clock } = useEnvironment()
    const Icon = icons[entry.level]
    const sentence = asSentence(entry.message)
    return (
      <li className={`${styles.entry} ${styles[entry.level]}`} data-testid="log-row" data-state={entry.level}>
        <Icon aria-hidden="true" />
        <span className="visually-hidden">{t(`ui.level.${entry.level}`)}</span>
        <time className={styles.time} title={format.instant(entry.at)}>
          {format.dayTime(entry.at, clock.now())}
        </time>
        <span className={styles.module} title={entry.module}>
          {entry.module}
        </span>
        <p className={styles.text}>
          <span className={styles.sentence}>
            <ForeignText text={sentence} />
          </span>
          {entry.fields.map(({ name, value }) => (
            <span key={name} className={styles.field}>
              <span className={styles.name}>{name}</span> <FieldValue value={value} />
            </span>
          ))}
        </p>
        <CopyButton text={asLine(entry, format.instant(entry.at))} label={sentence} />
      </li>
    )
  },
  (before, after) => before.entry.id === after.entry.id && before.entry.at === after.entry.at,
)

/** Short where all digits would only be noise: the whole is in the tooltip and in what is copied. */
function FieldValue({ value }: { readonly value: string }) {
  if (isAddress(value)) return <AddressText address={value} form="short" />
  if (isHash(value)) return <HashText hex={value} />
  return <ForeignText text={value} />
}

function asSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`
}

/** The entry with every digit, as it would stand in a log file. */
function asLine({ level, module, message, fields }: ActivityView, instant: string): string {
  const pairs = fields.map(({ name, value }) => `${name}=${value}`)
  return [instant, level, module, message, ...pairs].join(' ')
}
