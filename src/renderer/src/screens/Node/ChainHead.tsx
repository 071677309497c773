// The height as the page's figure, how long the last blocks took, and how fast the peers answer.
import { useMemo } from 'react'
import { tenth, useSize } from '../../components/charts/chart-scale'
import { Stat, Stats } from '../../components/layout/Card'
import { useFormat, useLanguage } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useRecentBlocks } from '../../state/earnings/rewards'
import { useApp, useNode, useSigner } from '../../state/environment'
import { SyncPill } from '../../widgets/facts/SyncPill'
import { Age, Value } from '../../widgets/facts/Value'
import styles from './ChainHead.module.css'

const MS_PER_S = 1000
const BLOCKS = 144
/** A peer that last announced a block this far below ours counts as having announced an older one. */
const BEHIND = 3

export function ChainHead() {
  const { t, format } = useLanguage()
  const view = useNode((state) => state.head)
  const peers = usePeerCounts()
  if (view === null) return null
  const { head, nextDifficulty, targetSpacingSeconds, pending } = view
  const rate = nextDifficulty === null ? null : Number(nextDifficulty) / targetSpacingSeconds
  return (
    <section className={styles.top} data-testid="node-head">
      <div>
        <SyncPill />
        <div className={styles.hero}>
          <p className={styles.big} data-testid="head-number" data-value={head?.number ?? ''}>
            {head === null ? '–' : format.text('count', head.number)}
          </p>
          <p className={styles.say}>
            {head !== null && (
              <strong>
                {t('ui.node.headAge')} <Age time={head.time} />
              </strong>
            )}
            {peers !== null && (
              <>
                <br />
                {t('ui.node.agree', peers)}
              </>
            )}
          </p>
        </div>
      </div>
      <Stats>
        <Stat label={t('ui.node.peers')}>{view.peers === null ? '–' : format.text('count', view.peers)}</Stat>
        <Stat label={t('ui.node.nextDifficulty')}>
          <Value kind="difficulty" value={nextDifficulty === null ? null : Number(nextDifficulty)} />
        </Stat>
        <Stat label={t('ui.node.network')}>
          <Value kind="hashrate" value={rate} />
        </Stat>
        <Stat label={t('ui.node.pendingCount')}>
          <Value kind="count" value={pending} />
        </Stat>
      </Stats>
    </section>
  )
}

function isBehind(theirs: { readonly number: number | null }, own: { readonly number: number } | null): boolean {
  return own !== null && theirs.number !== null && own.number - theirs.number > BEHIND
}

/** How many peers have our head or one near it; null on a network without peers. */
function usePeerCounts(): { readonly count: number; readonly all: number; readonly behind: number } | null {
  const { peers, head } = useNode((state) => ({ peers: state.peers?.peers ?? null, head: state.head?.head ?? null }))
  if (peers === null || head === null || peers.length === 0) return null
  const behind = peers.filter((peer) => isBehind(peer.head, head)).length
  const count = peers.filter(
    (peer) => peer.head.hash === head.hash || (peer.head.number !== null && !isBehind(peer.head, head)),
  ).length
  return { count, all: peers.length, behind }
}

/** One bar per block, as high as the time it took; yours are gold. */
export function BlockBars() {
  const { t, format } = useLanguage()
  const { blocks } = useRecentBlocks()
  const own = useOwnAddresses()
  const target = useNode((state) => state.head?.targetSpacingSeconds ?? null)
  const bars = useMemo(() => barsOf(blocks, own), [blocks, own])
  if (bars.length < 2 || target === null) return null
  const mean = bars.reduce((sum, { seconds }) => sum + seconds, 0) / bars.length
  const seconds = Math.round(mean)
  const label = t('ui.node.barsLabel', {
    count: bars.length,
    mean: format.text('duration', seconds),
    own: bars.filter(({ isOwn }) => isOwn).length,
  })
  return (
    <section className={styles.panel} aria-label={label} data-testid="block-bars">
      <p className={styles.head}>
        <span className={styles.name}>{t('ui.node.lastBlocks', { count: bars.length })}</span>
        <span className={styles.figure}>
          <Value kind="duration" value={seconds} />
          <small>{t('ui.node.apart')}</small>
        </span>
        <span className={styles.note}>{t('ui.node.targetTime', { time: format.text('duration', target) })}</span>
      </p>
      <Bars bars={bars} target={target} label={label} />
    </section>
  )
}

