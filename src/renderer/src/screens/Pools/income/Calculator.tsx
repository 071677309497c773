// Solo or pool: what each earns on average, how long the waits are, and what the power costs.
import { type ReactNode, useState } from 'react'
import { poissonPart, poissonRange } from '../../../../../base/poisson'
import { WEI_PER_LAX, WEI_PER_MICRO } from '../../../../../base/units'
import type { MinerStatusView } from '../../../../../contract/miner'
import { niceTicks, tenth, useSize } from '../../../components/charts/chart-scale'
import { TextField } from '../../../components/forms/TextField'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { type Formatter, UNKNOWN } from '../../../format/formatter'
import { isAmbiguous } from '../../../format/parse-amount'
import { useLanguage, useText } from '../../../i18n/text'
import {
  blocksPerDay,
  costPerLax,
  type EarningInput,
  expectedPerDay,
  expectedSeconds,
  WAITS,
} from '../../../state/earnings/earnings'
import { useMiner, useNode } from '../../../state/environment'
import { costPerDay, energyPerDay, usePrices } from '../../../state/money/use-money'
import { selectNextDifficulty, selectTotalWatts } from '../../../state/stores/program-store'
import { AmountText, Value } from '../../../widgets/facts/Value'
import { type WhyRow, WhyText } from '../../../widgets/why/WhyText'
import styles from '../Pools.module.css'
import { Z } from './odds'

// Numbers typed into the calculator: one decimal mark, point or comma; large ones with a unit letter. Pure.

const SIZES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15, e: 1e18 }

/** Null if it isn't a number from 0 to `most`. */
export function readNumber(text: string, most: number): number | null {
  if (!/^\d{1,7}([.,]\d{1,6})?$/.test(text.trim()) || isAmbiguous(text)) return null
  const value = Number(text.trim().replace(',', '.'))
  return value <= most ? value : null
}

/** `62.3 M`, `62,3MH/s`, `4.29 G`, `71300`: null if it isn't a number above 0. */
export function readScaled(text: string): number | null {
  const match = /^(\d{1,18}(?:[.,]\d{1,6})?)\s*([kmgtpe]?)(?:h\/s)?$/i.exec(text.trim())
  if (match === null) return null
  const [, digits = '', size = ''] = match
  if (isAmbiguous(digits)) return null
  const value = Number(digits.replace(',', '.')) * (SIZES[size.toLowerCase()] ?? 1)
  return value > 0 ? value : null
}

const USUAL_FEE = '1'
const PER_CENT_OF_WEI = 10_000n
const DAY_S = 86_400

interface Typed {
  readonly hashrate: string
  readonly difficulty: string
  readonly watts: string
  readonly tariff: string
  readonly fee: string
}

/** The values in use: typed, otherwise measured; null if neither is known. */
interface Given {
  readonly hashrate: number | null
  readonly difficulty: number | null
  readonly watts: number | null
  /** Per kWh. */
  readonly tariff: number | null
  readonly fee: number | null
}

export function Calculator() {
  const t = useText()
  const [typed, setTyped] = useState<Typed>({ hashrate: '', difficulty: '', watts: '', tariff: '', fee: USUAL_FEE })
  const measured = useMeasured()
  const given: Given = {
    hashrate: typed.hashrate === '' ? measured.hashrate : readScaled(typed.hashrate),
    difficulty: typed.difficulty === '' ? measured.difficulty : readScaled(typed.difficulty),
    watts: typed.watts === '' ? measured.watts : readNumber(typed.watts, 1_000_000),
    tariff: typed.tariff === '' ? measured.tariff : readNumber(typed.tariff, 1_000_000),
    fee: readNumber(typed.fee, 99.99),
  }
  return (
    <Card title={t('ui.pools.calculator')} testId="calculator">
      <Thirty given={given} />
      <details className={styles.fold}>
        <summary>{t('ui.versus.more')}</summary>
        <div className={styles.add}>
          <Fields typed={typed} measured={measured} given={given} onChange={setTyped} />
          <Results given={given} />
          <p className={styles.note}>{t('ui.pools.calculatorText')}</p>
        </div>
      </details>
    </Card>
  )
}

