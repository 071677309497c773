// Money and incidents for the UI.
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import { MAX_INCIDENTS } from '../../../contract/incidents'
import type { Incidents } from '../../miner/create-incidents'
import type { Money } from '../../miner/create-money'
import { incidentView } from '../../miner/incident-views'
import { off, topic, uiCalls } from '../ui-handlers'

/** Each null when this run doesn't have it. */
export interface MoneyPartDeps {
  readonly money: Money | null
  readonly incidents: Incidents | null
  readonly clock: Clock
}

/** @throws HostError HOST_SERVICE_OFF when this run neither mines nor monitors */
export function moneyHandlers({ incidents, money, clock }: MoneyPartDeps) {
  const present = (): Incidents => incidents ?? off('miner')
  const calls = uiCalls({
    'miner.money': ({ bounds }) => (money ?? off('miner')).view(bounds),
    'miner.incidentHistory': ({ from, to }) => {
      const all = present().book.between(from, to, Number.POSITIVE_INFINITY)
      return { incidents: all.slice(0, MAX_INCIDENTS).map(incidentView), total: all.length }
    },
    'miner.incidentAcknowledge': ({ ids }) => {
      present().book.acknowledge(ids)
    },
    'miner.incidentRules': () => present().rules.current,
    'miner.incidentRulesSave': (rules) => present().rules.save(rules),
  })
  const topics = [
    topic('miner.incidents', {
      read: () => ({
        open: incidents?.book.open().map(incidentView) ?? [],
        recent: incidents?.book.recent().map(incidentView) ?? [],
        takenAt: clock.now(),
      }),
      watch: (changed) => incidents?.book.events.on('changed', changed) ?? new Disposables(),
    }),
  ]
  return { calls, topics }
}
