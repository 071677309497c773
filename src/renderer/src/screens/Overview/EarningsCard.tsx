// What mining earns on average, whether it still works at all, and how large a part chance played.
import { useState } from 'react'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { lazyPart } from '../../components/lazy-part'
import { UNKNOWN } from '../../format/formatter'
import { useFormat, useText } from '../../i18n/text'
import { earnedOf } from '../../state/earnings/earned'
import { type EarningInput, effortPercent, expectedSeconds, startOfDay } from '../../state/earnings/earnings'
import { luckOf } from '../../state/earnings/earnings-luck'
import { useEarnings } from '../../state/earnings/use-earnings'
import { useExpectedPerDay } from '../../state/earnings/use-expected'
import { useEnvironment, useMiner, useNode, useNow } from '../../state/environment'
import { proofLevel } from '../../state/health'
import { selectNextDifficulty } from '../../state/stores/node-store'
import { AmountText } from '../../widgets/facts/AmountText'
import { StatePill } from '../../widgets/facts/StatePill'
import { Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { Why } from '../../widgets/why/Why'
import styles from './Overview.module.css'

const ChanceWhy = lazyPart(async () => (await import('../../widgets/why/ChanceWhy')).ChanceWhy)
const EarnedWhy = lazyPart(async () => (await import('../../widgets/why/EarnedWhy')).EarnedWhy)

const DAY_S = 86_400
const MONTH_MS = 30 * DAY_S * 1000
const tones = { ok: 'ok', attention: 'warn', problem: 'danger' } as const
const marks = { ok: 'ok', attention: 'attention', problem: 'error' } as const

export function EarningsCard() {
  const t = useText()
  const status = useMiner((state) => state.status)
  if (status === null)
    return (
      <Card title={t('ui.overview.earnings')} className={styles.earnings}>
        <Skeleton />
      </Card>
    )
  const expected = expectedSeconds(status.source.difficulty, status.hashrate.m15 ?? status.hashrate.now)
  const isSolo = status.source.kind !== 'pool'
  return (
    <Card title={t('ui.overview.earnings')} className={styles.earnings}>
      <LastProof expected={expected} isSolo={isSolo} />
      <Facts>
        <EarnedFacts isSolo={isSolo} />
        <ExpectedFact />
        {isSolo && (
          <Fact label={t('ui.overview.blocksFound')} why={<Why of="blocks" />}>
            <Value kind="count" value={status.shares.accepted} />
          </Fact>
        )}
        {isSolo && status.lastProof !== null && <EffortFact since={status.lastProof.at} />}
        <LuckFact isSolo={isSolo} />
      </Facts>
      <HowEarned expected={expected} isSolo={isSolo} />
    </Card>
  )
}

/** How the figures are computed, with the current numbers, and what follows from them. */
function HowEarned({ expected, isSolo }: LastProofProps) {
  const t = useText()
  const format = useFormat()
  const { wei, hashrate } = useExpectedPerDay()
  const difficulty = useNode(selectNextDifficulty)
  const job = useJob()
  const chance = expected === null ? null : 100 * (1 - Math.exp(-DAY_S / expected))
  const given = { hashrate: format.text('hashrate', hashrate), difficulty: format.text('difficulty', difficulty) }
  return (
    <details className={styles.how} data-testid="earnings-how">
      <summary>{t('ui.sources.howEarned')}</summary>
      <Facts>
        <Fact
          label={t(isSolo ? 'ui.overview.blockEvery' : 'ui.overview.shareEvery')}
          why={<ChanceWhy of={isSolo ? 'meanWait' : 'shareEvery'} given={job} />}
        >
          <Value kind="duration" value={expected === null ? null : Math.max(1, expected)} />
        </Fact>
        {isSolo && (
          <Fact label={t('ui.overview.chanceToday')} why={<ChanceWhy of="chanceDay" given={job} />}>
            <Value kind="percent" value={chance} />
          </Fact>
        )}
      </Facts>
      {wei !== null && <p>{t('ui.sources.expected', given)}</p>}
      {wei !== null && <p>{t('ui.sources.earned')}</p>}
    </details>
  )
}

/** The job's difficulty, and the hashrate that its waits follow from. */
function useJob(): EarningInput {
  const difficulty = useMiner(({ status }) => status?.source.difficulty ?? null)
  const hashrate = useMiner(({ status }) => status?.hashrate.m15 ?? status?.hashrate.now ?? null)
  return { hashrate, networkDifficulty: difficulty, subsidy: null, spacingSeconds: null }
}

/** Since midnight. Until that is known, dashes hold its place: the figures below would move down. */
function EarnedFacts({ isSolo }: { readonly isSolo: boolean }) {
  const t = useText()
  const earnings = useEarnings(startOfDay(useNow()))
  const earned = earnings === null ? null : earnedOf({ earnings, isSolo })
  if (earnings === null)
    return (
      <>
        <Fact label={t('ui.overview.earnedToday')}>{UNKNOWN}</Fact>
        <Fact label={t('ui.overview.earnedRange')}>{UNKNOWN}</Fact>
      </>
    )
  if (earned === null) return null
  const { wei, range } = earned
  return (
    <>
      <Fact label={t('ui.overview.earnedToday')} why={<EarnedWhy of="earned" earnings={earnings} isSolo={isSolo} />}>
        <span data-testid="earned-today" data-value={String(wei)}>
          <AmountText wei={String(roughly(wei))} form="list" />
        </span>
      </Fact>
      {range !== null && (
        <Fact
          label={t('ui.overview.earnedRange')}
          why={<EarnedWhy of="earnedRange" earnings={earnings} isSolo={isSolo} />}
        >
          <span data-testid="earned-range">
            <AmountText wei={String(roughly(range.low))} form="list" hasUnit={false} />
            {' – '}
            <AmountText wei={String(roughly(range.high))} form="list" />
          </span>
        </Fact>
      )}
    </>
  )
}

/** Only four digits of an estimate are meaningful. */
function roughly(wei: bigint): bigint {
  const dropped = 10n ** BigInt(Math.max(0, String(wei).length - 4))
  return (wei / dropped) * dropped
}

function ExpectedFact() {
  const t = useText()
  const format = useFormat()
  const { wei, given } = useExpectedPerDay()
  return (
    <Fact label={t('ui.overview.expected')} why={<ChanceWhy of="expectedDay" given={given} />}>
      {wei === null ? (
        format.text('count', null)
      ) : (
        <span data-testid="expected-day" data-value={String(wei)}>
          <AmountText wei={String(wei)} form="list" />
        </span>
      )}
    </Fact>
  )
}

function EffortFact({ since }: { readonly since: number }) {
  const t = useText()
  const now = useNow()
  const hashrate = useMiner((state) => state.status?.hashrate.m15 ?? null)
  const difficulty = useMiner((state) => state.status?.source.difficulty ?? null)
  return (
    <Fact label={t('ui.overview.effort')} why={t('ui.overview.effortHint')}>
      <Value kind="wholePercent" value={effortPercent(hashrate, difficulty, now - since)} testId="effort" />
    </Fact>
  )
}

const verdicts = { normal: 'ui.pools.luckNormal', low: 'ui.pools.luckLow', high: 'ui.pools.luckHigh' } as const

/** Over the last thirty days, or as far as the records go. A dash holds its place until it is known. */
function LuckFact({ isSolo }: { readonly isSolo: boolean }) {
  const t = useText()
  const format = useFormat()
  const { clock } = useEnvironment()
  const [since] = useState(() => clock.now() - MONTH_MS)
  const earnings = useEarnings(since)
  const luck = earnings === null ? null : luckOf({ earnings, isSolo })
  const firstAt = Math.max(since, earnings?.firstAt ?? since)
  const duration = format.text('duration', Math.max(1, (clock.now() - firstAt) / 1000))
  if (earnings === null) return <Fact label={t('ui.pools.luck', { duration })}>{UNKNOWN}</Fact>
  if (luck === null) return null
  const percent = (value: number): string => format.text('wholePercent', value)
  const { low, high, count } = luck
  return (
    <Fact
      label={t('ui.pools.luck', { duration })}
      why={t('ui.pools.luckHint', { low: percent(low), high: percent(high), count })}
    >
      <Value kind="wholePercent" value={luck.percent} testId="luck" />{' '}
      <span className={styles.hint} data-testid="luck-verdict" data-state={luck.verdict}>
        {t(verdicts[luck.verdict])}
      </span>
    </Fact>
  )
}

interface LastProofProps {
  /** Average seconds between two of them. */
  readonly expected: number | null
  readonly isSolo: boolean
}

/** An indicator against silent failure: the time since the last acceptance, and whether chance explains it. */
function LastProof({ expected, isSolo }: LastProofProps) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const proof = useMiner((state) => state.status?.lastProof ?? null)
  if (proof === null)
    return (
      <p data-testid="last-proof" data-state="unknown">
        <StatePill tone="neutral" mark="waiting">
          {t('ui.overview.noProof')}
        </StatePill>
      </p>
    )
  const level = expected === null ? 'unknown' : proofLevel((now - proof.at) / 1000, expected)
  const age = format.age(Math.max(0, now - proof.at))
  const hint =
    level === 'unknown' || expected === null
      ? undefined
      : t(`ui.pools.proofHint.${level}`, { expected: format.text('duration', Math.max(1, expected)) })
  return (
    <p data-testid="last-proof" data-state={level} title={hint}>
      <StatePill
        tone={level === 'unknown' ? 'neutral' : tones[level]}
        mark={level === 'unknown' ? 'waiting' : marks[level]}
      >
        {t(isSolo ? 'ui.pools.proof.solo' : 'ui.pools.proof.pool', { age })}
      </StatePill>
      {(level === 'attention' || level === 'problem') && <span className={styles.hint}> {hint}</span>}
    </p>
  )
}
