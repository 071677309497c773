// What was earned, how much of it was chance, and what is left after power.

import { useState } from 'react'
import { poissonPart } from '../../../../base/poisson'
import type { Amount, Figure, MoneyView } from '../../../../contract/money'
import { tenth, useSize } from '../../components/charts/chart-scale'
import luckStyles from '../../components/charts/Luck.module.css'
import { Choice } from '../../components/forms/Choice'
import { Stat, Stats } from '../../components/layout/Card'
import { UNKNOWN } from '../../format/formatter'
import { useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useEnvironment, useMiner, useNode, usePreference } from '../../state/environment'
import { type MoneySpan, spans, useDayBounds, useMoneyAnswer, usualSpan } from '../../state/money/use-money'
import { selectAreAllMetered, selectEfficiency, selectTotalWatts } from '../../state/stores/program-store'
import { MinerValue } from '../../widgets/devices/WrittenValue'
import { AnswerState } from '../../widgets/facts/States'
import { useSyncState } from '../../widgets/facts/SyncPill'
import styles from './Income.module.css'

const DAY_HOURS = 24
const WATTS_PER_KW = 1000
/** A reading that was late isn't worth a word. */
const MIN_METERED = 0.99
/** More columns couldn't be told apart: a curve says the same. */
const MAX_COLUMNS = 24

export function Income() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const isSolo = useMiner((state) => state.status?.source.kind !== 'pool')
  const chosen = usePreference((state) => state.incomeSpan)
  const [first, setFirst] = useState<MoneySpan | null>(null)
  const span = chosen === '' ? (first ?? '30d') : chosen
  const answer = useMoneyAnswer(useDayBounds(span))
  const { value: money } = answer
  const state = <AnswerState answer={answer} failed="ui.money.failed" lines={4} heightPx={220} />
  const perDay = money?.forecast.blocksPerDay.value ?? null
  // Once, from the first answer: a figure that changes its meaning by itself would be misread.
  if (money !== null && first === null) setFirst(usualSpan(isSolo, perDay))
  if (money === null)
    return (
      <section className={styles.money} aria-label={t('ui.money.label')}>
        {state}
      </section>
    )
  return (
    <section className={styles.money} aria-label={t('ui.money.label')}>
      <div className={styles.left}>
        {state}
        <div className={styles.top}>
          <span>{t('ui.money.earned')}</span>
          <Choice
            label={t('ui.money.span')}
            value={span}
            options={spans.map((value) => ({ value, label: t(`ui.money.span.${value}`) }))}
            onChange={(incomeSpan) => preferences.setState({ incomeSpan })}
          />
        </div>
        <Hero money={money} isSolo={isSolo} span={span} />
        <LuckOf money={money} isSolo={isSolo} />
        <Facts money={money} isSolo={isSolo} />
      </div>
      <Margin money={money} />
    </section>
  )
}

interface PartProps {
  readonly money: MoneyView
  readonly isSolo: boolean
}

function Hero({ money, isSolo, span }: PartProps & { readonly span: MoneySpan }) {
  const { t, format } = useLanguage()
  const { income, luck, shares } = money.whole.total
  const shown = income.value === null ? null : format.laxRound(BigInt(income.value))
  return (
    <div className={styles.hero}>
      <p className={styles.big} data-testid="earned" data-value={income.value ?? ''} title={exactText(income, format)}>
        {shown === null ? <span className={styles.missing}>{missingText(income, t)}</span> : shown.number}
        {shown !== null && <span className={styles.unit}>LAX</span>}
      </p>
      <p className={styles.say}>
        <strong>
          {isSolo
            ? t('ui.money.blocks', { count: luck.found, span, luck: luck.verdict })
            : t('ui.money.shares', { count: shares.accepted, luck: luck.verdict })}
        </strong>
        <br />
        {isSolo ? <NextBlock money={money} /> : <PoolNote money={money} />}
      </p>
    </div>
  )
}