/** The chart, as soon as everything that it needs is known. */
function Thirty({ given: { hashrate, difficulty, fee } }: { readonly given: Given }) {
  const t = useText()
  const subsidy = useSubsidy()
  const shareDifficulty = useMiner(({ status }) => (status?.source.kind === 'pool' ? status.source.difficulty : null))
  if (hashrate === null || hashrate <= 0 || difficulty === null || difficulty <= 0 || subsidy === null)
    return <p className={styles.note}>{t('ui.pools.needsNode')}</p>
  return <Versus given={{ hashrate, difficulty, subsidy, fee, shareDifficulty }} />
}

function useMeasured(): Omit<Given, 'fee'> {
  const { hashrate } = useExpectedPerDay()
  const difficulty = useNode(selectNextDifficulty)
  const watts = useMiner(selectTotalWatts)
  return { hashrate, difficulty, watts, tariff: usePrices().power }
}

interface FieldsProps {
  readonly typed: Typed
  readonly measured: Omit<Given, 'fee'>
  readonly given: Given
  readonly onChange: (typed: Typed) => void
}

const FIELDS = ['hashrate', 'difficulty', 'watts', 'tariff', 'fee'] as const

function Fields({ typed, measured, given, onChange }: FieldsProps) {
  const { t, format } = useLanguage()
  const shown: Readonly<Record<keyof Typed, string>> = {
    hashrate: format.text('hashrate', measured.hashrate),
    difficulty: format.text('difficulty', measured.difficulty),
    watts: format.text('watts', measured.watts),
    tariff: measured.tariff === null ? UNKNOWN : String(measured.tariff),
    fee: '',
  }
  return (
    <div className={styles.fields}>
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={t(`ui.pools.calc.${name}`)}
          inputMode={name === 'hashrate' || name === 'difficulty' ? 'text' : 'decimal'}
          maxLength={20}
          value={typed[name]}
          placeholder={shown[name]}
          onChange={(value) => onChange({ ...typed, [name]: value })}
          error={typed[name] !== '' && given[name] === null ? t(`ui.pools.calc.${errorOf(name)}`) : ''}
          data-testid={`calculator-${name}`}
        />
      ))}
    </div>
  )
}

function errorOf(name: keyof Typed): 'wrongScaled' | 'wrongFee' | 'wrongNumber' {
  if (name === 'hashrate' || name === 'difficulty') return 'wrongScaled'
  return name === 'fee' ? 'wrongFee' : 'wrongNumber'
}

function Results({ given }: { readonly given: Given }) {
  const { hashrate, difficulty, watts, tariff, fee } = given
  const { t, format } = useLanguage()
  const subsidy = useSubsidy()
  const spacingSeconds = useNode(({ head }) => head?.targetSpacingSeconds ?? null)
  const input = { hashrate, networkDifficulty: difficulty, subsidy, spacingSeconds }
  const wei = expectedPerDay(input)
  if (hashrate === null || hashrate <= 0 || difficulty === null || wei === null)
    return <p className={styles.note}>{t('ui.pools.needsNode')}</p>
  const mean = Math.max(1, difficulty / hashrate)
  const cost = costPerDay(tariff, watts)
  const pooled = fee === null ? null : (wei * BigInt(Math.round((100 - fee) * 100))) / PER_CENT_OF_WEI
  return (
    <Facts>
      <Fact label={t('ui.pools.blockReward')} why={<WhyText of="blockReward" />}>
        <AmountText wei={subsidy} form="list" />
      </Fact>
      <Fact label={t('ui.pools.meanWait')} why={<ChanceWhy of="meanWait" given={input} />}>
        <Value kind="duration" value={mean} testId="calculator-mean" />
      </Fact>
      <Fact label={t('ui.pools.waits')} why={<ChanceWhy of="waits" given={input} />}>
        <span className={styles.mono} data-testid="calculator-waits">
          {WAITS.map((factor) => format.text('duration', Math.max(1, factor * mean))).join(' / ')}
        </span>
      </Fact>
      <Fact label={t('ui.pools.chanceDay')} why={<ChanceWhy of="chanceDay" given={input} />}>
        <Value kind="percent" value={100 * (1 - Math.exp(-DAY_S / mean))} testId="calculator-chance" />
      </Fact>
      <Fact label={t('ui.pools.soloDay')} why={<ChanceWhy of="soloDay" given={input} />}>
        <AmountText wei={String(wei)} form="list" testId="calculator-solo" />
      </Fact>
      {pooled !== null && (
        <Fact
          label={t('ui.pools.poolDay', { fee: format.text('percent', fee) })}
          why={<PooledWhy solo={wei} pooled={pooled} fee={fee} />}
        >
          <AmountText wei={String(pooled)} form="list" testId="calculator-pool" />
        </Fact>
      )}
      <Cost cost={cost} solo={wei} pooled={pooled} given={given} />
    </Facts>
  )
}

