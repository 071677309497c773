// Builds the book of incidents and the desk that sends alerts, for a miner and for a monitor.
import { hostname } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { type AlertSink, parseAlertSink } from '../../config/values/alert-sink'
import { incidentRulesSchema } from '../../contract/incidents'
import { JournalFile } from '../../files/journal-file'
import { KeptJson } from '../../files/json-file'
import { deliver, loadDelivery } from '../../miner/incidents/alert-delivery'
import { AlertDesk } from '../../miner/incidents/alert-desk'
import { IncidentBook } from '../../miner/incidents/incident-book'
import { type ComparedNode, type IncidentRules, USUAL_RULES } from '../../miner/incidents/incident-rules'
import { registerIncidentMetrics } from '../../miner/incidents/money-metrics'
import type { MinerService } from '../../miner/miner-service'
import type { RigMonitor } from '../../miner/monitor/rig-monitor'
import type { StratumServer } from '../../miner/stratum/stratum-server'
import type { BesideState } from '../../node/beside-node'
import type { NodeService } from '../../node/node-service'
import { minerRecords } from '../system/data-dir'
import type { TradesDeps } from '../trades-deps'
import type { Money } from './create-money'
import { passedOn } from './reboot-script'

const MINUTES_PER_HOUR = 60

/** The rules, kept in the data directory. */
export class KeptRules implements Service {
  readonly name = 'incident-rules'
  readonly events = new Emitter<{ changed: null }>()
  current: IncidentRules = USUAL_RULES

  constructor(
    private readonly store: Pick<KeptJson<IncidentRules>, 'load' | 'save'>,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    this.current = (await this.store.load()) ?? USUAL_RULES
  }

  async stop(): Promise<void> {}

  /** @throws the file system's error; the rules are in effect until the program ends even then */
  async save(rules: IncidentRules): Promise<void> {
    this.current = rules
    this.events.emit('changed', null)
    try {
      await this.store.save(rules)
    } catch (error: unknown) {
      this.log.warn('incident rules cannot be saved', { error: messageOf(error) })
      throw error
    }
  }
}

/** Where the rules are kept. */
export function createRules({ config, logs }: TradesDeps): KeptRules {
  const log = logs.logger.child({ module: 'incidents' })
  return new KeptRules(new KeptJson(join(config.app.dataDir, 'incident-rules.json'), incidentRulesSchema, { log }), log)
}

/** Incidents and alerts of one run. */
export interface Incidents {
  readonly book: IncidentBook
  readonly desk: AlertDesk
  readonly rules: KeptRules
}

/** Null when this run neither mines, monitors, serves rigs nor compares its node with another one. */
export function createIncidents(
  deps: TradesDeps,
  parts: {
    readonly miner: MinerService | null
    readonly money: Money | null
    readonly rigs: RigMonitor | null
    readonly stratum: StratumServer | null
    readonly rules: KeptRules
    readonly node: Pick<NodeService, 'beside'> | null
  },
): Incidents | null {
  const { config, clock, logs, platform } = deps
  const { miner, money, rigs, stratum, rules, node } = parts
  if (miner === null && rigs === null && stratum === null && config.node.beside === null) return null
  const log = logs.logger.child({ module: 'incidents' })
  const book = new IncidentBook({
    miner,
    losses: money?.ledger ?? null,
    worth: () => money?.worth() ?? null,
    rigs: () => rigs?.watchedRigs() ?? [],
    served: () => stratum?.watched() ?? [],
    beside: () => comparedNode(node?.beside() ?? null),
    rigStaleSeconds: () => rigs?.staleSeconds ?? 0,
    rules: () => rules.current,
    journal: new JournalFile(minerRecords(config.app.dataDir, config.app.network).incidents, log),
    clock,
    log,
  })
  registerIncidentMetrics(deps.metrics, () => book.open())
  const { alerts, app } = config
  const sinks = configured(alerts.to)
  loadDelivery(sinks).catch((error: unknown) => log.error('mail cannot be sent', { error: messageOf(error) }))
  const desk = new AlertDesk(
    {
      sinks,
      quietHours: alerts.quietHours,
      repeatMinutes: alerts.repeatMinutes,
      escalateMinutes: alerts.escalateMinutes,
      rig: hostname(),
      network: app.network,
    },
    {
      book,
      clock,
      log,
      deliver: (sink, message) =>
        deliver(sink, message, { agent: `headframe/${platform.version}`, environment: passedOn() }),
      minuteOfDay,
    },
  )
  return { book, desk, rules }
}

function comparedNode(state: BesideState | null): ComparedNode | null {
  if (state === null) return null
  const { url, reason, differences } = state
  const first = differences.find(({ isHealed }) => !isHealed)
  if (first === undefined) return { url, reason, first: null }
  const { height, what, where } = first
  return { url, reason, first: { height, what: where === '' ? what : `${what}, ${where}` } }
}

/** Their addresses were checked with the configuration. */
function configured(addresses: TradesDeps['config']['alerts']['to']): AlertSink[] {
  return addresses.flatMap((address) => {
    const outcome = parseAlertSink(address.reveal())
    return 'sink' in outcome ? [outcome.sink] : []
  })
}

/** Local. */
function minuteOfDay(at: number): number {
  const date = new Date(at)
  return date.getHours() * MINUTES_PER_HOUR + date.getMinutes()
}
