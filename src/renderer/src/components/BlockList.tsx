// The newest blocks, one a line.

import { memo } from 'react'
import type { BlockRowView } from '../../../contract/node'
import { hrefOf } from '../app/router'
import { useFormat, useText } from '../i18n/text'
import { Age } from './Age'
import { AmountText } from './AmountText'
import { AddressText, HashText } from './HexText'
import { ScrollRegion } from './ScrollRegion'
import styles from './Table.module.css'
import { Value } from './Value'

export interface BlockListProps {
  readonly blocks: readonly BlockRowView[]
  /** Fewer columns, for a card. */
  readonly isCompact?: boolean
}

export function BlockList({ blocks, isCompact = false }: BlockListProps) {
  const t = useText()
  return (
    <ScrollRegion className={styles.scroll} label={t('ui.node.blocks')}>
      <table className={styles.table}>
        <thead>
          <BlockHead isCompact={isCompact} />
        </thead>
        <tbody>
          {blocks.map((block) => (
            <BlockRow key={block.hash} block={block} isCompact={isCompact} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** The headings of `BlockRow`. */
export function BlockHead({ isCompact }: { readonly isCompact: boolean }) {
  const t = useText()
  return (
    <tr>
      <th scope="col">{t('ui.node.height')}</th>
      <th scope="col">{t('ui.node.age')}</th>
      {!isCompact && <th scope="col">{t('ui.node.hash')}</th>}
      <th scope="col" className={isCompact ? styles.roomy : undefined}>
        {t('ui.node.miner')}
      </th>
      <th scope="col" className={styles.number}>
        {t('ui.node.transactions')}
      </th>
      {!isCompact && (
        <>
          <th scope="col" className={styles.number}>
            {t('ui.node.gas')}
          </th>
          <th scope="col" className={styles.number}>
            {t('ui.node.difficulty')}
          </th>
          <th scope="col" className={styles.number}>
            {t('ui.node.size')}
          </th>
        </>
      )}
      <th scope="col" className={styles.number}>
        {t('ui.node.subsidy')}
      </th>
    </tr>
  )
}

/** Columns of a whole list. */
export const BLOCK_COLUMNS = 9

export const BlockRow = memo(function BlockRow({
  block,
  isCompact,
}: {
  readonly block: BlockRowView
  readonly isCompact: boolean
}) {
  const format = useFormat()
  return (
    <tr data-testid={`block-row-${block.number}`}>
      <th scope="row">
        <a href={hrefOf(`/node/block/${block.number}`)}>
          <Value kind="count" value={block.number} />
        </a>
      </th>
      <td title={format.instant(block.time)}>
        <Age time={block.time} />
      </td>
      {!isCompact && (
        <td>
          <HashText hex={block.hash} />
        </td>
      )}
      <td className={isCompact ? styles.roomy : undefined}>
        <AddressText address={block.miner} form="short" href={hrefOf(`/node/address/${block.miner}`)} />
      </td>
      <td className={styles.number}>{format.text('count', block.transactionCount)}</td>
      {!isCompact && (
        <>
          <td className={styles.number}>{format.text('percent', gasPercent(block))}</td>
          <td className={styles.number}>{format.text('difficulty', Number(block.difficulty))}</td>
          <td className={styles.number}>{format.text('bytes', block.sizeBytes)}</td>
        </>
      )}
      <td className={styles.number}>
        <AmountText wei={block.subsidy} form="list" />
      </td>
    </tr>
  )
})

function gasPercent(block: BlockRowView): number | null {
  return block.gasLimit === 0 ? null : (100 * block.gasUsed) / block.gasLimit
}
