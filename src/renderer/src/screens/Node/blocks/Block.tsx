// One block: header fields, reward and when it matures, transactions.
import { GitFork, SearchX } from 'lucide-react'
import type { BlockView } from '../../../../../contract/node'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { Note } from '../../../components/layout/Note'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useLanguage, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAttempt, useCall } from '../../../state/answers/use-answer'
import { useEnvironment } from '../../../state/environment'
import { Button, Failure } from '../../../widgets/controls/Button'
import { AnswerState, EmptyState } from '../../../widgets/facts/States'
import { Age, AmountText, Value } from '../../../widgets/facts/Value'
import { BlockWhy } from '../../../widgets/why/BlockWhy'
import { BackLink, Screen } from '../../Screen'
import styles from '../Node.module.css'
import { TransactionList } from './TransactionList'

export function BackToNode() {
  const t = useText()
  return <BackLink route="/node">{t('ui.nav.node')}</BackLink>
}

export function Block({ id }: { readonly id: string }) {
  const t = useText()
  const answer = useCall('node.block', { id: /^\d{1,15}$/.test(id) ? Number(id) : id })
  const block = answer.value?.block
  return (
    <>
      <BackToNode />
      <AnswerState answer={answer} failed="ui.node.blockFailed" lines={8} />
      {block === null && <EmptyState icon={SearchX} title={t('ui.node.noSuchBlock')} />}
      {block != null && <BlockPage block={block} onRead={(more) => answer.replace({ block: more })} />}
    </>
  )
}

interface BlockProps {
  readonly block: BlockView
  /** With more of its transactions; null: it isn't there anymore. */
  readonly onRead: (block: BlockView | null) => void
}

function BlockPage({ block, onRead }: BlockProps) {
  const { t, format } = useLanguage()
  return (
    <Screen
      title={t('ui.node.blockTitle', { height: format.text('count', block.number) })}
      actions={
        <span className={styles.around}>
          {block.number > 0 && <a href={hrefOf(`/node/block/${block.number - 1}`)}>{t('ui.node.previous')}</a>}
          <a href={hrefOf(`/node/block/${block.number + 1}`)}>{t('ui.node.following')}</a>
        </span>
      }
    >
      {!block.isCanonical && (
        <Note
          tone="warn"
          icon={GitFork}
          testId="block-replaced"
          action={<a href={hrefOf(`/node/block/${block.number}`)}>{t('ui.node.replacedBy')}</a>}
        >
          {t('ui.node.replaced')}
        </Note>
      )}
      <div className={styles.cards}>
        <SummaryCard block={block} />
        <WorkCard block={block} />
      </div>
      <Card title={t('ui.node.transactions')} isFlush>
        <TransactionList transactions={block.transactions} />
        {block.transactions.length < block.transactionCount && <Further block={block} onRead={onRead} />}
      </Card>
      <RootsCard block={block} />
    </Screen>
  )
}

/** A block may have tens of thousands: the others are read on request. */
function Further({ block, onRead }: BlockProps) {
  const { t, format } = useLanguage()
  const { backend } = useEnvironment()
  const { isBusy, failure, run } = useAttempt()
  const { hash, transactions } = block
  const go = async (): Promise<void> => {
    const { block: next } = await backend.call('node.block', { id: hash, from: transactions.length })
    onRead(next && { ...next, transactions: [...transactions, ...next.transactions] })
  }
  return (
    <div className={styles.further}>
      <span className={styles.soft} data-testid="block-shown">
        {t('ui.node.transactionsShown', {
          shown: format.text('count', block.transactions.length),
          total: format.text('count', block.transactionCount),
        })}
      </span>
      <Button needsContact isBusy={isBusy} data-testid="block-further" onClick={() => run(go)}>
        {t('ui.node.transactionsFurther')}
      </Button>
      <Failure text={failure} />
    </div>
  )
}