function NextBlock({ money }: { readonly money: MoneyView }) {
  const { t, format } = useLanguage()
  const { median } = money.forecast.nextBlock
  if (median.missing === 'too-early') return t('ui.money.nextEarly')
  if (median.value === null) return t('ui.money.nextMissing', { why: missingText(median, t) })
  const at = money.takenAt + median.value * 1000
  return t('ui.money.nextBlock', { time: format.when(at, money.takenAt) })
}

/** What its shares are worth before the fee; what it paid only the pool knows. */
function PoolNote({ money }: { readonly money: MoneyView }) {
  const t = useText()
  const { rejected, stale, unanswered } = money.whole.total.shares
  const lost = rejected + stale + unanswered
  return t('ui.money.beforeFee', { count: lost })
}

function LuckOf({ money, isSolo }: PartProps) {
  const { t, format } = useLanguage()
  const { total } = money.whole
  const { luck } = total
  const textOf = useResultText(total)
  if (luck.verdict === 'early' || luck.mean <= 0)
    return (
      <p className={styles.early} data-testid="luck" data-value="">
        {t('ui.money.measuring')}
      </p>
    )
  const percent = (100 * luck.found) / luck.mean
  const label = t('ui.money.luckLabel', {
    found: luck.found,
    low: luck.low,
    high: luck.high,
    mean: Math.round(luck.mean * 10) / 10,
  })
  return (
    <div data-testid="luck" data-value={Math.round(percent)} data-state={luck.verdict} title={label}>
      <Luck
        actual={luck.found}
        mean={luck.mean}
        low={luck.low}
        high={luck.high}
        isDiscrete={isSolo && luck.high + 2 <= MAX_COLUMNS}
        textOf={textOf}
        meanText={t('ui.money.mean', { value: meanText(total, format) })}
        label={label}
      />
    </div>
  )
}

type Mined = MoneyView['whole']['total']

/** Of all work: a part's value beside all results would be too little. */
const pricedIncome = ({ expectedIncome, pricedPart }: Mined): string | null =>
  pricedPercent(pricedPart) < 100 ? null : expectedIncome.value

const pricedPercent = (part: number): number => Math.floor(100 * part)

/** LAX of so many results at the period's average, or their number where they have no price. */
function useResultText(total: Mined): (result: number) => string {
  const format = useFormat()
  const { luck } = total
  const income = pricedIncome(total)
  const each = income === null || luck.mean <= 0 ? null : Number(income) / luck.mean
  return (result) => {
    if (each === null) return format.text('count', result)
    const number = format.laxShort(BigInt(Math.round(result * each)))
    return result === luck.high ? `${number}\u00a0LAX` : number
  }
}

type Format = ReturnType<typeof useFormat>

function meanText(total: Mined, format: Format): string {
  const income = pricedIncome(total)
  return income === null ? format.text('average', total.luck.mean) : format.laxShort(BigInt(income))
}

/** Today, a day on average, and the work on the current block; of which block, while it isn't the network's latest. */
function Facts({ money, isSolo }: PartProps) {
  const { t, format } = useLanguage()
  const sync = useSyncState()
  const height = useNode((state) => state.head?.head?.number ?? null)
  const today = money.periods.at(-1)?.total.income ?? null
  const { incomePerDay } = money.forecast
  return (
    <p className={styles.facts}>
      <span data-testid="earned-today" data-value={today?.value ?? ''}>
        {t('ui.money.today', { amount: amountText(today, t, format) })}
      </span>
      <span data-testid="expected-day" data-value={incomePerDay.value ?? ''}>
        {t('ui.money.perDay', {
          amount: incomePerDay.missing === 'too-early' ? UNKNOWN : amountText(incomePerDay, t, format),
        })}
      </span>
      {isSolo && (
        <span data-testid="effort" data-value={money.effort.value ?? ''} title={t('ui.overview.effortHint')}>
          {t('ui.money.effort', {
            percent:
              money.effort.value === null
                ? missingText(money.effort, t)
                : format.text('wholePercent', money.effort.value),
          })}
        </span>
      )}
      {isSolo && sync !== 'synced' && height !== null && <span>{t('ui.overview.asOf', { height })}</span>}
      <Beside money={money} />
    </p>
  )
}

