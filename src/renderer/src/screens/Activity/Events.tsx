// What happened, newest first, as sentences; by kind, level, time and text.
import { CircleAlert, Info, ScrollText, TriangleAlert } from 'lucide-react'
import { memo, useCallback, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ActivityView } from '../../../../contract/app'
import { MAX_EVENTS } from '../../../../contract/logs'
import { Card } from '../../components/layout/Card'
import { AddressText, CopyButton, ForeignText, HashText } from '../../components/values/HexText'
import { isAddress, isHash } from '../../format/bytes-text'
import { type Text, type TextKey, type TextValues, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useAsking, useEnvironment, useHeld } from '../../state/environment'
import type { Line, LogLines } from '../../state/log/log-lines'
import { Button } from '../../widgets/controls/Button'
import { type DeviceNamer, useDeviceNamer } from '../../widgets/devices/device-names'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import styles from './Activity.module.css'
import { LineTools, Select, saveLines } from './LineTools'
import { RowMark } from './RowMark'
import { useLineFilter } from './use-line-filter'
import { useLines } from './use-lines'
import { type Marks, useMarks } from './use-marks'

const icons = { info: Info, warn: TriangleAlert, error: CircleAlert } as const
const levels = ['info', 'warn', 'error'] as const
const PAGE = 200
const KEPT = 4_000

interface EventLine extends Line {
  readonly id: number
  readonly entry: ActivityView
}

export function Events() {
  const t = useText()
  const { entries, error, ask } = useEvents()
  const [kind, setKind] = useState<EventKind | 'all'>('all')
  const wishes = useLineFilter()
  // The filter treats an event's kind as its module.
  const lines = useLines<EventLine>(KEPT, { ...wishes, modules: kind === 'all' ? [] : [kind] })
  const nameOf = useDeviceNamer()
  useFill(
    lines,
    entries,
    useCallback((entry) => wordsOf(entry, t, nameOf).sentence, [t, nameOf]),
  )
  const marks = useMarks()
  const count = lines.shownCount
  const save = (): void => {
    const shown = lines.allShown()
    // Marking a group marks all its events, and exports them all.
    const marked = new Set(newestFirst(lines).flatMap(({ id, ids }) => (marks.ids.has(id) ? ids : [])))
    const wanted = marks.count === 0 ? shown : shown.filter(({ id }) => marked.has(id))
    saveLines(wanted.map(({ entry }) => asJson(entry)).join('\n'), 'headframe-events.jsonl')
  }
  if (entries === null) return <Skeleton lines={8} />
  if (entries.length === 0) return <EmptyState icon={ScrollText} title={t('ui.activity.none')} />
  return (
    <Card
      title={t('ui.activity.tab.events')}
      isFlush
      aside={<span className={styles.count}>{t('ui.events.count', { shown: count, all: lines.count })}</span>}
    >
      <LineTools
        wishes={wishes}
        levels={levels}
        problem={lines.problem}
        marked={marks.count}
        onExport={count === 0 ? null : save}
      >
        <Select
          label={t('ui.events.kind')}
          testId="event-kind"
          value={kind}
          options={(['all', ...eventKinds] as const).map((value) => ({ value, title: t(`ui.events.kind.${value}`) }))}
          onChange={setKind}
        />
      </LineTools>
      {error !== '' && <ErrorState title={t('ui.events.olderFailed')} reason={error} onRetry={ask} />}
      {count === 0 && <EmptyState icon={ScrollText} title={t('ui.events.noMatch')} />}
      {count > 0 && <Entries lines={lines} marks={marks} />}
    </Card>
  )
}

type SentenceOf = (entry: ActivityView) => string

interface Filled {
  last: ActivityView | null
  first: ActivityView | null
  sentenceOf: SentenceOf
}

/** Fills `lines` with the known entries. */
function useFill(lines: LogLines<EventLine>, entries: readonly ActivityView[] | null, sentenceOf: SentenceOf): void {
  const [held] = useState<Filled>({ last: null, first: null, sentenceOf })
  useEffect(() => {
    if (entries === null) return
    const [first = null] = entries
    // Older entries were prepended, the program restarted, or devices have other names: everything is read again.
    const isSame = held.first !== null && first === held.first && sentenceOf === held.sentenceOf
    if (!isSame) lines.clear()
    const from = isSame && held.last !== null ? entries.indexOf(held.last) + 1 : 0
    held.first = first
    held.last = entries.at(-1) ?? null
    held.sentenceOf = sentenceOf
    lines.add(entries.slice(from).map((entry) => asLine(entry, sentenceOf)))
  }, [lines, entries, sentenceOf, held])
}

