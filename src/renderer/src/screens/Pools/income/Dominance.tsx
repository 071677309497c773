// Who finds the blocks, how uncertain that is with so few, and which finders belong to the active pool.
import { useState } from 'react'
import type { BlockRowView } from '../../../../../contract/node'
import { Because, Card, WhyButton } from '../../../components/layout/Card'
import { AddressText } from '../../../components/values/HexText'
import { shortHex } from '../../../format/bytes-text'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useOperation } from '../../../state/environment'
import { ErrorState, Skeleton } from '../../../widgets/facts/States'
import { type WhyRow, WhyText } from '../../../widgets/why/WhyText'
import styles from '../Pools.module.css'
import { type Finder, findersOf, shareOf } from './odds'
import { FEW, type LastBlocks } from './use-last-blocks'

const FINDERS_SHOWN = 6
const NOBODY: readonly string[] = []

export function Dominance({ last: { blocks, error, ask } }: { readonly last: LastBlocks }) {
  const t = useText()
  return (
    <Card title={t('ui.pools.dominance')} testId="dominance">
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} onRetry={ask} />}
      {error === '' && blocks === null && <Skeleton lines={4} />}
      {blocks !== null && blocks.length === 0 && <p className={styles.soft}>{t('ui.node.noBlocks')}</p>}
      {blocks !== null && blocks.length > 0 && <Finders blocks={blocks.slice(0, FEW)} />}
      {blocks !== null && blocks.length > FEW && <Finders blocks={blocks} />}
      <p className={styles.note}>{t('ui.pools.dominanceText')}</p>
    </Card>
  )
}

function Finders({ blocks }: { readonly blocks: readonly BlockRowView[] }) {
  const t = useText()
  const coinbases = useOperation((state) => state.poolHead?.coinbases ?? NOBODY)
  const ofPool = new Set(coinbases.map((address) => address.toLowerCase()))
  const all = findersOf(blocks.map(({ miner }) => miner))
  const finders = all.slice(0, FINDERS_SHOWN)
  const [explained, setExplained] = useState<FinderWhyProps['of'] | null>(null)
  const why = (name: FinderWhyProps['of']) => ({
    isOpen: explained === name,
    onToggle: () => setExplained(explained === name ? null : name),
  })
  return (
    <>
      <table className={styles.bars}>
        <caption className={styles.soft}>{t('ui.pools.dominanceOf', { count: blocks.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('ui.accounts.address')}</th>
            <th scope="col" className={styles.number}>
              {t('ui.pools.blocks')}
            </th>
            <th scope="col" className={styles.number}>
              <WhyButton {...why('finderShare')}>{t('ui.pools.share')}</WhyButton>
            </th>
            <th scope="col">
              <WhyButton {...why('finderBand')}>{t('ui.pools.band')}</WhyButton>
            </th>
          </tr>
        </thead>
        <tbody>
          {finders.map((finder) => (
            <FinderRow key={finder.address} finder={finder} isOfPool={ofPool.has(finder.address)} />
          ))}
        </tbody>
      </table>
      {explained !== null && (
        <div className={styles.soft}>
          <Because>
            <FinderWhy of={explained} finders={all} count={blocks.length} />
          </Because>
        </div>
      )}
      {ofPool.size > 0 && <PoolShare blocks={blocks} ofPool={ofPool} />}
    </>
  )
}

interface FinderWhyProps {
  readonly of: 'finderShare' | 'finderBand'
  readonly finders: readonly Finder[]
  /** All blocks that were counted. */
  readonly count: number
}

/** The blocks of each finder, with all that have no row of their own: they add up to those counted. */
function FinderWhy({ of, finders, count }: FinderWhyProps) {
  const t = useText()
  const format = useFormat()
  const shown = finders.slice(0, FINDERS_SHOWN)
  const rest = finders.slice(FINDERS_SHOWN).reduce((sum, { blocks }) => sum + blocks, 0)
  const rows: readonly WhyRow[] = [
    ...shown.map(({ address, blocks }) => ({
      label: shortHex(address),
      value: format.text('count', blocks),
      isForeign: true,
    })),
    ...(rest === 0 ? [] : [{ label: t('ui.why.row.otherFinders'), value: format.text('count', rest) }]),
    { label: t('ui.why.row.sum'), value: format.text('count', count), isResult: true },
  ]
  return <WhyText of={of} rows={of === 'finderShare' ? rows : []} />
}

/** The counts behind the miner's warning. */
function PoolShare(props: { readonly blocks: readonly BlockRowView[]; readonly ofPool: ReadonlySet<string> }) {
  const t = useText()
  const percent = usePercent()
  const { blocks, ofPool } = props
  const own = blocks.filter(({ miner }) => ofPool.has(miner.toLowerCase())).length
  const { share, low, high } = shareOf(own, blocks.length)
  const values = { own, count: blocks.length, share: percent(share), low: percent(low), high: percent(high) }
  return (
    <p className={styles.soft} data-testid="dominance-pool" data-value={own}>
      {t('ui.pools.dominancePool', values)}
    </p>
  )
}

function usePercent(): (ratio: number) => string {
  const format = useFormat()
  return (ratio) => format.text('percent', 100 * ratio)
}

interface FinderRowProps {
  readonly finder: Finder
  readonly isOfPool: boolean
}

function FinderRow({ finder: { address, blocks, share, low, high }, isOfPool }: FinderRowProps) {
  const t = useText()
  const format = useFormat()
  const percent = usePercent()
  return (
    <tr>
      <th scope="row">
        <AddressText address={address} form="short" href={hrefOf(`/node/address/${address}`)} />
        {isOfPool && <span className={styles.mark}>{t('ui.pools.ofPool')}</span>}
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
