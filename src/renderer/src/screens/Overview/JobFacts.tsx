// What the current job says about itself, whatever its source.

import type { MinerStatusView } from '../../../../contract/miner'
import { Fact } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { Value } from '../../widgets/facts/Value'

export function JobFacts({ difficulty, height, epoch }: MinerStatusView['source']) {
  const t = useText()
  return (
    <>
      <Fact label={t('ui.overview.jobDifficulty')}>
        <Value kind="difficulty" value={difficulty} />
      </Fact>
      <Fact label={t('ui.overview.jobHeight')}>
        <Value kind="count" value={height} />
      </Fact>
      <Fact label={t('ui.overview.epoch')}>
        <Value kind="count" value={epoch} />
      </Fact>
    </>
  )
}