interface Bar {
  readonly number: number
  /** UTC ms. */
  readonly at: number
  /** Since the block before it. */
  readonly seconds: number
  readonly isOwn: boolean
}

function useOwnAddresses(): string {
  const accounts = useSigner((state) =>
    (state.accounts?.accounts ?? []).map(({ address }) => address.toLowerCase()).join(),
  )
  const coinbase = useNode((state) => state.head?.coinbase?.toLowerCase() ?? '')
  return `${accounts},${coinbase}`
}

/** Oldest first; the genesis block's time was set long before. */
function barsOf(
  blocks: readonly { readonly number: number; readonly time: number; readonly miner: string }[],
  own: string,
): readonly Bar[] {
  const addresses = new Set(own.split(',').filter((address) => address !== ''))
  const newest = blocks.slice(0, BLOCKS + 1)
  return newest
    .flatMap(({ number, time, miner }, place): readonly Bar[] => {
      const before = newest[place + 1]
      if (before === undefined || before.number === 0) return []
      const isOwn = addresses.has(miner.toLowerCase())
      return [{ number, at: time, seconds: Math.max(0, (time - before.time) / MS_PER_S), isOwn }]
    })
    .reverse()
}

const FOOT = 18
/** Pixels of a bar: a young chain has few. */
const WIDEST = 32
/** Times are labelled this many pixels apart. */
const LABEL_PX = 110

/** Numbers of the blocks whose time is written: about one in `every`, and no time twice. */
function marksOf(bars: readonly Bar[], every: number, clock: (ms: number) => string): ReadonlySet<number> {
  const candidates = bars.filter((_, place) => (bars.length - 1 - place) % every === Math.floor(every / 2))
  return new Set(
    candidates
      .filter(({ at }, place) => place === 0 || clock(at) !== clock(candidates[place - 1]?.at ?? 0))
      .map(({ number }) => number),
  )
}

/** Below its bar, but within the chart. */
function labelAt(x: number, width: number): { readonly x: number; readonly textAnchor: 'start' | 'middle' | 'end' } {
  if (x < LABEL_PX / 4) return { x: 0, textAnchor: 'start' }
  return x > width - LABEL_PX / 4 ? { x: width, textAnchor: 'end' } : { x: tenth(x), textAnchor: 'middle' }
}

function Bars({
  bars,
  target,
  label,
}: {
  readonly bars: readonly Bar[]
  readonly target: number
  readonly label: string
}) {
  const format = useFormat()
  const [box, size] = useSize<HTMLDivElement>()
  if (size === null) return <div ref={box} className={styles.bars} />
  const { width, height } = size
  const sorted = bars.map(({ seconds }) => seconds).sort((a, b) => a - b)
  // One block in fifty may be cut: an hour's wait would flatten all others.
  const most = Math.max(2 * target, sorted[Math.floor(0.98 * (sorted.length - 1))] ?? 0)
  const step = width / bars.length
  const wide = Math.max(1, Math.min(WIDEST, step * 0.76))
  // A block within the same second is still a line.
  const tall = (seconds: number): number => Math.max(1.5, (height - FOOT - 6) * Math.min(1, seconds / most))
  const targetY = tenth(height - FOOT - tall(target))
  const marks = marksOf(bars, Math.max(1, Math.ceil(LABEL_PX / step)), format.clock)
  return (
    <div ref={box} className={styles.bars}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and what is in an image cannot be pressed */}
      <svg width={width} height={height} role="group" aria-label={label}>
        {bars.map(({ number, at, seconds, isOwn }, place) => (
          <g key={number} className={isOwn ? styles.own : styles.bar}>
            {/* biome-ignore lint/a11y/useAnchorContent: the list below has the same links with their words */}
            <a href={hrefOf(`/node/block/${number}`)} tabIndex={-1} aria-hidden="true">
              <rect
                x={tenth((place + 0.5) * step - wide / 2)}
                y={tenth(height - FOOT - tall(seconds))}
                width={tenth(wide)}
                height={tenth(tall(seconds))}
                rx={Math.min(2, step / 4)}
              >
                <title>{`${format.text('count', number)}, ${format.text('duration', Math.round(seconds))}`}</title>
              </rect>
            </a>
            {marks.has(number) && (
              <text className={styles.tick} {...labelAt(place * step + step / 2, width)} y={height - 4}>
                {format.clock(at)}
              </text>
            )}
          </g>
        ))}
        <line className={styles.target} x1="0" x2={width} y1={targetY} y2={targetY} />
      </svg>
    </div>
  )
}

