// Money and incidents for the UI.
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import { MAX_INCIDENTS } from '../../../contract/incidents'
import { HostError } from '../../errors'
import type { Incidents } from '../../miner/create-incidents'
import type { Money } from '../../miner/create-money'
import { incidentView, sinkViews, testAlert } from '../../miner/incident-views'
import { type CallsOf, topic, type UiTopic } from '../ui-handlers'

/** Each null when this run doesn't have it. */
export interface MoneyPartDeps {
  readonly money: Money | null
  readonly incidents: Incidents | null
  readonly clock: Clock
}

type MoneyCalls = Pick<
  CallsOf<'miner'>,
  | 'miner.money'
  | 'miner.incidentHistory'
  | 'miner.incidentAcknowledge'
  | 'miner.incidentRules'
  | 'miner.incidentRulesSave'
  | 'miner.alertSinks'
  | 'miner.alertTest'
>

/** @throws HostError HOST_SERVICE_OFF when this run neither mines nor monitors */
export function moneyCalls(deps: MoneyPartDeps): MoneyCalls {
  const present = (): Incidents => deps.incidents ?? off()
  return {
    'miner.money': ({ bounds }) => (deps.money ?? off()).view(bounds),
    'miner.incidentHistory': ({ from, to }) => {
      const all = present().book.between(from, to, Number.POSITIVE_INFINITY)
      return { incidents: all.slice(0, MAX_INCIDENTS).map(incidentView), total: all.length }
    },
    'miner.incidentAcknowledge': ({ ids }) => {
      present().book.acknowledge(ids)
    },
    'miner.incidentRules': () => present().rules.current,
    'miner.incidentRulesSave': async (rules) => {
      await present().rules.save(rules)
    },
    'miner.alertSinks': () => ({ sinks: deps.incidents === null ? [] : sinkViews(deps.incidents) }),
    'miner.alertTest': async ({ index }) => ({ fault: await testAlert(present(), index) }),
  }
}

export function moneyTopics({ incidents, clock }: MoneyPartDeps): readonly UiTopic[] {
  return [
    topic('miner.incidents', {
      read: () => ({
        open: incidents?.book.open().map(incidentView) ?? [],
        recent: incidents?.book.recent().map(incidentView) ?? [],
        desktopTestedAt: incidents?.desktop?.testedAt ?? null,
        takenAt: clock.now(),
      }),
      watch: (changed) => {
        const held = new Disposables()
        if (incidents !== null) held.add(incidents.book.events.on('changed', changed))
        if (incidents?.desktop) held.add(incidents.desktop.events.on('tested', changed))
        return held
      },
    }),
  ]
}

function off(): never {
  throw new HostError('HOST_SERVICE_OFF', { service: 'miner' })
}
