// Decides who is told about which incident, and when: at once, again, or because nobody acknowledged it; in quiet hours
// only problems are sent. Many incidents of the same moment are one message.

import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { HOUR_MS, MINUTE_MS } from '../../base/time'
import type { AlertSink } from '../../config/values/alert-sink'
import { isQuiet, type QuietHours } from '../../config/values/quiet-hours'
import type { AlertEvent, AlertMessage } from './alert-delivery'
import { type Incident, incidentText, laxOf } from './incident'
import type { IncidentBook } from './incident-book'

/** A power cut stops all rigs within seconds. */
const GATHER_MS = 5_000
const LOOK_MS = 10_000
const MAX_LINES = 10
/** A failed message is sent again this often, at growing intervals. */
const MAX_TRIES = 4
const RETRY_MS = 30_000
/** Per sink, so that flapping causes don't flood a phone; the next hour has them. */
const MAX_PER_HOUR = 60

/** How alerts behave. */
export interface AlertOptions {
  readonly sinks: readonly AlertSink[]
  readonly quietHours: QuietHours | null
  /** minutes after which an open, unacknowledged incident is sent again; 0: never */
  readonly repeatMinutes: number
  /** minutes after which an unacknowledged problem is escalated; 0: never */
  readonly escalateMinutes: number
  readonly rig: string
  readonly network: string
}

/** What the desk uses. */
interface AlertDeskDeps {
  /** resolves with why it failed; empty when it arrived */
  readonly deliver: (sink: AlertSink, message: AlertMessage) => Promise<string>
  readonly book: Pick<IncidentBook, 'events' | 'open' | 'alerted'>
  readonly clock: Clock
  readonly log: Logger
  /** minute of the local day of a UTC time */
  readonly minuteOfDay: (at: number) => number
}

/** A sink as it is listed. */
interface ListedSink {
  readonly index: number
  readonly kind: AlertSink['kind']
  readonly name: string
  readonly level: AlertSink['level']
  readonly isEscalation: boolean
  readonly lastSent: { readonly at: number; readonly fault: string } | null
}

/** What one sink was told about one incident. */
interface Told {
  /** monotonic ms of the last message */
  at: number
  isEscalated: boolean
}

interface SinkState {
  /** by incident id */
  readonly told: Map<string, Told>
  /** monotonic ms of the last hour's messages */
  sentAt: number[]
  lastSent: ListedSink['lastSent']
}

/** The desk of one run. */
export class AlertDesk implements Service {
  readonly name = 'alerts'
  readonly #held = new Disposables()
  readonly #states: SinkState[]
  #ended: Incident[] = []
  #gathering: Disposable | null = null

  constructor(
    private readonly options: AlertOptions,
    private readonly deps: AlertDeskDeps,
  ) {
    this.#states = options.sinks.map(() => ({ told: new Map(), sentAt: [], lastSent: null }))
  }

