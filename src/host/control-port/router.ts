// The HTTP side of the control port: the checks in their order, then the routes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { HeadframeError, messageOf } from '../../base/errors'
import { isLoopback, plainAddress } from '../../base/ip-address'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { type Controllable, parseControl, runControl } from '../../miner/api/control'
import { epochsAnswer } from '../../miner/api/epochs'
import { isFailure } from '../../miner/api/http-errors'
import { parseRigControl } from '../../miner/api/rig-control'
import { buildRigs, type OtherRig } from '../../miner/api/rigs'
import { choosesRigs, parseRigsQuery } from '../../miner/api/rigs-query'
import { STAT_PAGE_POLICY, statPage } from '../../miner/api/stat-page'
import type { Summary } from '../../miner/api/summary'
import { parseTuning, type TuningCommand, tuningAnswer } from '../../miner/api/tuning'
import type { EpochPlan } from '../../miner/farm/device-inventory'
import type { RigCommand, RigResult } from '../../miner/monitor/rig-monitor'
import type { RigSelection, SelectionFault } from '../../miner/monitor/rig-selection'
import { type RigTarget, serviceDiscovery } from '../../miner/monitor/service-discovery'
import type { TuningService } from '../../miner/tuning/tuning-service'
import { rigCommandOf } from '../miner/rig-command'
import { type AccessGuard, bearerToken, type TokenCheck, type ViewScope } from './access-guard'
import { type Answer, failure, json, text, writeAnswer } from './answer'
import { peerOf } from './channel-peer'
import { type HostRules, isForeignOrigin, isKnownHost, type PageHeaders } from './foreign-page'
import { acknowledgeAnswer, type IncidentSource, incidentsAnswer, type MoneySource, moneyAnswer } from './money-route'
import { hiddenRigs, hiddenSummary } from './redact'
import { isShellPath, StaticFiles, takesGzip } from './static-files'

/** The GPUs and their settings. */
type TunedCards = Pick<TuningService, 'absent' | 'cards' | 'set' | 'release' | 'search'>

/** Requests that can't be fulfilled, as opposed to our own faults. */
const REFUSALS = [
  'TUNING_CARD_UNKNOWN',
  'TUNING_KNOB_ABSENT',
  'TUNING_NO_PRICES',
  'TUNING_OUT_OF_RANGE',
  'TUNING_REFUSED',
]

async function readTuning(tuning: TunedCards): Promise<Answer> {
  return json(tuningAnswer(await tuning.cards(), tuning.absent))
}

/** Resolves when the GPU is set. @param contentType the header's value, if it was sent */
async function runTuning(
  tuning: TunedCards,
  request: { readonly contentType: string | undefined; readonly body: Uint8Array; readonly deviceCount: number },
): Promise<Answer> {
  const command = parseTuning(request.contentType, request.body, request.deviceCount)
  if (isFailure(command)) return failure(command.status, command.error)
  try {
    await obey(tuning, command)
    return json({ result: true })
  } catch (error) {
    if (error instanceof HeadframeError && REFUSALS.includes(error.code)) return failure(400, error.message)
    throw error
  }
}

function obey(tuning: TunedCards, command: TuningCommand): Promise<void> {
  const { device } = command
  if ('settings' in command) return tuning.set(device, command.settings)
  return 'search' in command ? tuning.search(device, command.search) : tuning.release(device)
}

// POST /api/v1/rigs/control: one command for selected rigs, forwarded to each with its own token.

interface CommandedRigs {
  select(selection: RigSelection): readonly string[] | SelectionFault
  command(names: readonly string[], command: RigCommand): Promise<readonly RigResult[]>
}

/** Answers when each rig has, or timed out: `{"results": [{"rig", "done", "error"}]}`. @param contentType if sent */
async function runRigControl(rigs: CommandedRigs, contentType: string | undefined, body: Uint8Array): Promise<Answer> {
  const parsed = parseRigControl(contentType, body)
  if (isFailure(parsed)) return failure(parsed.status, parsed.error)
  const command = rigCommandOf(parsed.command)
  if ('fault' in command) return failure(400, `pool: ${command.fault}`)
  const names = rigs.select(parsed.selection)
  if ('fault' in names) return failure(400, names.fault)
  const results = await rigs.command(names, command)
  return json({ results: results.map(({ rig, error }) => ({ rig, done: error === '', error })) })
}

