// Whether the pool's work builds on the chain's head, and how soon after a new head it arrives.
import type { PoolHeadView } from '../../../../../contract/pools'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { UNKNOWN } from '../../../format/formatter'
import { milliseconds } from '../../../format/milliseconds'
import { useFormat, useText } from '../../../i18n/text'
import { useNow, useOperation } from '../../../state/environment'
import { type Mark, StatePill, type Tone } from '../../../widgets/facts/StatePill'
import { Skeleton } from '../../../widgets/facts/States'
import { Value } from '../../../widgets/facts/Value'
import { SourceWhy } from '../../../widgets/why/SourceWhy'
import styles from '../Pools.module.css'

const looks: Readonly<Record<PoolHeadView['state'], readonly [Tone, Mark]>> = {
  on: ['ok', 'ok'],
  own: ['ok', 'ok'],
  behind: ['warn', 'attention'],
  ahead: ['info', 'attention'],
  noJob: ['warn', 'attention'],
  unknown: ['neutral', 'waiting'],
}

export function PoolHead() {
  const t = useText()
  const poolHead = useOperation((state) => state.poolHead)
  return (
    <Card title={t('ui.pools.head')} testId="pool-head-check">
      {poolHead === null ? <Skeleton lines={4} /> : <Comparison poolHead={poolHead} />}
      {poolHead?.state !== 'own' && <p className={styles.note}>{t('ui.pools.headText')}</p>}
    </Card>
  )
}

function Comparison({ poolHead }: { readonly poolHead: PoolHeadView }) {
  const t = useText()
  const { job, head } = poolHead
  // The node's own work has nothing to be compared with.
  if (poolHead.state === 'own')
    return (
      <>
        <State poolHead={poolHead} />
        <Facts>
          <Fact label={t('ui.pools.tipOwnJob')} why={<SourceWhy of="jobHeight" />}>
            <Place height={job?.height ?? null} epoch={job?.epoch ?? null} />
          </Fact>
        </Facts>
      </>
    )
  return (
    <>
      <State poolHead={poolHead} />
      <Facts>
        <Fact label={t('ui.pools.tipJob')} why={<SourceWhy of="tipJob" />}>
          <Place height={job?.height ?? null} epoch={job?.epoch ?? null} />
        </Fact>
        <Fact label={t('ui.pools.tipHead')} why={<SourceWhy of="tipHead" />}>
          <Place height={head?.height ?? null} epoch={head?.epoch ?? null} />
        </Fact>
        <Delays delays={poolHead.delays} />
      </Facts>
    </>
  )
}

function State({ poolHead: { state, since, why } }: { readonly poolHead: PoolHeadView }) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const [tone, mark] = looks[state]
  const waited = since === null ? 'none' : format.text('duration', Math.max(0, now - since) / 1000)
  return (
    <StatePill tone={tone} mark={mark} state={state} testId="pool-head-state">
      {state === 'unknown' && why !== '' ? t(`ui.pools.head.why.${why}`) : t(`ui.pools.head.${state}`, { waited })}
    </StatePill>
  )
}

function Place({ height, epoch }: { readonly height: number | null; readonly epoch: number | null }) {
  const t = useText()
  return (
    <>
      <Value kind="count" value={height} />
      {epoch !== null && <span className={styles.soft}> {t('ui.pools.tipEpoch', { epoch })}</span>}
    </>
  )
}

function Delays({ delays }: Pick<PoolHeadView, 'delays'>) {
  const t = useText()
  const format = useFormat()
  const text = (ms: number): string =>
    t(ms < 0 ? 'ui.pools.delayBefore' : 'ui.pools.delayAfter', { time: milliseconds(format, ms) })
  return (
    <>
      <Fact label={t('ui.pools.delayMedian')} why={<SourceWhy of="delays" />}>
        <span data-testid="pool-head-p50" data-value={delays?.p50Ms ?? ''}>
          {delays === null ? UNKNOWN : text(delays.p50Ms)}
        </span>
      </Fact>
      <Fact label={t('ui.pools.delayMost')} why={<SourceWhy of="delays" />}>
        <span data-testid="pool-head-p95" data-value={delays?.p95Ms ?? ''}>
          {delays === null ? UNKNOWN : text(delays.p95Ms)}
        </span>
      </Fact>
      <Fact label={t('ui.pools.delayCount')} why={<SourceWhy of="delayCount" />}>
        <Value kind="count" value={delays?.count ?? 0} />
      </Fact>
    </>
  )
}