/** What isn't in the figures. */
function Beside({ money }: Pick<PartProps, 'money'>) {
  const { t, format } = useLanguage()
  const { total, rigs } = money.whole
  const sideBlocks = total.sideBlocks.value ?? 0
  const priced = pricedPercent(total.pricedPart)
  return (
    <>
      {total.income.value !== null && priced < 100 && (
        <span data-testid="priced" data-value={priced}>
          {t('ui.money.pricedPart', { percent: format.text('wholePercent', priced) })}
        </span>
      )}
      {sideBlocks > 0 && (
        <span data-testid="side-blocks" data-value={sideBlocks}>
          {t('ui.money.sideBlocks', { count: sideBlocks })}
        </span>
      )}
      {rigs !== null && (
        <span data-testid="rigs-income" data-value={rigs.income.value ?? ''}>
          {t('ui.money.rigs', { amount: amountText(rigs.income, t, format) })}
        </span>
      )}
    </>
  )
}

type Text = ReturnType<typeof useText>

export function missingText(figure: Pick<Figure | Amount, 'missing'>, t: Text): string {
  return figure.missing === null ? '' : t(`ui.money.missing.${figure.missing}`)
}

function amountText(amount: Amount | null, t: Text, format: Format): string {
  if (amount === null) return t('ui.money.measuring')
  if (amount.value === null) return missingText(amount, t)
  const { number, unit } = format.laxRound(BigInt(amount.value))
  return `${number}\u00a0${unit}`
}

function exactText(amount: Amount, format: Format): string | undefined {
  return amount.value === null ? undefined : format.laxExact(BigInt(amount.value))
}

function Margin({ money }: { readonly money: MoneyView }) {
  const { t, format } = useLanguage()
  const hasPower = useMiner((state) => selectTotalWatts(state) !== null)
  const areAllMetered = useMiner(selectAreAllMetered)
  const { margin, energy, total } = money.whole
  const { currency, power } = money.prices
  const price = (figure: Figure): string =>
    figure.value === null ? missingText(figure, t) : format.price(figure.value, currency)
  return (
    <div className={styles.right} data-testid="margin" data-value={margin.margin.value ?? ''}>
      <div>
        <div className={styles.top}>{t(margin.margin.value === null ? 'ui.money.cost' : 'ui.money.margin')}</div>
        {margin.margin.value === null ? (
          <NoMargin cost={price(energy.cost)} isKnown={energy.cost.value !== null} missing={margin.margin} />
        ) : (
          <p className={styles.marginLine}>
            <span className={styles.marginFigure}>{format.price(margin.margin.value, currency)}</span>
            <span className={styles.part}>{partText(money, t, format)}</span>
          </p>
        )}
      </div>
      {margin.income.value !== null && energy.cost.value !== null && (
        <Split earned={margin.income.value} cost={energy.cost.value} price={(value) => format.price(value, currency)} />
      )}
      <Stats>
        {hasPower && (
          <Stat label={t('ui.gpus.power')}>
            <MinerValue kind="watts" read={selectTotalWatts} testId="total-power" />
          </Stat>
        )}
        {hasPower && (
          <Stat label={t('ui.gpus.efficiency')}>
            <MinerValue kind="efficiency" read={selectEfficiency} testId="efficiency" />
          </Stat>
        )}
        {power !== null && hasPower && <PowerCost price={power} currency={currency} />}
        {!hasPower && <Stat label={t('ui.gpus.power')}>{t('ui.money.noPower')}</Stat>}
      </Stats>
      {hasPower && (!areAllMetered || (total.hashes > 0 && energy.meteredPart < MIN_METERED)) && (
        <p className={styles.facts} data-testid="unmetered">
          {t('ui.money.unmetered')}
        </p>
      )}
    </div>
  )
}

function PowerCost({ price, currency }: { readonly price: number; readonly currency: string }) {
  const { t, format } = useLanguage()
  const watts = useMiner((state) => Math.round(selectTotalWatts(state) ?? 0))
  const cost = (watts / WATTS_PER_KW) * DAY_HOURS * price
  return (
    <Stat label={t('ui.money.powerCost')} unit={t('ui.money.aDay')} testId="cost-day">
      {format.price(cost, currency)}
    </Stat>
  )
}

