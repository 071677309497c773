// Every block of the canonical chain, newest first; only those in view are rendered and requested.
import { Blocks as BlocksIcon, GitFork } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ReorgView } from '../../../../../contract/explorer'
import type { BlockRowView } from '../../../../../contract/node'
import { Card } from '../../../components/layout/Card'
import { VirtualTable } from '../../../components/tables/VirtualTable'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'
import { Age } from '../../../widgets/facts/Age'
import { BLOCK_COLUMNS, BlockHead, BlockRow } from '../../../widgets/facts/BlockList'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/facts/States'
import { BlockFiles } from '../BlockFiles'
import { GoBack } from '../GoBack'
import styles from '../Node.module.css'

const ROW_PX = 40
const HEAD_PX = 36
/** Whole rows: a sliver of the next one would look like a fault. */
const HEIGHT_PX = HEAD_PX + 14 * ROW_PX

export function Blocks() {
  const answered = useReorgs()
  const reorgs = answered.value?.reorgs ?? NO_REORGS
  const forks = useMemo(() => new Set(reorgs.flatMap(({ removed }) => removed.map(({ number }) => number))), [reorgs])
  return (
    <>
      <BlockTable forks={forks} />
      <Reorgs reorgs={reorgs} answered={answered} />
      <BlockFiles />
      <GoBack />
    </>
  )
}

const NO_REORGS: readonly ReorgView[] = []

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

const PAGE = 100

interface BlockRows {
  /** Height of the first row; null before the first block is known. */
  readonly head: number | null
  /** Undefined while it is being read. */
  readonly at: (height: number) => BlockRowView | undefined
  /** Reads what is missing between two heights, both included. */
  readonly need: (highest: number, lowest: number) => void
}

function useBlockRows(): BlockRows {
  const { backend } = useEnvironment()
  const newest = useNode((state) => state.blocks)
  const [older, setOlder] = useState<ReadonlyMap<number, BlockRowView>>(new Map())
  /** The head at which each page was read: an answer that lacks blocks isn't requested over and over. */
  const asked = useRef(new Map<number, number>())
  const head = newest?.[0]?.number ?? null
  const covered = newest?.[newest.length - 1]?.number ?? null

  const ask = useCallback(
    async (page: number, at: number): Promise<void> => {
      asked.current.set(page, at)
      try {
        const { blocks } = await backend.call('node.blocks', { from: page * PAGE + PAGE - 1, count: PAGE })
        setOlder((before) => new Map([...before, ...blocks.map((block) => [block.number, block] as const)]))
      } catch {
        // The next scroll, or the next block, reads again.
        asked.current.delete(page)
      }
    },
    [backend],
  )
  const need = useCallback(
    (highest: number, lowest: number): void => {
      if (covered === null || head === null) return
      const wanted = new Set<number>()
      for (let height = Math.max(0, lowest); height <= Math.min(highest, covered - 1); height++)
        if (!older.has(height)) wanted.add(Math.floor(height / PAGE))
      for (const page of wanted) if (asked.current.get(page) !== head) void ask(page, head)
    },
    [ask, covered, head, older],
  )
  const at = useCallback(
    (height: number): BlockRowView | undefined =>
      head === null ? undefined : (newest?.[head - height] ?? older.get(height)),
    [newest, older, head],
  )
  return { head, at, need }
}

/** Read again at each new head, which is when a reorg can happen. */
function useReorgs() {
  const { backend } = useEnvironment()
  const mark = useNode(({ head }) => head?.head?.hash ?? '')
  const ask = useCallback(() => backend.call('node.reorgs', {}), [backend])
  return useAnswer(ask, mark)
}

interface ReorgsProps {
  readonly reorgs: readonly ReorgView[]
  readonly answered: ReturnType<typeof useReorgs>
}

function Reorgs({ reorgs, answered: { value, reason, retry } }: ReorgsProps) {
  const t = useText()
  return (
    <Card title={t('ui.node.reorgs')} testId="reorgs">
      {reason !== '' && <ErrorState title={t('ui.node.reorgsFailed')} reason={reason} onRetry={() => void retry()} />}
      {reason === '' && value === null && <Skeleton lines={1} />}
      {value !== null && reorgs.length === 0 && <p className={styles.soft}>{t('ui.node.reorgsNone')}</p>}
      {reorgs.length > 0 && (
        <ul className={styles.reorgs}>
          {reorgs.map((reorg) => (
            <Reorg key={`${reorg.at} ${reorg.added[0]?.hash}`} reorg={reorg} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Reorg({ reorg: { at, ancestor, removed, added } }: { readonly reorg: ReorgView }) {
  const t = useText()
  const format = useFormat()
  return (
    <li data-testid="reorg">
      <p className={styles.reorgHead}>
        <GitFork aria-hidden="true" />
        <span>{t('ui.node.reorgText', { count: removed.length, height: format.text('count', ancestor) })}</span>
        <span className={styles.soft}>
          <Age time={at} />
        </span>
      </p>
      <div className={styles.branches}>
        <Branch title={t('ui.node.branchLeft')} blocks={removed} />
        <Branch title={t('ui.node.branchTaken')} blocks={added} />
      </div>
    </li>
  )
}

function Branch({ title, blocks }: { readonly title: string; readonly blocks: readonly BlockRowView[] }) {
  const format = useFormat()
  return (
    <section aria-label={title}>
      <h3 className={styles.branchTitle}>{title}</h3>
      <ol className={styles.branch}>
        {blocks.map(({ hash, number, miner }) => (
          <li key={hash}>
            <span>{format.text('count', number)}</span>
            <HashText hex={hash} href={hrefOf(`/node/block/${hash}`)} />
            <AddressText address={miner} form="short" href={hrefOf(`/node/address/${miner}`)} />
          </li>
        ))}
      </ol>
    </section>
  )
}
