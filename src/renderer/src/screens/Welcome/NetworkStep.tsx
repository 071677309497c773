// Choice of the network: what each means, and what is at stake.
import { useText } from '../../i18n/text'
import { NoWindowNote } from './NoWindowNote'
import { Options } from './Options'
import type { Planning } from './use-plan'

const networks = ['practice', 'main', 'test'] as const

export function NetworkStep({ planning: { plan, change } }: { readonly planning: Planning }) {
  const t = useText()
  return (
    <>
      <Options
        label={t('ui.welcome.step.network')}
        value={plan.network}
        options={networks.map((value) => ({
          value,
          title: t(`ui.network.${value}`),
          text: t(`ui.welcome.network.${value}`),
        }))}
        onChange={(network) => change({ network })}
      />
      <NoWindowNote network={plan.network} />
    </>
  )
}