interface CostProps {
  /** Per day, in the tariff's currency. */
  readonly cost: number | null
  readonly solo: bigint
  readonly pooled: bigint | null
  readonly given: Given
}

/** A pool pays the average, less its fee. */
function PooledWhy({ solo, pooled, fee }: Omit<CostProps, 'cost' | 'given'> & Pick<Given, 'fee'>) {
  const { t, format } = useLanguage()
  const taken = pooled === null ? null : solo - pooled
  const lax = (wei: bigint | null, sign = ''): ReactNode => (
    <bdi>
      {sign}
      <AmountText wei={wei === null ? null : String(wei)} form="list" />
    </bdi>
  )
  const rows: readonly WhyRow[] = [
    { label: t('ui.pools.soloDay'), value: lax(solo) },
    { label: t('ui.why.row.fee', { fee: format.text('percent', fee) }), value: lax(taken, '−') },
    { label: t('ui.overview.expected'), value: lax(pooled), isResult: true },
  ]
  return <WhyText of="poolDay" rows={rows} />
}

function CostWhy({ of, cost, solo, pooled, given }: CostProps & { readonly of: 'calcCost' | 'calcCostPer' }) {
  const { t, format } = useLanguage()
  const { currency } = usePrices()
  const paid: WhyRow = { label: t('ui.pools.costDay'), value: money(format, cost, currency) }
  const energy: readonly WhyRow[] = [
    { label: t('ui.gpus.power'), value: <Value kind="watts" value={given.watts} /> },
    {
      label: t('ui.gpus.energyDay'),
      value: <Value kind="kilowattHours" value={given.watts === null ? null : energyPerDay(given.watts)} />,
    },
    { label: t('ui.pools.calc.tariff'), value: price(format.locale, given.tariff, currency) },
    { ...paid, isResult: true },
  ]
  const perLax: readonly WhyRow[] = [
    paid,
    { label: t('ui.why.row.soloDay'), value: <AmountText wei={String(solo)} form="list" /> },
    { label: t('ui.why.row.poolDay'), value: <AmountText wei={pooled === null ? null : String(pooled)} form="list" /> },
  ]
  return <WhyText of={of} rows={of === 'calcCost' ? energy : perLax} />
}

