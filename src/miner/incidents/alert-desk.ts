// Decides who is told about which incident, and when: at once, again, or because nobody acknowledged it; in quiet hours
// only problems are sent. Many incidents of the same moment are one message.

import type { Disposable } from '../../base/disposable'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { HOUR_MS, MINUTE_MS } from '../../base/time'
import type { AlertSink } from '../../config/values/alert-sink'
import { isQuiet, type QuietHours } from '../../config/values/quiet-hours'
import type { AlertEvent, AlertMessage, Delivery } from './alert-delivery'
import { type Incident, incidentText, laxOf } from './incident'
import type { IncidentBook } from './incident-book'

/** A power cut stops all rigs within seconds. */
const GATHER_MS = 5_000
const LOOK_MS = 10_000
const MAX_LINES = 10
/** A message that failed is sent again after this long, then at doubling intervals, an hour at most. */
const RETRY_MS = 30_000
/** That something is over is news for about an hour. */
const MAX_TRIES_ENDED = 7
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

interface AlertDeskDeps {
  readonly deliver: (sink: AlertSink, message: AlertMessage) => Promise<Delivery>
  readonly book: Pick<IncidentBook, 'events' | 'open' | 'alerted'>
  readonly clock: Clock
  readonly log: Logger
  /** minute of the local day of a UTC time */
  readonly minuteOfDay: (at: number) => number
}

/** What one sink was told about one incident. */
interface Told {
  /** monotonic ms of the last message */
  at: number
  isEscalated: boolean
  /** what became of the first message */
  news: 'sending' | 'arrived' | 'failed'
}

interface Unsent {
  readonly event: AlertEvent
  readonly incidents: readonly Incident[]
  readonly tries: number
  /** monotonic ms */
  readonly nextAt: number
}

interface SinkState {
  /** by incident id */
  readonly told: Map<string, Told>
  /** over, and not told yet */
  ended: readonly Incident[]
  unsent: readonly Unsent[]
  /** monotonic ms of the last hour's messages */
  sentAt: number[]
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
    this.#states = options.sinks.map(() => ({ told: new Map(), ended: [], unsent: [], sentAt: [] }))
  }

  async start(): Promise<void> {
    const { book, clock } = this.deps
    if (this.options.sinks.length === 0) return
    // What was told before a restart isn't told again at once.
    for (const { id, alerts } of book.open())
      this.options.sinks.forEach(({ name }, index) => {
        if (alerts.some(({ sink, fault }) => sink === name && fault === ''))
          this.#states[index]?.told.set(id, { at: clock.monotonic(), isEscalated: false, news: 'arrived' })
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
      state.ended = [...state.ended, ...ended]
      this.#tell(index, state, wanted)
      this.#tellEnded(index, state, isNight)
      this.#tellAgain(index, state)
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
        const { isEscalated = false, news = 'sending' } = state.told.get(id) ?? {}
        state.told.set(id, { at: now, isEscalated: isEscalated || event === 'escalated', news })
      }
      // What wasn't heard yet needn't come twice.
      const others = (each: Incident): boolean => !incidents.includes(each)
      state.unsent = state.unsent.map((unsent) => ({ ...unsent, incidents: unsent.incidents.filter(others) }))
      void this.#report(index, { event, incidents, tries: 0 })
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

  /** Only to those who heard of it; in quiet hours what was a problem, and the rest after them. */
  #tellEnded(index: number, state: SinkState, isNight: boolean): void {
    const news = ({ id }: Incident): Told['news'] => state.told.get(id)?.news ?? 'failed'
    for (const incident of state.ended) if (news(incident) === 'failed') state.told.delete(incident.id)
    const heard = state.ended.filter((incident) => news(incident) !== 'failed')
    const due = heard.filter((incident) => news(incident) === 'arrived' && (incident.level === 'problem' || !isNight))
    state.ended = heard
    if (due.length === 0 || !this.#mayTell(state)) return
    state.ended = heard.filter((incident) => !due.includes(incident))
    for (const { id } of due) state.told.delete(id)
    void this.#report(index, { event: 'ended', incidents: due, tries: 0 })
  }

  /** What failed, as far as it is still news. */
  #tellAgain(index: number, state: SinkState): void {
    const now = this.deps.clock.monotonic()
    const isNews = ({ id, acknowledgedAt }: Incident): boolean => state.told.has(id) && acknowledgedAt === null
    state.unsent = state.unsent.filter(({ event, incidents, tries, nextAt }) => {
      if (nextAt > now) return true
      const left = event === 'ended' ? incidents : incidents.filter(isNews)
      if (left.length === 0) return false
      if (!this.#mayTell(state)) return true
      void this.#report(index, { event, incidents: left, tries })
      return false
    })
  }

  #mayTell(state: SinkState): boolean {
    const now = this.deps.clock.monotonic()
    state.sentAt = state.sentAt.filter((at) => now - at < HOUR_MS)
    if (state.sentAt.length >= MAX_PER_HOUR) return false
    state.sentAt.push(now)
    return true
  }

  /** The incident keeps the first failure, and the success. */
  async #report(index: number, { event, incidents, tries }: Omit<Unsent, 'nextAt'>): Promise<void> {
    const { clock, book, log } = this.deps
    const [sink, state] = [this.options.sinks[index], this.#states[index]]
    if (sink === undefined || state === undefined) return
    const { rig, network } = this.options
    const message = { ...contentOf(event, incidents, rig), rig, network, at: clock.now() }
    const { fault, hasArrived } = await this.deps.deliver(sink, message)
    for (const { id } of incidents) {
      const told = state.told.get(id)
      if (told !== undefined && told.news !== 'arrived') told.news = hasArrived ? 'arrived' : 'failed'
      if (hasArrived || tries === 0) book.alerted(id, { at: clock.now(), sink: sink.name, fault })
    }
    if (fault !== '' && tries === 0)
      log.warn('alert could not be sent', { to: sink.kind, name: sink.name, reason: fault })
    if (hasArrived || (event === 'ended' && tries >= MAX_TRIES_ENDED)) return
    const nextAt = clock.monotonic() + Math.min(HOUR_MS, RETRY_MS * 2 ** tries)
    state.unsent = [...state.unsent, { event, incidents, tries: tries + 1, nextAt }]
  }
}

const LEADS = { began: '', ended: 'Over: ', repeated: 'Still: ', escalated: 'Not acknowledged: ' } as const

function contentOf(event: AlertEvent, incidents: readonly Incident[], rig: string) {
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
