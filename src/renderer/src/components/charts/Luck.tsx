// How likely each result was, the range that chance allows, its mean, and what came.
import { poissonPart } from '../../../../base/poisson'
import { tenth, useSize } from './chart-scale'
import styles from './Luck.module.css'

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
  /** Says it all in one sentence. */
  readonly label: string
}

const TOP = 4
const TRACK = 6
const FOOT = 20
const MAX_BAR = 44
const CURVE_POINTS = 120

export function Luck(props: LuckProps) {
  const [box, size] = useSize<HTMLDivElement>()
  return (
    <div ref={box} className={styles.box}>
      {size !== null && <Drawing {...props} width={size.width} height={size.height} />}
    </div>
  )
}

function Drawing(props: LuckProps & { readonly width: number; readonly height: number }) {
  const { actual, low, high, mean, isDiscrete, label, width, height } = props
  const base = height - FOOT - TRACK - 3
  const x = isDiscrete ? columnScale(props) : curveScale(props)
  return (
    <svg className={styles.luck} width={width} height={height} role="img" aria-label={label}>
      {isDiscrete ? <Columns {...props} base={base} x={x} /> : <Curve {...props} base={base} x={x} />}
      <g>
        <rect className={styles.track} x="0" y={base + 3} width={width} height={TRACK} rx="3" />
        <rect
          className={styles.range}
          x={tenth(x(low))}
          y={base + 3}
          width={tenth(x(high) - x(low))}
          height={TRACK}
          rx="3"
        />
        <circle className={styles.mean} cx={tenth(x(mean))} cy={base + 3 + TRACK / 2} r="3" />
        <rect className={styles.actual} x={tenth(x(actual) - 2)} y={base - 1} width="4" height={TRACK + 8} rx="2" />
      </g>
      <Numbers {...props} x={x} />
    </svg>
  )
}

type Scale = (result: number) => number
interface PartProps extends LuckProps {
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

function Columns(props: PartProps & { readonly base: number }) {
  const { mean, low, high, actual, base, x, width } = props
  const count = lastColumn(props) + 1
  const parts = Array.from({ length: count }, (_, result) => poissonPart(mean, result))
  const most = Math.max(...parts, Number.MIN_VALUE)
  const bar = Math.min(MAX_BAR, (width / count) * 0.62)
  return parts.map((part, result) => {
    const tall = Math.max(2, (part / most) * (base - TOP))
    const look = result === actual ? styles.own : result >= low && result <= high ? styles.inside : styles.outside
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

function Curve({ mean, low, high, actual, base, x, width }: PartProps & { readonly base: number }) {
  const deviation = Math.max((high - low) / SPREAD, mean * 1e-6)
  const y = (result: number): number => base - Math.exp(-(((result - mean) / deviation) ** 2) / 2) * (base - TOP)
  const from = mean - 4 * deviation
  const points = Array.from({ length: CURVE_POINTS + 1 }, (_, index) => from + (8 * deviation * index) / CURVE_POINTS)
  const line = (some: readonly number[]): string => some.map((each) => `L${tenth(x(each))} ${tenth(y(each))}`).join('')
  const inside = points.filter((each) => each >= low && each <= high)
  return (
    <>
      <path className={styles.outside} d={`M0 ${base}${line(points)}L${width} ${base}Z`} />
      <path className={styles.inside} d={`M${tenth(x(low))} ${base}${line(inside)}L${tenth(x(high))} ${base}Z`} />
      <line
        className={styles.ownLine}
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

function Numbers({ low, high, mean, textOf, meanText, x, width, height }: PartProps) {
  const y = height - 3
  const hasRoom = x(mean) - x(low) > MEAN_ROOM && x(high) - x(mean) > MEAN_ROOM
  return (
    <g className={styles.tick}>
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
