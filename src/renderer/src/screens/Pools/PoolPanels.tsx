// Whether the job is of the tip, who finds the blocks, and what alone or together would bring: each says what it rests on.
import { useEffect, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { BlockRowView } from '../../../../contract/node'
import { AmountText } from '../../components/AmountText'
import { Card, Fact, Facts } from '../../components/Card'
import { AddressText } from '../../components/HexText'
import { StatePill } from '../../components/StatePill'
import { ErrorState, Skeleton } from '../../components/States'
import { TextField } from '../../components/TextField'
import { Value } from '../../components/Value'
import { useFormat, useText } from '../../i18n/text'
import { useEnvironment, useMiner, useNode } from '../../state/environment'
import { useExpectedPerDay } from '../../state/use-expected'
import { type Finder, findersOf, tipOf, WAITS } from './odds'
import styles from './Pools.module.css'

export function PoolPanels() {
  const hasNode = useNode((state) => state.head !== null && state.head.head !== null)
  return (
    <div className={styles.panels}>
      <TipCheck />
      <Calculator />
      {hasNode && <Dominance />}
    </div>
  )
}

function TipCheck() {
  const t = useText()
  const job = useMiner((state) => state.status?.source.height ?? null)
  const isConnected = useMiner((state) => state.status?.source.connected ?? false)
  const head = useNode((state) => state.head?.head?.number ?? null)
  const tip = tipOf({ job, head, isConnected })
  const blocks = tip === 'behind' && job !== null && head !== null ? head + 1 - job : 0
  return (
    <Card title={t('ui.pools.tip')} testId="tip-check">
      <StatePill
        tone={tip === 'on' ? 'ok' : tip === 'behind' ? 'warn' : 'neutral'}
        mark={tip === 'on' ? 'ok' : tip === 'behind' ? 'attention' : 'waiting'}
        state={tip}
      >
        {t(`ui.pools.tip.${tip}`, { blocks })}
      </StatePill>
      <Facts>
        <Fact label={t('ui.overview.jobHeight')}>
          <Value kind="count" value={job} />
        </Fact>
        <Fact label={t('ui.node.height')}>
          <Value kind="count" value={head} />
        </Fact>
      </Facts>
      <p className={styles.note}>{t('ui.pools.tipText')}</p>
    </Card>
  )
}

const USUAL_FEE = '1'
const PER_CENT_OF_WEI = 10_000n

function Calculator() {
  const t = useText()
  const format = useFormat()
  const [fee, setFee] = useState(USUAL_FEE)
  const difficulty = useNode(({ head }) => (head?.nextDifficulty == null ? null : Number(head.nextDifficulty)))
  const subsidy = useNode(({ blocks }) => blocks?.[0]?.subsidy ?? null)
  const { wei, hashrate } = useExpectedPerDay()
  const percent = /^\d{1,2}([.,]\d{1,2})?$/.test(fee.trim()) ? Number(fee.trim().replace(',', '.')) : null
  const isKnown = wei !== null && hashrate !== null && difficulty !== null && hashrate > 0
  const mean = isKnown ? difficulty / hashrate : null
  const kept = percent === null ? null : BigInt(Math.round((100 - percent) * 100))
  return (
    <Card title={t('ui.pools.calculator')} testId="calculator">
      <div className={styles.fee}>
        <TextField
          label={t('ui.pools.fee')}
          inputMode="decimal"
          maxLength={5}
          value={fee}
          onChange={setFee}
          error={percent === null ? t('ui.alarms.bounds', { min: 0, max: 99 }) : ''}
          data-testid="calculator-fee"
        />
      </div>
      {!isKnown && <p className={styles.note}>{t('ui.pools.needsNode')}</p>}
      {isKnown && mean !== null && (
        <Facts>
          <Fact label={t('ui.overview.hashrate')}>
            <Value kind="hashrate" value={hashrate} />
          </Fact>
          <Fact label={t('ui.pools.blockReward')}>
            <AmountText wei={subsidy} form="list" />
          </Fact>
          <Fact label={t('ui.pools.meanWait')}>
            <Value kind="duration" value={Math.max(1, mean)} testId="calculator-mean" />
          </Fact>
          <Fact label={t('ui.pools.waits')}>
            <span className={styles.mono}>
              {WAITS.map((factor) => format.text('duration', Math.max(1, factor * mean))).join(' / ')}
            </span>
          </Fact>
          <Fact label={t('ui.pools.soloDay')}>
            <AmountText wei={String(wei)} form="list" testId="calculator-solo" />
          </Fact>
          {kept !== null && (
            <Fact label={t('ui.pools.poolDay', { fee: fee.trim() })}>
              <AmountText wei={String((wei * kept) / PER_CENT_OF_WEI)} form="list" testId="calculator-pool" />
            </Fact>
          )}
        </Facts>
      )}
      <p className={styles.note}>{t('ui.pools.calculatorText')}</p>
    </Card>
  )
}

const FEW = 144
const MANY = 1008
const PAGE = 200
const FINDERS_SHOWN = 6

function Dominance() {
  const t = useText()
  const { blocks, error } = useLastBlocks()
  return (
    <Card title={t('ui.pools.dominance')} testId="dominance">
      {error !== '' && <ErrorState title={t('ui.pools.dominanceFailed')} reason={error} />}
      {error === '' && blocks === null && <Skeleton lines={4} />}
      {blocks !== null && <Finders blocks={blocks.slice(0, FEW)} />}
      {blocks !== null && blocks.length > FEW && <Finders blocks={blocks} />}
      <p className={styles.note}>{t('ui.pools.dominanceText')}</p>
    </Card>
  )
}

/** Read once a visit and whenever a hundred more were found: a share moves slowly. */
function useLastBlocks(): { readonly blocks: readonly BlockRowView[] | null; readonly error: string } {
  const { backend } = useEnvironment()
  const [blocks, setBlocks] = useState<readonly BlockRowView[] | null>(null)
  const [error, setError] = useState('')
  const hundreds = useNode((state) => Math.floor((state.head?.head?.number ?? 0) / 100))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a hundred further blocks are a reason to read again
  useEffect(() => {
    const life = { isOver: false }
    const read = async (): Promise<readonly BlockRowView[]> => {
      const found: BlockRowView[] = []
      while (found.length < MANY) {
        const lowest = found[found.length - 1]?.number
        if (lowest === 0) break
        const page = await backend.call('node.blocks', {
          from: lowest === undefined ? null : lowest - 1,
          count: Math.min(PAGE, MANY - found.length),
        })
        if (page.blocks.length === 0) break
        found.push(...page.blocks)
      }
      // Nobody found the first block of a chain.
      return found.filter(({ number }) => number > 0)
    }
    read().then(
      (found) => {
        if (life.isOver) return
        setBlocks(found)
        setError('')
      },
      (failure: unknown) => life.isOver || setError(messageOf(failure)),
    )
    return () => {
      life.isOver = true
    }
  }, [backend, hundreds])
  return { blocks, error }
}

function Finders({ blocks }: { readonly blocks: readonly BlockRowView[] }) {
  const t = useText()
  const finders = findersOf(blocks.map(({ miner }) => miner)).slice(0, FINDERS_SHOWN)
  return (
    <table className={styles.bars}>
      <caption className={styles.soft}>{t('ui.pools.dominanceOf', { count: blocks.length })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('ui.accounts.address')}</th>
          <th scope="col" className={styles.number}>
            {t('ui.pools.blocks')}
          </th>
          <th scope="col" className={styles.number}>
            {t('ui.pools.share')}
          </th>
          <th scope="col">{t('ui.pools.band')}</th>
        </tr>
      </thead>
      <tbody>
        {finders.map((finder) => (
          <FinderRow key={finder.address} finder={finder} />
        ))}
      </tbody>
    </table>
  )
}

function FinderRow({ finder: { address, blocks, share, low, high } }: { readonly finder: Finder }) {
  const t = useText()
  const format = useFormat()
  const percent = (ratio: number): string => format.text('wholePercent', Math.round(100 * ratio))
  return (
    <tr>
      <th scope="row">
        <AddressText address={address} form="short" />
      </th>
      <td className={styles.number}>{format.text('count', blocks)}</td>
      <td className={styles.number}>{percent(share)}</td>
      <td>
        <span className={styles.track} aria-hidden="true" style={{ display: 'block' }}>
          <span className={styles.value} style={{ inlineSize: `${100 * share}%` }} />
          <span
            className={styles.likely}
            style={{ insetInlineStart: `${100 * low}%`, inlineSize: `${100 * (high - low)}%` }}
          />
        </span>
        <span className={styles.soft}>{t('ui.pools.dominanceBand', { low: percent(low), high: percent(high) })}</span>
      </td>
    </tr>
  )
}
