// What the current job says about itself, whatever its source.

import type { MinerStatusView } from '../../../../contract/miner'
import { Fact } from '../../components/layout/Card'
import { lazyPart } from '../../components/lazy-part'
import { useText } from '../../i18n/text'
import { Value } from '../../widgets/facts/Value'

const SourceWhy = lazyPart(async () => (await import('../../widgets/why/SourceWhy')).SourceWhy)

export function JobFacts({ difficulty, height, epoch }: MinerStatusView['source']) {
  const t = useText()
  return (
    <>
      <Fact label={t('ui.overview.jobDifficulty')} why={<SourceWhy of="jobDifficulty" />}>
        <Value kind="difficulty" value={difficulty} />
      </Fact>
      <Fact label={t('ui.overview.jobHeight')} why={<SourceWhy of="jobHeight" />}>
        <Value kind="count" value={height} />
      </Fact>
      <Fact label={t('ui.overview.epoch')} why={<SourceWhy of="epoch" />}>
        <Value kind="count" value={epoch} />
      </Fact>
    </>
  )
}
