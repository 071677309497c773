// Thirty days, pool or solo: how likely each number of own blocks is, and the narrow band in which a pool pays.
import { poissonPart, poissonRange } from '../../../../../base/poisson'
import { WEI_PER_LAX, WEI_PER_MICRO } from '../../../../../base/units'
import { niceTicks, tenth, useSize } from '../../../components/charts/chart-scale'
import { useFormat, useText } from '../../../i18n/text'
import styles from '../Pools.module.css'

const DAYS = 30
const DAY_S = 86_400
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
/** Standard deviations that hold 95% of values. */
const Z = 1.96

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

interface Outlook {
  /** Blocks expected, and the ends of the range that holds 95% of all results. */
  readonly mean: number
  readonly low: number
  readonly high: number
  /** LAX per block. */
  readonly each: number
  /** LAX; the second is half the width of the pool's range. */
  readonly pool: number | null
  readonly give: number | null
}

/** Thirty days at these values. */
export function outlook({ hashrate, difficulty, subsidy, fee, shareDifficulty }: VersusGiven): Outlook {
  const hashes = hashrate * DAYS * DAY_S
  const mean = hashes / difficulty
  const { low, high } = poissonRange(mean)
  const each = Number(subsidy) / Number(WEI_PER_LAX)
  const pool = fee === null ? null : mean * each * (1 - fee / 100)
  const give = pool === null || shareDifficulty === null ? null : (Z * pool) / Math.sqrt(hashes / shareDifficulty)
  return { mean, low, high, each, pool, give }
}

export function Versus({ given }: { readonly given: VersusGiven }) {
  const t = useText()
  const format = useFormat()
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
