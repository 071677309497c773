// The latest blocks, one per line.

import { GitFork } from 'lucide-react'
import { memo } from 'react'
import type { BlockRowView } from '../../../../contract/node'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import table from '../../components/tables/Table.module.css'
import { AddressText, HashText } from '../../components/values/HexText'
import { useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import styles from './BlockList.module.css'
import { Age, AmountText, Value } from './Value'

interface BlockListProps {
  readonly blocks: readonly BlockRowView[]
  /** Fewer columns, for a card. */
  readonly isCompact?: boolean
}

export function BlockList({ blocks, isCompact = false }: BlockListProps) {
  const t = useText()
  return (
    <ScrollRegion className={table.scroll} label={t('ui.node.blocks')}>
      <table className={table.table}>
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

export function BlockHead({ isCompact }: { readonly isCompact: boolean }) {
  const t = useText()
  return (
    <tr>
      <th scope="col">{t('ui.node.height')}</th>
      <th scope="col">{t('ui.node.age')}</th>
      {!isCompact && (
        <th scope="col" className={styles.hash}>
          {t('ui.node.hash')}
        </th>
      )}
      <th scope="col" className={table.roomy}>
        {t('ui.node.miner')}
      </th>
      <th scope="col" className={table.number}>
        {t('ui.node.transactions')}
      </th>
      {!isCompact && (
        <>
          <th scope="col" className={`${table.number} ${table.roomy}`}>
            {t('ui.node.gas')}
          </th>
          <th scope="col" className={`${table.number} ${table.roomy}`}>
            {t('ui.node.difficulty')}
          </th>
          <th scope="col" className={`${table.number} ${table.spare}`}>
            {t('ui.node.size')}
          </th>
        </>
      )}
      <th scope="col" className={table.number}>
        {t('ui.node.subsidy')}
      </th>
    </tr>
  )
}

export const BLOCK_COLUMNS = 9

export const BlockRow = memo(function BlockRow({
  block,
  isCompact,
  hasFork = false,
}: {
  readonly block: BlockRowView
  readonly isCompact: boolean
  /** A different block was at this height before. */
  readonly hasFork?: boolean
}) {
  const { t, format } = useLanguage()
  return (
    <tr data-testid={`block-row-${block.number}`}>
      <th scope="row">
        <a href={hrefOf(`/node/block/${block.number}`)}>
          <Value kind="count" value={block.number} />
        </a>
        {hasFork && (
          <span className={styles.fork} data-testid={`block-fork-${block.number}`} title={t('ui.node.hasFork')}>
            <GitFork aria-hidden="true" />
            <span className="visually-hidden">{t('ui.node.hasFork')}</span>
          </span>
        )}
      </th>
      <td title={format.instant(block.time)}>
        <Age time={block.time} />
      </td>
      {!isCompact && (
        <td className={styles.hash}>
          <HashText hex={block.hash} />
        </td>
      )}
      <td className={table.roomy}>
        <AddressText address={block.miner} form="short" href={hrefOf(`/node/address/${block.miner}`)} />
      </td>
      <td className={table.number}>{format.text('count', block.transactionCount)}</td>
      {!isCompact && (
        <>
          <td className={`${table.number} ${table.roomy}`}>{format.text('percent', gasPercent(block))}</td>
          <td className={`${table.number} ${table.roomy}`}>{format.text('difficulty', Number(block.difficulty))}</td>
          <td className={`${table.number} ${table.spare}`}>{format.text('bytes', block.sizeBytes)}</td>
        </>
      )}
      <td className={table.number}>
        <AmountText wei={block.subsidy} form="list" />
      </td>
    </tr>
  )
})

function gasPercent(block: BlockRowView): number | null {
  return block.gasLimit === 0 ? null : (100 * block.gasUsed) / block.gasLimit
}
