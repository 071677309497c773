// What the current power draw adds up to per day: energy, and its cost once a tariff was entered.

import { useCallback } from 'react'
import { Fact } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useMiner, usePreference } from '../../../state/environment'
import { costPerDay, energyPerDay } from '../../../state/preferences'
import type { MinerState } from '../../../state/stores/miner-store'
import { MinerValue } from '../../../widgets/devices/MinerValue'
import { Why } from '../../../widgets/why/Why'

interface CostFactsProps {
  /** Watts; null = unknown. Has to be the same function each time. */
  readonly power: (state: MinerState) => number | null
}

/** Renders nothing if no power is reported. */
export function CostFacts({ power }: CostFactsProps) {
  const t = useText()
  const isKnown = useMiner((state) => power(state) !== null)
  const hasTariff = usePreference(({ tariff }) => costPerDay({ tariff }, 1) !== null)
  const energy = useCallback(
    (state: MinerState) => {
      const watts = power(state)
      return watts === null ? null : energyPerDay(watts)
    },
    [power],
  )
  if (!isKnown) return null
  return (
    <>
      <Fact label={t('ui.gpus.energyDay')} why={<Why of="energyDay" />}>
        <MinerValue kind="kilowattHours" read={energy} />
      </Fact>
      <Fact label={t('ui.gpus.costDay')} why={hasTariff ? <Why of="costDay" /> : undefined}>
        {hasTariff ? <Cost power={power} /> : <a href={hrefOf('/settings/money')}>{t('ui.gpus.needsTariff')}</a>}
      </Fact>
    </>
  )
}

function Cost({ power }: CostFactsProps) {
  const t = useText()
  const format = useFormat()
  const tariff = usePreference((state) => state.tariff)
  const currency = usePreference((state) => state.currency)
  const cost = costPerDay({ tariff }, useMiner(power))
  if (cost === null) return null
  const amount = format.money(cost)
  return (
    <span data-testid="cost-day" data-value={cost} title={t('ui.gpus.costNow', { amount })}>
      {`${amount} ${currency}`.trim()}
    </span>
  )
}