/** Peers as dots by the time they take to answer. */
export function PeerDots() {
  const { t, format } = useLanguage()
  const { peers, head } = useNode((state) => ({ peers: state.peers?.peers ?? null, head: state.head?.head ?? null }))
  const rpc = useApp((state) => state.info?.endpoints.rpc ?? null)
  if (peers === null || peers.length === 0) return null
  const dots = peers.flatMap(({ id, latencyMs, direction, head: theirs }): readonly Dot[] =>
    latencyMs === null ? [] : [{ id, ms: latencyMs, look: isBehind(theirs, head) ? 'behind' : direction }],
  )
  const sorted = dots.map(({ ms }) => ms).sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? null
  const counted = (look: string): number => peers.filter(({ direction }) => direction === look).length
  return (
    <section className={styles.panel} data-testid="peer-dots">
      <p className={styles.head}>
        <span className={styles.name}>{t('ui.node.peers')}</span>
        {median !== null && (
          <span className={styles.figure}>
            {format.text('count', Math.round(median))}
            <small>ms {t('ui.node.median')}</small>
          </span>
        )}
      </p>
      <Dots dots={dots} label={t('ui.node.dotsLabel', { count: dots.length, median: Math.round(median ?? 0) })} />
      <dl className={styles.counts}>
        <Count look="outbound" label={t('ui.node.dialed')} value={format.text('count', counted('outbound'))} />
        <Count look="inbound" label={t('ui.node.dialedYou')} value={format.text('count', counted('inbound'))} />
        <Count
          look="behind"
          label={t('ui.node.behind')}
          value={format.text('count', peers.filter((peer) => isBehind(peer.head, head)).length)}
        />
      </dl>
      {rpc !== null && (
        <p className={styles.rpc}>
          JSON-RPC <code>{rpc}</code>
        </p>
      )}
    </section>
  )
}

interface Dot {
  readonly id: string
  readonly ms: number
  readonly look: 'outbound' | 'inbound' | 'behind'
}

const RADIUS = 4.5
const FASTEST_MS = 5
const SLOWEST_MS = 1_000

/** On a logarithmic axis; those that would cover each other are stacked. */
function Dots({ dots, label }: { readonly dots: readonly Dot[]; readonly label: string }) {
  const [box, size] = useSize<HTMLDivElement>()
  if (size === null) return <div ref={box} className={styles.dots} />
  const { width, height } = size
  const span = Math.log(SLOWEST_MS / FASTEST_MS)
  const x = (ms: number): number =>
    12 + (Math.log(Math.min(SLOWEST_MS, Math.max(FASTEST_MS, ms)) / FASTEST_MS) / span) * (width - 24)
  const columns = new Map<number, number>()
  return (
    <div ref={box} className={styles.dots}>
      <svg width={width} height={height} role="img" aria-label={label}>
        {[10, 30, 100, 300].map((ms) => (
          <g key={ms}>
            <line className={styles.grid} x1={tenth(x(ms))} x2={tenth(x(ms))} y1="0" y2={height - FOOT} />
            <text className={styles.tick} x={tenth(x(ms))} y={height - 3} textAnchor="middle">
              {`${ms} ms`}
            </text>
          </g>
        ))}
        {[...dots]
          .sort((a, b) => a.ms - b.ms)
          .map(({ id, ms, look }) => {
            const column = Math.round(x(ms) / (2 * RADIUS + 1))
            const place = columns.get(column) ?? 0
            columns.set(column, place + 1)
            const cy = height - FOOT - RADIUS - 2 - place * (2 * RADIUS + 2)
            return (
              <circle
                key={id}
                className={styles[look]}
                cx={column * (2 * RADIUS + 1)}
                cy={Math.max(RADIUS, cy)}
                r={RADIUS}
              />
            )
          })}
      </svg>
    </div>
  )
}

function Count({ look, label, value }: { readonly look: Dot['look']; readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>
        <svg width="11" height="11" aria-hidden="true">
          <circle className={styles[look]} cx="5.5" cy="5.5" r={RADIUS} />
        </svg>
        {label}
      </dt>
      <dd>{value}</dd>
    </div>
  )
}