const newestFirst = (lines: LogLines<EventLine>) => groupEvents([...lines.allShown()].reverse())

/** What is searched: the displayed sentence, and the logged text. */
function asLine(entry: ActivityView, sentenceOf: SentenceOf): EventLine {
  const { id, at, level, message, fields } = entry
  const pairs = fields.map(({ name, value }) => `${name}=${value}`)
  return { id, at, level, module: kindOf(entry), text: [sentenceOf(entry), message, ...pairs].join(' '), entry }
}

function Entries({ lines, marks }: { readonly lines: LogLines<EventLine>; readonly marks: Marks }) {
  const { t, format } = useLanguage()
  const { clock } = useEnvironment()
  const nameOf = useDeviceNamer()
  const [most, setMost] = useState(PAGE)
  const groups = newestFirst(lines)
  const shown = groups.slice(0, most)
  const now = clock.now()
  const isDated = useMemo(
    () => shown.some(({ line: { at } }) => format.dayTime(at, now) !== format.timeOfDay(at)),
    [shown, format, now],
  )
  return (
    <>
      <ol
        className={isDated ? styles.dated : undefined}
        data-testid="log-view"
        onKeyDown={(event) => marks.onKeyDown(event, shown.length - 1)}
      >
        {shown.map(({ id, line: { entry }, ids, since }, index) => (
          <Entry
            key={id}
            id={id}
            entry={entry}
            index={index}
            count={ids.length}
            since={since}
            isMarked={marks.ids.has(id)}
            isStop={marks.active === index}
            nameOf={nameOf}
            onMark={marks.toggle}
          />
        ))}
      </ol>
      {groups.length > shown.length && (
        <p className={styles.further}>
          <Button data-testid="events-more" onClick={() => setMost(most + PAGE)}>
            {t('ui.events.more', { count: groups.length - shown.length })}
          </Button>
        </p>
      )}
    </>
  )
}

interface EntryProps {
  /** Id of the group, for its mark. */
  readonly id: number
  readonly entry: ActivityView
  readonly index: number
  /** How many equal events it represents, and when the first one happened. */
  readonly count: number
  readonly since: number
  readonly isMarked: boolean
  readonly isStop: boolean
  readonly nameOf: DeviceNamer
  readonly onMark: (id: number, index: number) => void
}

const Entry = memo(function Entry({ id, entry, index, count, since, isMarked, isStop, nameOf, onMark }: EntryProps) {
  const { t, format } = useLanguage()
  const { clock } = useEnvironment()
  const Icon = icons[entry.level]
  const { sentence, rest } = wordsOf(entry, t, nameOf)
  return (
    <li className={`${styles.entry} ${styles[entry.level]}`} data-testid="log-row" data-state={entry.level}>
      <RowMark id={id} at={entry.at} index={index} isMarked={isMarked} isStop={isStop} onMark={onMark} />
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{t(`ui.level.${entry.level}`)}</span>
      <time className={styles.time} title={format.instant(entry.at)}>
        {format.dayTime(entry.at, clock.now())}
      </time>
      <span className={styles.module} title={entry.module}>
        {t(`ui.events.kind.${kindOf(entry)}`)}
      </span>
      <p className={styles.text}>
        <span className={styles.sentence}>
          <ForeignText text={sentence} />
        </span>
        {count > 1 && (
          <span className={styles.count} data-testid="event-repeats">
            {t('ui.events.repeated', { count, time: format.dayTime(since, clock.now()) })}
          </span>
        )}
        {rest.map(({ name, value }) => (
          <span key={name} className={styles.field}>
            <span className={styles.name}>{name}</span> <FieldValue name={name} value={value} kind={kindOf(entry)} />
          </span>
        ))}
      </p>
      <CopyButton text={asText(entry, format.instant(entry.at))} label={sentence} />
    </li>
  )
})

/** Shortened where every digit would be noise: the tooltip and the copy have all of it. */
function FieldValue({
  name,
  value,
  kind,
}: {
  readonly name: string
  readonly value: string
  readonly kind: EventKind
}) {
  if (isAddress(value)) return <AddressText address={value} form="short" href={hrefOf(`/node/address/${value}`)} />
  const isBlock = kind === 'node' && (name === 'hash' || name === 'head')
  if (isHash(value)) return <HashText hex={value} {...(isBlock ? { href: hrefOf(`/node/block/${value}`) } : {})} />
  return <ForeignText text={value} />
}

/** The entry with every digit, as in a log file. */
function asText({ level, module, message, fields }: ActivityView, instant: string): string {
  const pairs = fields.map(({ name, value }) => `${name}=${value}`)
  return [instant, level, module, message, ...pairs].join(' ')
}

