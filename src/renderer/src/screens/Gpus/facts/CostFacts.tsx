// What the current power draw adds up to per day: energy, and its cost once a tariff was entered.

import { Fact } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { usePreference } from '../../../state/environment'
import { costPerDay, energyPerDay } from '../../../state/preferences'
import { Value } from '../../../widgets/facts/Value'
import { Why } from '../../../widgets/why/Why'

/** Renders nothing if no power is reported. */
export function CostFacts({ watts }: { readonly watts: number | null }) {
  const t = useText()
  const format = useFormat()
  const tariff = usePreference((state) => state.tariff)
  const currency = usePreference((state) => state.currency)
  if (watts === null) return null
  const cost = costPerDay({ tariff }, watts)
  return (
    <>
      <Fact label={t('ui.gpus.energyDay')} why={<Why of="energyDay" />}>
        <Value kind="kilowattHours" value={energyPerDay(watts)} />
      </Fact>
      <Fact label={t('ui.gpus.costDay')} why={cost === null ? undefined : <Why of="costDay" />}>
        {cost === null ? (
          <a href={hrefOf('/settings/money')}>{t('ui.gpus.needsTariff')}</a>
        ) : (
          <span data-testid="cost-day" data-value={cost} title={t('ui.gpus.costNow', { amount: format.money(cost) })}>
            {`${format.money(cost)} ${currency}`.trim()}
          </span>
        )}
      </Fact>
    </>
  )
}