function SummaryCard({ block }: { readonly block: BlockView }) {
  const { t, format } = useLanguage()
  return (
    <Card title={t('ui.node.summary')} testId="block-detail">
      <Facts>
        <Fact label={t('ui.node.hash')}>
          <HashText hex={block.hash} isFull label={t('ui.node.hash')} />
        </Fact>
        <Fact label={t('ui.node.time')}>
          {format.moment(block.time)} (<Age time={block.time} />)
        </Fact>
        <Fact label={t('ui.node.miner')}>
          <AddressText
            address={block.miner}
            form="grouped"
            label={t('ui.node.miner')}
            href={hrefOf(`/node/address/${block.miner}`)}
          />
        </Fact>
        <Fact label={t('ui.node.reward')} why={<BlockWhy of="reward" block={block} />}>
          <AmountText wei={rewardOf(block)} form="exact" testId="block-reward" />
        </Fact>
        <Fact label={t('ui.node.subsidy')} why={<BlockWhy of="subsidy" block={block} />}>
          <AmountText wei={block.subsidy} form="exact" />
        </Fact>
        <Fact label={t('ui.node.fees')} why={<BlockWhy of="blockFees" block={block} />}>
          <AmountText wei={block.fees} form="exact" testId="block-fees" />
        </Fact>
        {block.isCanonical && block.subsidy !== '0' && (
          <Fact label={t('ui.node.unlock')} why={<BlockWhy of="unlock" block={block} />}>
            <Value kind="count" value={block.unlockHeight} />
          </Fact>
        )}
        <Fact label={t('ui.node.gas')} why={<BlockWhy of="blockGas" block={block} />}>
          {t('ui.node.gasOf', {
            used: format.text('count', block.gasUsed),
            limit: format.text('count', block.gasLimit),
          })}
        </Fact>
        <Fact label={t('ui.node.size')} why={<BlockWhy of="blockSize" block={block} />}>
          <Value kind="bytes" value={block.sizeBytes} />
        </Fact>
      </Facts>
    </Card>
  )
}

/** wei; null if the fees aren't known. */
function rewardOf({ subsidy, fees }: BlockView): string | null {
  return fees === null ? null : (BigInt(subsidy) + BigInt(fees)).toString()
}

/** The highest valid proof-of-work hash: 2^256 divided by the difficulty. */
function targetOf({ difficulty }: BlockView): string {
  const number = BigInt(difficulty)
  const target = number <= 1n ? 2n ** 256n - 1n : 2n ** 256n / number
  return `0x${target.toString(16).padStart(64, '0')}`
}

function WorkCard({ block }: { readonly block: BlockView }) {
  const { t, format } = useLanguage()
  return (
    <Card title={t('ui.node.work')}>
      <Facts>
        <Fact label={t('ui.node.difficulty')} why={<BlockWhy of="blockDifficulty" block={block} />}>
          <Value kind="difficulty" value={Number(block.difficulty)} />
        </Fact>
        <Fact label={t('ui.node.totalDifficulty')} why={<BlockWhy of="totalDifficulty" block={block} />}>
          <Value kind="difficulty" value={Number(block.totalDifficulty)} />
        </Fact>
        <Fact label={t('ui.node.target')} why={<BlockWhy of="target" block={block} />}>
          <HashText hex={targetOf(block)} isFull />
        </Fact>
        <Fact label={t('ui.node.epoch')} why={<BlockWhy of="epoch" block={block} />}>
          <Value kind="count" value={block.epoch} />
        </Fact>
        <Fact label={t('ui.node.epochStart')}>{format.moment(block.epochStartTime)}</Fact>
        <Fact label={t('ui.node.nonce')}>
          <HashText hex={block.nonce} isFull />
        </Fact>
        <Fact label={t('ui.node.sealHash')}>
          <HashText hex={block.sealHash} isFull />
        </Fact>
        <Fact label={t('ui.node.mixDigest')}>
          <HashText hex={block.mixDigest} isFull />
        </Fact>
      </Facts>
    </Card>
  )
}

function RootsCard({ block }: { readonly block: BlockView }) {
  const t = useText()
  const rows = [
    ['parent', block.parentHash],
    ['stateRoot', block.stateRoot],
    ['transactionsRoot', block.transactionsRoot],
    ['receiptsRoot', block.receiptsRoot],
    ['extraData', block.extraData],
  ] as const
  return (
    <Card title={t('ui.node.header')}>
      <Facts>
        {rows.map(([name, hex]) => (
          <Fact key={name} label={t(`ui.node.${name}`)}>
            <HashText hex={hex} isFull {...(name === 'parent' ? { href: hrefOf(`/node/block/${hex}`) } : {})} />
          </Fact>
        ))}
      </Facts>
    </Card>
  )
}