interface NoMarginProps {
  readonly cost: string
  readonly isKnown: boolean
  readonly missing: Figure
}

/** Without a price there is no margin: what power cost, if that is known, and one link to what is missing first. */
function NoMargin({ cost, isKnown, missing }: NoMarginProps) {
  const t = useText()
  const isPrice = missing.missing === 'no-lax-price' || missing.missing === 'no-power-price'
  return (
    <p className={styles.marginLine}>
      <span className={isKnown ? styles.marginFigure : styles.missing}>{cost}</span>
      {isPrice && (
        <a className={styles.link} href={hrefOf('/settings/mining')} data-testid="set-price">
          {t(isKnown && missing.missing === 'no-lax-price' ? 'ui.money.setLax' : 'ui.money.setPower')}
        </a>
      )}
    </p>
  )
}

/** The share of income that is left, or what it would be on average where nothing came. */
function partText(money: MoneyView, t: Text, format: Format): string {
  const { income, margin, expectedIncome } = money.whole.margin
  if (margin.value !== null && income.value !== null && income.value > 0)
    return t('ui.money.ofIncome', {
      percent: format.text('wholePercent', Math.max(0, (100 * margin.value) / income.value)),
    })
  const cost = money.whole.energy.cost.value
  if (expectedIncome.value === null || cost === null) return ''
  return t('ui.money.onAverage', { amount: format.price(expectedIncome.value - cost, money.prices.currency) })
}

interface SplitProps {
  readonly earned: number
  readonly cost: number
  readonly price: (value: number) => string
}

function Split({ earned, cost, price }: SplitProps) {
  const t = useText()
  const covered = Math.min(earned, cost)
  const rest = Math.abs(earned - cost)
  const label = t('ui.money.splitLabel', { cost: price(cost), earned: price(earned) })
  return (
    <div>
      <div className={styles.split} role="img" aria-label={label}>
        {covered > 0 && <i className={styles.covered} style={{ flexGrow: covered }} />}
        {rest > 0 && <i className={earned >= cost ? styles.gain : styles.short} style={{ flexGrow: rest }} />}
      </div>
      <p className={styles.keys} aria-hidden="true">
        <span>
          {t('ui.money.power')} <b>{price(cost)}</b>
        </span>
        <span>
          {t('ui.money.earned')} <b>{price(earned)}</b>
        </span>
      </p>
    </div>
  )
}

interface LuckProps {
  /** What came, in units of results: blocks, or shares. */
  readonly actual: number
  /** The mean of all possible results, > 0. */
  readonly mean: number
  /** Ends of the range that holds 95% of them. */
  readonly low: number
  readonly high: number
  /** One column per result; otherwise a curve. */
  readonly isDiscrete: boolean
  /** What a result is worth, in words: for the three numbers below. */
  readonly textOf: (result: number) => string
  readonly meanText: string
  readonly label: string
}

const TOP = 4
const TRACK = 6
const FOOT = 20
const MAX_BAR = 44
const CURVE_POINTS = 120

/** How likely each result was, the range that chance allows, its mean, and what came. */
export function Luck(props: LuckProps) {
  const [box, size] = useSize<HTMLDivElement>()
  return (
    <div ref={box} className={luckStyles.box}>
      {size !== null && <Drawing {...props} width={size.width} height={size.height} />}
    </div>
  )
}

function Drawing(props: LuckProps & { readonly width: number; readonly height: number }) {
  const { actual, low, high, mean, isDiscrete, label, width, height } = props
  const base = height - FOOT - TRACK - 3
  const x = isDiscrete ? columnScale(props) : curveScale(props)
  return (
    <svg className={luckStyles.luck} width={width} height={height} role="img" aria-label={label}>
      {isDiscrete ? <Columns {...props} base={base} x={x} /> : <Curve {...props} base={base} x={x} />}
      <g>
        <rect className={luckStyles.track} x="0" y={base + 3} width={width} height={TRACK} rx="3" />
        <rect
          className={luckStyles.range}
          x={tenth(x(low))}
          y={base + 3}
          width={tenth(x(high) - x(low))}
          height={TRACK}
          rx="3"
        />
        <circle className={luckStyles.mean} cx={tenth(x(mean))} cy={base + 3 + TRACK / 2} r="3" />
        <rect className={luckStyles.actual} x={tenth(x(actual) - 2)} y={base - 1} width="4" height={TRACK + 8} rx="2" />
      </g>
      <Numbers {...props} x={x} />
    </svg>
  )
}