/** The part of the miner that is shown and controlled. */
export interface ControlledMiner extends Controllable {
  /** @param control what this instance permits */
  summary(control: boolean): Summary
  devices(): readonly unknown[]
  epochPlan(): EpochPlan
}

/** The other rigs as monitored. */
export interface RigsView {
  rigs(): readonly OtherRig[]
  targets(): readonly RigTarget[]
  select: CommandedRigs['select']
  command: CommandedRigs['command']
}

export interface MetricsPage {
  readonly contentType: string
  text(): Promise<string>
}

interface RouterOptions {
  readonly rules: HostRules
  readonly channelPath: string
  readonly staticDir: string | null
}

/** What the routes show and control. */
export interface RouterDeps {
  /** null: this program doesn't mine */
  readonly miner: ControlledMiner | null
  /** absent or null: no GPU can be set */
  readonly tuning?: TunedCards | null
  /** absent or null: this program doesn't mine */
  readonly money?: MoneySource | null
  /** absent or null: it neither mines nor monitors */
  readonly incidents?: IncidentSource | null
  /** null: no rigs are monitored */
  readonly rigs: RigsView | null
  /** absent or null: no rigs are served */
  readonly served?: Pick<RigsView, 'rigs'> | null
  readonly metrics: MetricsPage
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}

type Run = (request: IncomingMessage, token: TokenCheck) => Promise<Answer>

/** By method. */
type Route = { readonly [M in 'GET' | 'POST']?: Run }

type ViewRoute = (view: ViewScope, request: IncomingMessage) => Promise<Answer>

export class Router {
  readonly #routes: ReadonlyMap<string, Route>
  readonly #viewRoutes: ReadonlyMap<string, ViewRoute>
  readonly #files: StaticFiles