/** As in the program's own JSON log. */
function asJson({ at, level, module, message, fields }: ActivityView): string {
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  return JSON.stringify({ time: new Date(at).toISOString(), level, module, message, fields: values })
}

function useEvents() {
  const { backend } = useEnvironment()
  const recent = useApp((state) => state.activity)
  const [entries, setEntries] = useState<readonly ActivityView[] | null>(recent)
  const [error, setError] = useState('')
  useEffect(() => {
    if (recent !== null) setEntries((before) => joined(before ?? [], recent))
  }, [recent])
  const ask = useCallback(() => {
    const held = { isOpen: true }
    const read = async (): Promise<void> => {
      try {
        const found: ActivityView[][] = []
        for (let before: number | null = null; held.isOpen; before = found.at(-1)?.[0]?.id ?? null) {
          const answer = await backend.call('app.events', { before, count: MAX_EVENTS })
          found.push(answer.entries)
          if (answer.entries.length < MAX_EVENTS) break
        }
        if (!held.isOpen) return
        setEntries((known) => joined(found.reverse().flat(), known ?? []))
        setError('')
      } catch (failure: unknown) {
        if (held.isOpen) setError(messageOf(failure))
      }
    }
    void read()
    return () => {
      held.isOpen = false
    }
  }, [backend])
  useAsking(ask)
  return { entries: useHeld(entries), error, ask: () => void ask() }
}

/** After a restart of the program ids start over, and older entries belong to the previous run. */
function joined(older: readonly ActivityView[], newer: readonly ActivityView[]): readonly ActivityView[] {
  const last = older.at(-1)
  if (last === undefined) return newer
  const end = newer.at(-1)
  if (end === undefined) return older
  if (end.id < last.id) return end.at < last.at ? older : newer
  const added = newer.filter(({ id }) => id > last.id)
  return added.length === 0 ? older : [...older, ...added]
}

/** What is grouped, newest first. */
interface Groupable {
  readonly id: number
  /** UTC ms */
  readonly at: number
  /** What it says, with all its values; two with the same text are equal. */
  readonly text: string
}

interface EventGroup<T extends Groupable> {
  /** Id of the oldest event, which stays when more arrive. */
  readonly id: number
  /** The newest event. */
  readonly line: T
  /** Ids of all events, newest first. */
  readonly ids: readonly number[]
  /** UTC ms of the oldest event. */
  readonly since: number
}

/** Equal events further apart than this are separate. */
const MAX_APART_MS = 60_000

/** @param lines newest first @returns in the order of their newest event; others may have come in between */
export function groupEvents<T extends Groupable>(lines: readonly T[]): readonly EventGroup<T>[] {
  const groups: { id: number; line: T; ids: number[]; since: number }[] = []
  const open = new Map<string, (typeof groups)[number]>()
  for (const line of lines) {
    const group = open.get(line.text)
    if (group !== undefined && group.since - line.at <= MAX_APART_MS) {
      group.ids.push(line.id)
      group.id = line.id
      group.since = line.at
      continue
    }
    const begun = { id: line.id, line, ids: [line.id], since: line.at }
    open.set(line.text, begun)
    groups.push(begun)
  }
  return groups
}

const eventKinds = ['miner', 'pool', 'node', 'signer', 'rigs', 'program'] as const
type EventKind = (typeof eventKinds)[number]

/** First parts of module names. */
const kindsOfModules: Readonly<Record<string, EventKind>> = {
  miner: 'miner',
  sensors: 'miner',
  xhash: 'miner',
  pool: 'pool',
  node: 'node',
  chain: 'node',
  p2p: 'node',
  rpc: 'node',
  query: 'node',
  signer: 'signer',
  rules: 'signer',
  rigs: 'rigs',
  monitor: 'rigs',
}

function kindOf({ module, message }: Pick<ActivityView, 'module' | 'message'>): EventKind {
  if (/^(?:pool|message from the pool|saved shares)\b/.test(message)) return 'pool'
  return kindsOfModules[module.split('.')[0] ?? ''] ?? 'program'
}

type EventKey = Extract<TextKey, `ui.event.${string}`>