/** With all its decimals: a price per kWh has more than two. */
function price(locale: string, tariff: number | null, currency: string): string {
  if (tariff === null) return UNKNOWN
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(tariff)} ${currency}`.trim()
}

function Cost(props: CostProps) {
  const { cost, solo, pooled } = props
  const { t, format } = useLanguage()
  const { currency } = usePrices()
  if (cost === null) return <Fact label={t('ui.pools.costDay')}>{t('ui.pools.needsPower')}</Fact>
  return (
    <>
      <Fact label={t('ui.pools.costDay')} why={<CostWhy of="calcCost" {...props} />}>
        <span data-testid="calculator-cost">{money(format, cost, currency)}</span>
      </Fact>
      <Fact label={t('ui.pools.costPerLax')} why={<CostWhy of="calcCostPer" {...props} />}>
        <span data-testid="calculator-per-lax">
          {[solo, pooled].map((wei) => money(format, costPerLax(cost, wei), currency)).join(' / ')}
        </span>
      </Fact>
    </>
  )
}

function money(format: Formatter, amount: number | null, currency: string): string {
  return amount === null ? UNKNOWN : `${format.money(amount)} ${currency}`.trim()
}

export type Expected = ReturnType<typeof useExpectedPerDay>

/** wei per block. The genesis block pays nobody, so it doesn't tell what the next block pays. */
function useSubsidy(): string | null {
  return useNode(({ blocks }) => blocks?.find(({ number }) => number > 0)?.subsidy ?? null)
}

/** From the hashes computed: accepted work over a quarter of an hour is mostly luck. */
function useExpectedPerDay() {
  const hashrate = useMiner(({ status }) => computedRate(status?.hashrate))
  const networkDifficulty = useNode(selectNextDifficulty)
  const subsidy = useSubsidy()
  const spacingSeconds = useNode(({ head }) => head?.targetSpacingSeconds ?? null)
  const given = { hashrate, networkDifficulty, subsidy, spacingSeconds }
  return { wei: expectedPerDay(given), hashrate, given }
}

/** H/s of the longest period that is known. */
function computedRate(rate: MinerStatusView['hashrate'] | undefined): number | null {
  return rate?.m15 ?? rate?.s60 ?? rate?.now ?? null
}

interface ChanceWhyProps {
  readonly of: 'meanWait' | 'shareEvery' | 'waits' | 'chanceDay' | 'soloDay' | 'expectedDay'
  readonly given: EarningInput
}

const WAIT_PERCENTS = [10, 50, 90] as const

/** @param given for `shareEvery`, `networkDifficulty` is that of a share */
function ChanceWhy({ of, given }: ChanceWhyProps) {
  const { t, format } = useLanguage()
  const { hashrate, networkDifficulty: difficulty, subsidy } = given
  const seconds = expectedSeconds(difficulty, hashrate)
  const mean = seconds === null ? null : Math.max(1, seconds)
  const duration = (seconds: number | null) => <Value kind="duration" value={seconds} />
  const isShare = of === 'shareEvery'
  const rate: WhyRow = { label: t('ui.overview.hashrate'), value: <Value kind="hashrate" value={hashrate} /> }
  const hardness: WhyRow = {
    label: t(isShare ? 'ui.overview.jobDifficulty' : 'ui.pools.calc.difficulty'),
    value: <Value kind="difficulty" value={difficulty} />,
  }
  const average: WhyRow = {
    label: t(isShare ? 'ui.overview.shareEvery' : 'ui.overview.blockEvery'),
    value: duration(mean),
  }
  // How many the hashes are good for, and how many there are to find.
  const good = blocksPerDay({ ...given, spacingSeconds: null })
  const found = blocksPerDay(given)
  const blocks: WhyRow = { label: t('ui.why.row.blocksDay'), value: <Value kind="average" value={good} /> }
  const limited: readonly WhyRow[] =
    found === good
      ? [blocks]
      : [blocks, { label: t('ui.why.row.networkDay'), value: <Value kind="average" value={found} /> }]
  const paid: WhyRow = { label: t('ui.pools.blockReward'), value: <AmountText wei={subsidy} form="list" /> }
  const wei = expectedPerDay(given)
  const sum: WhyRow = {
    label: t('ui.overview.expected'),
    value: <AmountText wei={wei === null ? null : String(wei)} form="list" />,
    isResult: true,
  }
  const waits = WAIT_PERCENTS.map((percent) => ({
    label: t('ui.why.row.within', { percent: format.text('wholePercent', percent) }),
    value: duration(mean === null ? null : Math.max(1, -Math.log(1 - percent / 100) * mean)),
  }))
  const rows: Readonly<Record<ChanceWhyProps['of'], readonly WhyRow[]>> = {
    meanWait: [hardness, rate, { ...average, isResult: true }],
    shareEvery: [hardness, rate, { ...average, isResult: true }],
    waits: [average, ...waits],
    chanceDay: [average, blocks],
    soloDay: [rate, hardness, ...limited, paid, sum],
    expectedDay: [rate, hardness, ...limited, paid, sum],
  }
  return <WhyText of={of} rows={rows[of]} />
}

const DAYS = 30
/** More columns couldn't be told apart: a curve says the same. */
const MAX_COLUMNS = 24
const CURVE_POINTS = 60
const FOOT = 20
const TOP = 8
/** px beside the pool's band; without it the list beside the chart alone names its color. */
const NAME_ROOM = 80
/** px that an amount below the axis needs. */
const TICK_ROOM = 88
/** An amount this near an end of the axis is written inwards: half of one with its unit. */
const EDGE_PX = 48

interface VersusGiven {
  /** H/s */
  readonly hashrate: number
  readonly difficulty: number
  /** wei per block */
  readonly subsidy: string
  /** Percent; null while what is typed is no fee. */
  readonly fee: number | null
  /** Hashes per share; null if no pool is used. */
  readonly shareDifficulty: number | null
}

type Outlook = ReturnType<typeof outlook>

export function outlook({ hashrate, difficulty, subsidy, fee, shareDifficulty }: VersusGiven) {
  const hashes = hashrate * DAYS * DAY_S
  const mean = hashes / difficulty
  const { low, high } = poissonRange(mean)
  const each = Number(subsidy) / Number(WEI_PER_LAX)
  const pool = fee === null ? null : mean * each * (1 - fee / 100)
  const give = pool === null || shareDifficulty === null ? null : (Z * pool) / Math.sqrt(hashes / shareDifficulty)
  return { mean, low, high, each, pool, give }
}

/** Thirty days, pool or solo: how likely each number of own blocks is, and the narrow band in which a pool pays. */
export function Versus({ given }: { readonly given: VersusGiven }) {
  const { t, format } = useLanguage()
  const [box, size] = useSize<HTMLDivElement>()
  const found = outlook(given)
  const lax = (amount: number): string =>
    Number.isInteger(amount)
      ? format.text('count', amount)
      : format.laxRound(BigInt(Math.round(amount * 1e6)) * WEI_PER_MICRO).number
  const { mean, low, high, each, pool, give } = found
  const range = t('ui.versus.range', { low: lax(low * each), high: lax(high * each) })
  const label = t('ui.versus.label', {
    low: lax(low * each),
    high: lax(high * each),
    pool: pool === null ? format.text('count', null) : lax(pool),
  })
  return (
    <div className={styles.versus} data-testid="versus" data-value={mean}>
      <dl>
        <div data-of="pool">
          <dt>{t('ui.overview.pool')}</dt>
          <dd>
            {pool === null ? format.text('count', null) : lax(pool)} <span>LAX</span>
          </dd>
          {give !== null && <dd className={styles.soft}>{t('ui.versus.give', { amount: lax(give) })}</dd>}
        </div>
        <div data-of="solo">
          <dt>{t('ui.overview.solo')}</dt>
          <dd>
            {lax(mean * each)} <span>LAX</span>
          </dd>
          <dd className={styles.soft}>{range}</dd>
        </div>
      </dl>
      <div ref={box} className={styles.versusChart}>
        {size !== null && (
          <svg width={size.width} height={size.height} role="img" aria-label={label}>
            <Drawing {...found} width={size.width} height={size.height} lax={lax} name={t('ui.overview.pool')} />
          </svg>
        )}
      </div>
    </div>
  )
}

interface DrawingProps extends Outlook {
  readonly width: number
  readonly height: number
  readonly lax: (amount: number) => string
  readonly name: string
}

interface PoolBandProps extends Pick<DrawingProps, 'width' | 'name'> {
  readonly at: number
  readonly half: number
  readonly base: number
}

function PoolBand({ at, half, base, width, name }: PoolBandProps) {
  const left = Math.max(0, at - half)
  const right = Math.min(width, at + half)
  if (right <= left) return null
  const isAfter = right + NAME_ROOM <= width
  return (
    <>
      <rect data-of="pool" x={tenth(left)} y={TOP} width={tenth(right - left)} height={base - TOP} rx="2" />
      {(isAfter || left >= NAME_ROOM) && (
        <text
          data-of="pool"
          x={tenth(isAfter ? right + 6 : left - 6)}
          y={TOP + 10}
          textAnchor={isAfter ? 'start' : 'end'}
        >
          {name}
        </text>
      )}
    </>
  )
}

/** How likely `count` blocks are, beside the likeliest number. */
const likelihood = (mean: number, count: number): number =>
  poissonPart(mean, count) / poissonPart(mean, Math.floor(mean))

function Drawing({ mean, low, high, each, pool, give, width, height, lax, name }: DrawingProps) {
  const isDiscrete = high + 2 <= MAX_COLUMNS
  const deviation = Math.sqrt(mean)
  const from = isDiscrete ? 0 : Math.max(0, mean - 4 * deviation)
  const to = isDiscrete ? Math.max(high + 2, 4) : mean + 4 * deviation
  const base = height - FOOT
  const x = (blocks: number): number =>
    ((blocks - from + 0.5 * Number(isDiscrete)) / (to - from + Number(isDiscrete))) * width
  const y = (part: number): number => base - Math.max(2, part * (base - TOP) * 0.88)
  const parts = Math.max(1, Math.min(5, Math.floor(width / TICK_ROOM)))
  const step = Math.max(1, Math.ceil(to / parts))
  const ticks = isDiscrete
    ? Array.from({ length: Math.floor(to / step) + 1 }, (_, index) => index * step)
    : niceTicks(from * each, to * each, parts).map((amount) => amount / each)
  const bar = (width / (to + 1)) * 0.46
  const curve = Array.from({ length: CURVE_POINTS + 1 }, (_, index) => from + ((to - from) * index) / CURVE_POINTS)
  const at = pool === null || each <= 0 ? null : x(pool / each)
  const half = give === null || each <= 0 ? 2 : Math.max(2, x(from + give / each) - x(from))
  return (
    <>
      {isDiscrete ? (
        Array.from({ length: to + 1 }, (_, blocks) => blocks).map((blocks) => (
          <rect
            key={blocks}
            data-in={blocks >= low && blocks <= high ? '' : undefined}
            x={tenth(x(blocks) - bar / 2)}
            y={tenth(y(likelihood(mean, blocks)))}
            width={tenth(bar)}
            height={tenth(base - y(likelihood(mean, blocks)))}
            rx="3"
          />
        ))
      ) : (
        <path
          data-in=""
          d={`M0 ${base}${curve.map((blocks) => `L${tenth(x(blocks))} ${tenth(y(Math.exp(-(((blocks - mean) / deviation) ** 2) / 2)))}`).join('')}L${width} ${base}Z`}
        />
      )}
      {at !== null && <PoolBand at={at} half={half} base={base} width={width} name={name} />}
      <line x1="0" x2={width} y1={base} y2={base} />
      {ticks.map((blocks, place) => (
        <text
          key={blocks}
          x={tenth(Math.min(width, Math.max(0, x(blocks))))}
          y={height - 4}
          textAnchor={x(blocks) < EDGE_PX ? 'start' : x(blocks) > width - EDGE_PX ? 'end' : 'middle'}
        >
          {place === ticks.length - 1 ? `${lax(blocks * each)}\u00a0LAX` : lax(blocks * each)}
        </text>
      ))}
    </>
  )
}