type Scale = (result: number) => number
interface LuckPartProps extends LuckProps {
  readonly width: number
  readonly height: number
  readonly x: Scale
}

const lastColumn = ({ high, actual }: LuckProps): number => Math.max(high + 2, actual + 1, 4)

function columnScale(props: LuckProps & { readonly width: number }): Scale {
  const step = props.width / (lastColumn(props) + 1)
  return (result) => (result + 0.5) * step
}

const SPREAD = 3.92
function curveScale({ low, high, mean, actual, width }: LuckProps & { readonly width: number }): Scale {
  const deviation = Math.max((high - low) / SPREAD, mean * 1e-6)
  const from = Math.min(mean - 4 * deviation, actual - deviation)
  const to = Math.max(mean + 4 * deviation, actual + deviation)
  return (result) => ((result - from) / (to - from)) * width
}

function Columns(props: LuckPartProps & { readonly base: number }) {
  const { mean, low, high, actual, base, x, width } = props
  const count = lastColumn(props) + 1
  const parts = Array.from({ length: count }, (_, result) => poissonPart(mean, result))
  const most = Math.max(...parts, Number.MIN_VALUE)
  const bar = Math.min(MAX_BAR, (width / count) * 0.62)
  return parts.map((part, result) => {
    const tall = Math.max(2, (part / most) * (base - TOP))
    const look =
      result === actual ? luckStyles.own : result >= low && result <= high ? luckStyles.inside : luckStyles.outside
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is the result
        key={result}
        className={look}
        x={tenth(x(result) - bar / 2)}
        y={tenth(base - tall)}
        width={tenth(bar)}
        height={tenth(tall)}
        rx={Math.min(3, bar / 3)}
      />
    )
  })
}

function Curve({ mean, low, high, actual, base, x, width }: LuckPartProps & { readonly base: number }) {
  const deviation = Math.max((high - low) / SPREAD, mean * 1e-6)
  const y = (result: number): number => base - Math.exp(-(((result - mean) / deviation) ** 2) / 2) * (base - TOP)
  const from = mean - 4 * deviation
  const points = Array.from({ length: CURVE_POINTS + 1 }, (_, index) => from + (8 * deviation * index) / CURVE_POINTS)
  const line = (some: readonly number[]): string => some.map((each) => `L${tenth(x(each))} ${tenth(y(each))}`).join('')
  const inside = points.filter((each) => each >= low && each <= high)
  return (
    <>
      <path className={luckStyles.outside} d={`M0 ${base}${line(points)}L${width} ${base}Z`} />
      <path className={luckStyles.inside} d={`M${tenth(x(low))} ${base}${line(inside)}L${tenth(x(high))} ${base}Z`} />
      <line
        className={luckStyles.ownLine}
        x1={tenth(x(actual))}
        x2={tenth(x(actual))}
        y1={tenth(y(actual) - 4)}
        y2={base}
      />
    </>
  )
}

/** Pixels that the number of the mean needs on each side. */
const MEAN_ROOM = 70

function Numbers({ low, high, mean, textOf, meanText, x, width, height }: LuckPartProps) {
  const y = height - 3
  const hasRoom = x(mean) - x(low) > MEAN_ROOM && x(high) - x(mean) > MEAN_ROOM
  return (
    <g className={luckStyles.tick}>
      <text x={tenth(x(low))} y={y} textAnchor={x(low) < 24 ? 'start' : 'middle'}>
        {textOf(low)}
      </text>
      {hasRoom && (
        <text x={tenth(x(mean))} y={y} textAnchor="middle">
          {meanText}
        </text>
      )}
      <text x={tenth(Math.min(x(high), width))} y={y} textAnchor={x(high) > width - 40 ? 'end' : 'middle'}>
        {textOf(high)}
      </text>
    </g>
  )
}
