// Reorgs since the node started: when blocks were replaced, with both branches.
import { GitFork } from 'lucide-react'
import { useCallback } from 'react'
import type { ReorgView } from '../../../../../contract/explorer'
import type { BlockRowView } from '../../../../../contract/node'
import { Card } from '../../../components/layout/Card'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'
import { Age } from '../../../widgets/facts/Age'
import styles from '../Node.module.css'

/** Read again at each new head, which is when a reorg can happen. Empty until it is known. */
export function useReorgs(): readonly ReorgView[] {
  const { backend } = useEnvironment()
  const mark = useNode(({ head }) => head?.head?.hash ?? '')
  const ask = useCallback(() => backend.call('node.reorgs', {}), [backend])
  return useAnswer(ask, mark).value?.reorgs ?? []
}

export function Reorgs({ reorgs }: { readonly reorgs: readonly ReorgView[] }) {
  const t = useText()
  return (
    <Card title={t('ui.node.reorgs')} testId="reorgs">
      {reorgs.length === 0 && <p className={styles.soft}>{t('ui.node.reorgsNone')}</p>}
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