  async start(): Promise<void> {
    const { book, clock } = this.deps
    if (this.options.sinks.length === 0) return
    // What was told before a restart isn't told again at once.
    for (const { id, alerts } of book.open())
      this.options.sinks.forEach(({ name }, index) => {
        if (alerts.some(({ sink, fault }) => sink === name && fault === ''))
          this.#states[index]?.told.set(id, { at: clock.monotonic(), isEscalated: false })
      })
    this.#held.add(book.events.on('began', () => this.#soon()))
    this.#held.add(
      book.events.on('ended', (incident) => {
        this.#ended.push(incident)
        this.#soon()
      }),
    )
    this.#held.add(clock.setInterval(() => this.#look(), LOOK_MS))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    this.#gathering?.dispose()
    this.#gathering = null
  }

  sinks(): readonly ListedSink[] {
    return this.options.sinks.map(({ kind, name, level, isEscalation }, index) => ({
      index,
      kind,
      name,
      level,
      isEscalation,
      lastSent: this.#states[index]?.lastSent ?? null,
    }))
  }

  /** Sends a test message. @returns why it failed; empty when it arrived */
  async test(index: number): Promise<string> {
    const sink = this.options.sinks[index]
    if (sink === undefined) return 'there is no such place'
    const text = `This is a test of alerts from ${this.options.rig}.`
    return this.#send(index, { event: 'test', title: 'Headframe: test', text, isUrgent: false, incidents: [] })
  }

  #soon(): void {
    this.#gathering ??= this.deps.clock.setTimeout(() => {
      this.#gathering = null
      this.#look()
    }, GATHER_MS)
  }

  #look(): void {
    const { book, clock, minuteOfDay } = this.deps
    const { quietHours } = this.options
    const isNight = quietHours !== null && isQuiet(quietHours, minuteOfDay(clock.now()))
    const open = book.open().filter(({ level }) => level !== 'note')
    const ended = this.#ended
    this.#ended = []
    this.options.sinks.forEach((sink, index) => {
      const state = this.#states[index]
      if (state === undefined) return
      const wanted = open.filter(({ level }) => level === 'problem' || (sink.level === 'attention' && !isNight))
      this.#tell(index, state, wanted)
      this.#tellEnded(index, state, ended)
    })
  }

  /** New incidents, and those due again. */
  #tell(index: number, state: SinkState, wanted: readonly Incident[]): void {
    const due = { began: [] as Incident[], repeated: [] as Incident[], escalated: [] as Incident[] }
    for (const incident of wanted) {
      const event = this.#dueEvent(index, state, incident)
      if (event !== null) due[event].push(incident)
    }
    const now = this.deps.clock.monotonic()
    for (const event of ['escalated', 'began', 'repeated'] as const) {
      const incidents = due[event]
      if (incidents.length === 0 || !this.#mayTell(state)) continue
      for (const { id } of incidents) {
        const isEscalated = event === 'escalated' || (state.told.get(id)?.isEscalated ?? false)
        state.told.set(id, { at: now, isEscalated })
      }
      void this.#report(index, event, incidents)
    }
  }

  #dueEvent(index: number, state: SinkState, incident: Incident): 'began' | 'repeated' | 'escalated' | null {
    const { clock } = this.deps
    const { repeatMinutes, escalateMinutes, sinks } = this.options
    const told = state.told.get(incident.id)
    const isUnseen = incident.acknowledgedAt === null
    const age = clock.now() - incident.since
    const isLate = escalateMinutes > 0 && incident.level === 'problem' && isUnseen && age >= escalateMinutes * MINUTE_MS
    if (isLate && told?.isEscalated !== true) return 'escalated'
    if (sinks[index]?.isEscalation === true && told === undefined) return null
    if (told === undefined) return isUnseen ? 'began' : null
    if (repeatMinutes === 0 || !isUnseen) return null
    return clock.monotonic() - told.at >= repeatMinutes * MINUTE_MS ? 'repeated' : null
  }

  /** Only to those who heard of it. */
  #tellEnded(index: number, state: SinkState, ended: readonly Incident[]): void {
    const heard = ended.filter(({ id }) => state.told.delete(id))
    if (heard.length > 0 && this.#mayTell(state)) void this.#report(index, 'ended', heard)
  }

  #mayTell(state: SinkState): boolean {
    const now = this.deps.clock.monotonic()
    state.sentAt = state.sentAt.filter((at) => now - at < HOUR_MS)
    if (state.sentAt.length >= MAX_PER_HOUR) return false
    state.sentAt.push(now)
    return true
  }

  async #report(index: number, event: Exclude<AlertEvent, 'test'>, incidents: readonly Incident[]): Promise<void> {
    const { clock, book, log } = this.deps
    const sink = this.options.sinks[index]
    if (sink === undefined) return
    const content = contentOf(event, incidents, this.options.rig)
    const fault = await this.#send(index, content)
    for (const { id } of incidents) book.alerted(id, { at: clock.now(), sink: sink.name, fault })
    if (fault === '') return
    log.warn('alert could not be sent', { to: sink.kind, name: sink.name, reason: fault })
    this.#again(index, content, 1)
  }

  #again(index: number, content: Content, tries: number): void {
    const { clock, log } = this.deps
    if (tries >= MAX_TRIES) return
    const wait = clock.setTimeout(
      () => {
        this.#send(index, content).then(
          (fault) => fault !== '' && this.#again(index, content, tries + 1),
          (error: unknown) => log.error('alert could not be sent', { reason: messageOf(error) }),
        )
      },
      RETRY_MS * 2 ** (tries - 1),
    )
    this.#held.add(wait)
  }

  async #send(index: number, content: Content): Promise<string> {
    const { clock } = this.deps
    const { sinks, rig, network } = this.options
    const [sink, state] = [sinks[index], this.#states[index]]
    if (sink === undefined || state === undefined) return 'there is no such place'
    const fault = await this.deps.deliver(sink, { ...content, rig, network, at: clock.now() })
    state.lastSent = { at: clock.now(), fault }
    return fault
  }
}

type Content = Omit<AlertMessage, 'rig' | 'network' | 'at'>

const LEADS = { began: '', ended: 'Over: ', repeated: 'Still: ', escalated: 'Not acknowledged: ' } as const

function contentOf(event: Exclude<AlertEvent, 'test'>, incidents: readonly Incident[], rig: string): Content {
  const [first] = incidents
  const more = incidents.length - 1
  const title = `${rig}: ${LEADS[event]}${first === undefined ? '' : incidentText(first)}${more > 0 ? ` and ${more} more` : ''}`
  const lines = incidents.slice(0, MAX_LINES).map((incident) => `${incidentText(incident)}${costText(incident)}`)
  const rest = incidents.length - lines.length
  const text = [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')
  const isUrgent = event !== 'ended' && incidents.some(({ level }) => level === 'problem')
  return { event, title: title.slice(0, 200), text, isUrgent, incidents }
}

/** ` (since 09:41 UTC, 0.31 LAX lost so far)` */
function costText(incident: Incident): string {
  const { since, until } = incident
  const lax = laxOf(incident)
  const times = until === null ? `since ${timeText(since)}` : `${timeText(since)} to ${timeText(until)}`
  const cost = lax === null || lax < 0.005 ? '' : `, ${lax.toFixed(2)} LAX lost${until === null ? ' so far' : ''}`
  return ` (${times}${cost})`
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