  constructor(
    private readonly options: RouterOptions,
    private readonly deps: RouterDeps & { readonly guard: AccessGuard },
  ) {
    const { miner, rigs } = deps
    this.#files = new StaticFiles(options.staticDir)
    this.#routes = new Map<string, Route>([
      ['/metrics', get(async () => text(deps.metrics.contentType, await deps.metrics.text()))],
      ['/api/v1/rigs', get((request) => this.#rigs(request))],
      ['/api/v1/sd', get(async () => json(serviceDiscovery(rigs?.targets() ?? [])))],
      [options.channelPath, get(async () => failure(426, 'this path speaks WebSocket', { Upgrade: 'websocket' }))],
      ...(miner === null ? [] : this.#minerRoutes(miner)),
      ...(miner === null || !deps.tuning ? [] : [this.#tuningRoute(deps.tuning, miner)]),
      ...(rigs === null ? [] : [this.#rigsRoute(rigs)]),
      ...(deps.money ? [this.#moneyRoute(deps.money)] : []),
      ...(deps.incidents ? [this.#incidentsRoute(deps.incidents)] : []),
    ])
    this.#viewRoutes = this.#routesOfLinks()
  }

  /** Answers one request; never throws. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.#answer(request)
      this.#note(request, answer.status)
      writeAnswer(response, answer)
    } catch (error: unknown) {
      this.deps.log.error('a request failed', { path: pathOf(request).slice(0, 80), error: messageOf(error) })
      if (response.headersSent) response.destroy()
      else writeAnswer(response, failure(500, 'internal error'))
    }
  }

  /** The checks that an upgrade shares with a request; null when it passes. */
  refuseForeign(request: IncomingMessage, token: TokenCheck): Answer | null {
    const page = pageHeaders(request)
    const navigation = request.method === 'GET' && isShellPath(pathOf(request))
    if (isForeignOrigin(page, navigation, this.options.rules.extraHosts)) return failure(403, foreignReason(page))
    if (page.host === undefined) {
      return request.httpVersion === '1.0' ? null : failure(400, 'Host header is missing')
    }
    if (isKnownHost(page.host, this.options.rules) || token === 'right') return null
    return failure(403, 'Host is not a name of this program: see --api-host')
  }

  /** Neither query nor headers: both may contain secrets. */
  #note(request: IncomingMessage, status: number): void {
    const remote = plainAddress(request.socket.remoteAddress)
    this.deps.log.debug('request', { method: request.method, path: pathOf(request).slice(0, 80), status, remote })
  }

  get #control(): boolean {
    return this.deps.guard.allowControl
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const path = pathOf(request)
    const remote = plainAddress(request.socket.remoteAddress)
    const caller = this.deps.guard.identify(remote, bearerToken(request.headers.authorization))
    const { token } = caller
    const foreign = this.refuseForeign(request, token)
    if (foreign !== null) return foreign
    const shell = isShellPath(path)
    if (!shell && caller.view !== null) return this.#answerLink(request, path, caller.view)
    if (!shell && this.deps.guard.readNeedsToken && token !== 'right') return this.#unauthorised(remote, token)
    if (request.method !== 'GET' && request.method !== 'POST') {
      return failure(405, 'method must be GET or POST', { Allow: 'GET, POST' })
    }
    const route = shell
      ? get(() => this.#files.answer(path, takesGzip(request.headers['accept-encoding'])))
      : this.#routes.get(path)
    if (route === undefined) return failure(404, 'not found')
    const run = route[request.method]
    const [allowed = ''] = Object.keys(route)
    return run?.(request, token) ?? failure(405, `method must be ${allowed}`, { Allow: allowed })
  }

  /** What a link shows: its own short list of read-only routes, without what it hides. */
  async #answerLink(request: IncomingMessage, path: string, view: ViewScope): Promise<Answer> {
    const route = this.#viewRoutes.get(path)
    if (request.method !== 'GET') return failure(403, 'a view link may only read')
    if (route !== undefined) return route(view, request)
    return this.#routes.has(path) ? failure(403, 'this is not shown to a view link') : failure(404, 'not found')
  }

  #routesOfLinks(): ReadonlyMap<string, ViewRoute> {
    const { miner, metrics } = this.deps
    // never more than a link permits, whatever this instance permits others
    const summaryFor = ({ hides }: ViewScope, of: ControlledMiner): Summary =>
      hides ? hiddenSummary(of.summary(false)) : of.summary(false)
    return new Map<string, ViewRoute>([
      ['/api/v1/rigs', (view, request) => this.#rigs(request, view)],
      // its labels contain names of rigs and pools
      [
        '/metrics',
        async ({ hides }) =>
          hides ? failure(403, 'this link hides names') : text(metrics.contentType, await metrics.text()),
      ],
      ...(miner === null
        ? []
        : ([
            ['/api/v1/summary', async (view) => json(summaryFor(view, miner))],
            ['/getstat1', async (view) => statAnswer(summaryFor(view, miner))],
          ] satisfies [string, ViewRoute][])),
    ])
  }

  #minerRoutes(miner: ControlledMiner): [string, Route][] {
    return [
      ['/api/v1/summary', get(async () => json(miner.summary(this.#control)))],
      ['/getstat1', get(async () => statAnswer(miner.summary(this.#control)))],
      ['/api/v1/epochs', get(async () => json(epochsAnswer(miner.epochPlan())))],
      ['/api/v1/control', { POST: this.#change((type, body) => controlAnswer(miner, type, body)) }],
    ]
  }

  /** @param view null: the caller has no link */
  async #rigs(request: IncomingMessage, view: ViewScope | null = null): Promise<Answer> {
    const query = parseRigsQuery(request.url?.includes('?') ? queryOf(request) : null)
    if (query !== null && isFailure(query)) return failure(query.status, query.error)
    const { computerName } = this.options.rules
    const hides = view?.hides === true
    if (hides && query !== null && choosesRigs(query))
      return failure(403, 'this link hides names: use offset and limit')
    const summary = this.deps.miner?.summary(view === null && this.#control)
    const found = buildRigs({ computerName, summary }, this.#others(), query)
    return json(hides ? hiddenRigs(found, query?.offset ?? 0) : found)
  }

  #others(): readonly OtherRig[] {
    const { rigs, served } = this.deps
    return [...(rigs?.rigs() ?? []), ...(served?.rigs() ?? [])]
  }

  #tuningRoute(tuning: TunedCards, miner: ControlledMiner): [string, Route] {
    const post = this.#change((contentType, body) =>
      runTuning(tuning, { contentType, body, deviceCount: miner.devices().length }),
    )
    return ['/api/v1/tuning', { ...get(() => readTuning(tuning)), POST: post }]
  }

  #rigsRoute(rigs: RigsView): [string, Route] {
    return ['/api/v1/rigs/control', { POST: this.#change((type, body) => runRigControl(rigs, type, body)) }]
  }

  #moneyRoute(money: MoneySource): [string, Route] {
    return ['/api/v1/money', get(async (request) => moneyAnswer(money, queryOf(request), this.deps.clock.now()))]
  }

  #incidentsRoute(incidents: IncidentSource): [string, Route] {
    const read = get(async (request) => incidentsAnswer(incidents, queryOf(request), this.deps.clock.now()))
    const post = this.#change((contentType, body) => acknowledgeAnswer(incidents, contentType, body))
    return ['/api/v1/incidents', { ...read, POST: post }]
  }

  /** A POST that changes something: for callers with control. http-framing.ts has limited its size. */
  #change(run: (contentType: string | undefined, body: Buffer) => Promise<Answer> | Answer): Run {
    return async (request, token) =>
      this.#refuseControl(request, token) ?? run(request.headers['content-type'], await buffer(request))
  }

  /** Null for callers with control. */
  #refuseControl(request: IncomingMessage, token: TokenCheck): Answer | null {
    const { guard } = this.deps
    if (!guard.allowControl) return failure(403, 'control is not allowed: see --api-allow-control')
    const remote = plainAddress(request.socket.remoteAddress)
    if (!guard.mayControl(remote, token)) {
      if (token !== 'right') return this.#unauthorised(remote, token)
      return failure(403, 'control is offered to this computer only: see --api-token')
    }
    // what came through a proxy only seems to be local
    if (token !== 'right' && isLoopback(remote) && !peerOf(remote, request.headers).isLocal)
      return failure(403, 'control without a token is offered to this computer only: see --api-token')
    return null
  }

  #unauthorised(remote: string, token: TokenCheck): Answer {
    if (token === 'limited') {
      const seconds = this.deps.guard.retryAfterSeconds(remote)
      return failure(429, 'too many wrong tokens', { 'Retry-After': String(Math.max(1, seconds)) })
    }
    return failure(401, 'token missing or wrong', { 'WWW-Authenticate': 'Bearer' })
  }
}

async function controlAnswer(miner: ControlledMiner, contentType: string | undefined, body: Buffer): Promise<Answer> {
  const command = parseControl({ contentType, body, deviceCount: miner.devices().length })
  if (isFailure(command)) return failure(command.status, command.error)
  await runControl(command, miner)
  return json({ result: true })
}

/** Also for the owner of a page behind a proxy, which looks as foreign as the others if its Host header was changed. */
function foreignReason({ origin, host }: PageHeaders): string {
  const refused = 'requests of foreign pages are refused'
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return refused
  const asked = host.slice(0, 80)
  return `${refused}: the page is at ${new URL(origin).host.slice(0, 80)}, but the request asks for ${asked}. A proxy must pass on the Host header as the browser sent it, port included`
}

/** As sent, up to the query; not decoded or normalized. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?')[0] ?? ''
}

/** Without its question mark; empty without one. */
function queryOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function statAnswer(summary: Summary): Answer {
  const page = text('text/html; charset=utf-8', statPage(summary))
  return { ...page, headers: { ...page.headers, 'Content-Security-Policy': STAT_PAGE_POLICY } }
}

function get(run: (request: IncomingMessage) => Promise<Answer>): Route {
  return { GET: run }
}

function pageHeaders({ headers }: IncomingMessage): PageHeaders {
  const single = (value: string | string[] | undefined): string | undefined =>
    Array.isArray(value) ? value.join(', ') : value
  return {
    origin: single(headers.origin),
    host: headers.host,
    fetchSite: single(headers['sec-fetch-site'])?.toLowerCase(),
    fetchMode: single(headers['sec-fetch-mode'])?.toLowerCase(),
  }
}