/** By the program's phrase: the sentence, and the values it needs. */
const sentences: Readonly<Record<string, { readonly key: EventKey; readonly needs: readonly string[] }>> = {
  'block mined': { key: 'ui.event.mined', needs: ['number', 'transactions'] },
  'side block mined: another at its height came first': { key: 'ui.event.minedBeside', needs: ['number'] },
  'chain reorganized': { key: 'ui.event.reorganised', needs: ['removed', 'added'] },
  'chain opened': { key: 'ui.event.chainOpened', needs: ['head'] },
  synced: { key: 'ui.event.synchronised', needs: ['blocks', 'head'] },
  'sync waits: the disk is nearly full': { key: 'ui.event.diskFull', needs: [] },
  'JSON-RPC is served': { key: 'ui.event.rpc', needs: ['host', 'port'] },
  'peers can connect': { key: 'ui.event.peers', needs: ['port'] },
  'port opened at the router': { key: 'ui.event.router', needs: ['externalPort'] },
  'pool connected': { key: 'ui.event.poolConnected', needs: ['pool'] },
  'pool connection lost': { key: 'ui.event.poolLost', needs: ['pool', 'reason'] },
  'pool not reached': { key: 'ui.event.poolNotReached', needs: ['pool', 'reason'] },
  'pool refused': { key: 'ui.event.poolRefused', needs: ['pool', 'reason'] },
  'pool switched': { key: 'ui.event.poolSwitched', needs: ['host'] },
  'pool trouble': { key: 'ui.event.poolTrouble', needs: ['pool', 'reason'] },
  'pool left': { key: 'ui.event.poolLeft', needs: ['pool', 'reason'] },
  'logging in again': { key: 'ui.event.poolAgain', needs: ['pool', 'reason'] },
  'message from the pool': { key: 'ui.event.poolMessage', needs: ['text'] },
  'building DAG': { key: 'ui.event.building', needs: ['device', 'epoch'] },
  'DAG ready': { key: 'ui.event.built', needs: ['device', 'epoch'] },
  'next DAG ready': { key: 'ui.event.builtNext', needs: ['device', 'epoch'] },
  'device is too hot, pausing it': { key: 'ui.event.hot', needs: ['device'] },
  'device has cooled down': { key: 'ui.event.cooled', needs: ['device'] },
  'restarting device': { key: 'ui.event.restarted', needs: ['device', 'reason'] },
  'device keeps failing and stays off': { key: 'ui.event.staysOff', needs: ['device', 'reason'] },
  'device returned a wrong result': { key: 'ui.event.wrong', needs: ['device'] },
  'device could not build its DAG': { key: 'ui.event.notBuilt', needs: ['device', 'error'] },
  'device is not responding, abandoning it': { key: 'ui.event.leftBehind', needs: ['device'] },
  'sensors lost': { key: 'ui.event.sensorsLost', needs: ['device'] },
  'GPU work sizes tuned': { key: 'ui.event.tuned', needs: ['device'] },
  'restarting devices': { key: 'ui.event.restarting', needs: [] },
  'simulated devices added': { key: 'ui.event.simulated', needs: ['count'] },
  'difficulty too low for these devices, solutions are dropped': { key: 'ui.event.tooEasy', needs: [] },
  'signer is ready': { key: 'ui.event.signerReady', needs: ['accounts'] },
  'request settled': { key: 'ui.event.settled', needs: ['kind', 'state'] },
  'request refused automatically': { key: 'ui.event.refused', needs: ['method', 'caller', 'reason'] },
  'vault stays locked: no stored passwords and no rules': { key: 'ui.event.vaultClosed', needs: ['reason'] },
  'practice account created': { key: 'ui.event.practice', needs: ['address'] },
  'service failed': { key: 'ui.event.failed', needs: ['service', 'reason'] },
  'restarting service after its worker was lost': { key: 'ui.event.startedAgain', needs: ['service'] },
  'control port open': { key: 'ui.event.controlPort', needs: ['host', 'port'] },
  'power state changed': { key: 'ui.event.power', needs: ['state'] },
  'a link was ignored': { key: 'ui.event.link', needs: ['reason'] },
  ready: { key: 'ui.event.ready', needs: ['network'] },
}

/** Most events name a device by its index, some by its name. */
export function wordsOf({ message, fields }: ActivityView, t: Text, nameOf: DeviceNamer) {
  const known = sentences[message]
  const values: TextValues = Object.fromEntries(fields.map(({ name, value }) => [name, plainValue(name, value)]))
  if (known === undefined || !known.needs.every((name) => name in values && values[name] !== 'null'))
    return { sentence: `${message.charAt(0).toUpperCase()}${message.slice(1)}`, rest: fields }
  const { device } = values
  return {
    sentence: t(known.key, { ...values, ...(typeof device === 'number' ? { device: nameOf({ index: device }) } : {}) }),
    rest: fields.filter(({ name, value }) => !known.needs.includes(name) && value !== 'null'),
  }
}

/** Whole numbers become numbers, for plurals; states lose their hyphens, which choice names can't have. */
function plainValue(name: string, text: string): string | number {
  if (name === 'state') return text.replace(/-/g, '_')
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}
