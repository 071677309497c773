// Every block of the canonical chain, newest first; only those in view are rendered and requested.
import { Blocks as BlocksIcon } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { Card } from '../../../components/layout/Card'
import { VirtualTable } from '../../../components/tables/VirtualTable'
import { useFormat, useText } from '../../../i18n/text'
import { useNode } from '../../../state/environment'
import { useBlockRows } from '../../../state/use-block-rows'
import { BLOCK_COLUMNS, BlockHead, BlockRow } from '../../../widgets/facts/BlockList'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/facts/States'
import { BlockFiles } from '../BlockFiles'
import { GoBack } from '../GoBack'
import styles from '../Node.module.css'
import { Reorgs, useReorgs } from './Reorgs'

const ROW_PX = 40
const HEIGHT_PX = 600

export function Blocks() {
  const reorgs = useReorgs()
  const forks = useMemo(() => new Set(reorgs.flatMap(({ removed }) => removed.map(({ number }) => number))), [reorgs])
  return (
    <>
      <BlockTable forks={forks} />
      <Reorgs reorgs={reorgs} />
      <BlockFiles />
      <GoBack />
    </>
  )
}

/** @param forks heights at which a different block was canonical before */
function BlockTable({ forks }: { readonly forks: ReadonlySet<number> }) {
  const t = useText()
  const format = useFormat()
  const { head, at, need } = useBlockRows()
  const error = useNode((state) => state.blocksError)
  const onRange = useCallback(
    (first: number, last: number) => head !== null && need(head - first, head - last),
    [head, need],
  )
  return (
    <Card title={t('ui.node.allBlocks')} isFlush={head !== null} testId="node-blocks">
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {head === null && error === '' && <Waiting />}
      {head !== null && (
        <VirtualTable
          label={t('ui.node.allBlocks')}
          count={head + 1}
          rowPx={ROW_PX}
          heightPx={HEIGHT_PX}
          head={<BlockHead isCompact={false} />}
          onRange={onRange}
          row={(index) => {
            const height = head - index
            const block = at(height)
            if (block !== undefined)
              return <BlockRow key={height} block={block} isCompact={false} hasFork={forks.has(height)} />
            return (
              <tr key={height}>
                <th scope="row">{format.text('count', height)}</th>
                <td colSpan={BLOCK_COLUMNS - 1} className={styles.soft}>
                  {t('ui.node.blockLoading')}
                </td>
              </tr>
            )
          }}
        />
      )}
    </Card>
  )
}

function Waiting() {
  const t = useText()
  const isEmpty = useNode((state) => state.blocks?.length === 0)
  return isEmpty ? <EmptyState icon={BlocksIcon} title={t('ui.node.noBlocks')} /> : <Skeleton lines={8} />
}
