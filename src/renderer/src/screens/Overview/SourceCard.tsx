// Where work comes from, since when, and how it keeps up with our node.

import { Card, Fact, Facts } from '../../components/layout/Card'
import { lazyPart } from '../../components/lazy-part'
import { ForeignText } from '../../components/values/HexText'
import { milliseconds } from '../../format/milliseconds'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useFleet, useMiner, useNow } from '../../state/environment'
import { selectPools } from '../../state/stores/fleet-store'
import { StatePill } from '../../widgets/facts/StatePill'
import { Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { JobFacts } from './JobFacts'
import styles from './Overview.module.css'

const SourceWhy = lazyPart(async () => (await import('../../widgets/why/SourceWhy')).SourceWhy)

export function SourceCard() {
  const t = useText()
  const status = useMiner((state) => state.status)
  const source = status?.source
  const isPool = source?.kind === 'pool'
  return (
    <Card
      title={t(isPool ? 'ui.overview.pool' : 'ui.overview.solo')}
      aside={
        isPool && (
          <a className={styles.link} href={hrefOf('/pools')}>
            {t('ui.nav.pools')}
          </a>
        )
      }
    >
      {source === undefined && <Skeleton lines={4} />}
      {source !== undefined && (
        <>
          <StatePill
            tone={source.connected ? 'ok' : 'neutral'}
            mark={source.connected ? 'ok' : 'waiting'}
            testId="pool-active"
          >
            {t(source.connected ? 'ui.overview.hasWork' : 'ui.overview.noWork')}
          </StatePill>
          {source.warning !== '' && (
            <p data-testid="pool-warning">
              <ForeignText text={source.warning} />
            </p>
          )}
          <Facts>
            <Fact label={t('ui.overview.source')}>
              {isPool ? <ForeignText text={source.host} /> : t('ui.overview.ownNode')}
            </Fact>
            {isPool && <SinceFact />}
            <JobFacts {...source} />
            {isPool && <LagFacts />}
          </Facts>
        </>
      )}
    </Card>
  )
}

function SinceFact() {
  const t = useText()
  const now = useNow()
  const since = useFleet((state) => selectPools(state).find(({ active }) => active)?.connectedAt ?? null)
  return (
    <Fact label={t('ui.pools.sourceSince')} why={<SourceWhy of="sourceSince" />}>
      <Value kind="duration" value={since === null ? null : Math.max(0, (now - since) / 1000)} testId="source-since" />
    </Fact>
  )
}

/** Renders nothing without our own node to compare with. */
function LagFacts() {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const tip = useFleet((state) => state.tip)
  if (tip === null || tip.why === 'noNode') return null
  const { state, why, since, delays } = tip
  const waited = since === null ? 'none' : format.text('duration', Math.max(0, now - since) / 1000)
  const last = delays?.lastMs ?? null
  return (
    <>
      <Fact label={t('ui.pools.sourceTip')} why={<SourceWhy of="sourceTip" />}>
        <span data-testid="source-tip" data-state={state}>
          {t(why === '' ? `ui.pools.tip.${state}` : `ui.pools.tip.why.${why}`, { waited })}
        </span>
      </Fact>
      {last !== null && (
        <Fact label={t('ui.pools.sourceLag')} why={<SourceWhy of="delays" />}>
          <span data-testid="source-lag" data-value={last}>
            {last < 0 ? t('ui.pools.delayBefore', { time: milliseconds(format, last) }) : milliseconds(format, last)}
          </span>
        </Fact>
      )}
    </>
  )
}
