// The state of the chain, and the balance of the accounts.
import { Blocks, Wallet } from 'lucide-react'
import { useState } from 'react'
import { Because, Card, Fact, Facts, WhyButton } from '../../components/layout/Card'
import { lazyPart } from '../../components/lazy-part'
import { AddressText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useNode, useSigner } from '../../state/environment'
import { isSyncing } from '../../state/stores/node-store'
import { Age } from '../../widgets/facts/Age'
import { AmountText } from '../../widgets/facts/AmountText'
import { BlockList } from '../../widgets/facts/BlockList'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { SyncPill } from '../../widgets/facts/SyncPill'
import { Value } from '../../widgets/facts/Value'
import styles from './Overview.module.css'

const NodeWhy = lazyPart(async () => (await import('../../widgets/why/NodeWhy')).NodeWhy)
const BalanceWhy = lazyPart(async () => (await import('../../widgets/why/BalanceWhy')).BalanceWhy)

const BLOCKS_SHOWN = 6

export function NodeCard() {
  const t = useText()
  const format = useFormat()
  const view = useNode((state) => state.head)
  const current = view?.head ?? null
  return (
    <Card
      title={t('ui.overview.node')}
      aside={
        <a className={styles.link} href={hrefOf('/node')}>
          {t('ui.overview.openNode')}
        </a>
      }
    >
      {view === null && <Skeleton lines={4} />}
      {view !== null && (
        <>
          <SyncPill />
          <Facts>
            <Fact label={t('ui.node.height')} why={<NodeWhy of="nodeHeight" />}>
              <Value kind="count" value={current?.number} />
            </Fact>
            <Fact label={t('ui.node.headAge')} why={<NodeWhy of="headAge" />}>
              <Age time={current?.time ?? null} />
            </Fact>
            <Fact label={t('ui.node.nextDifficulty')} why={<NodeWhy of="nextDifficulty" />}>
              <Value kind="difficulty" value={view.nextDifficulty === null ? null : Number(view.nextDifficulty)} />
            </Fact>
            <Fact label={t('ui.node.peers')} why={view.peers === null ? undefined : <NodeWhy of="peers" />}>
              {view.peers === null ? t('ui.node.noPeers') : format.text('count', view.peers)}
            </Fact>
          </Facts>
        </>
      )}
    </Card>
  )
}

export function BlocksCard() {
  const t = useText()
  const blocks = useNode((state) => state.blocks)
  const error = useNode((state) => state.blocksError)
  return (
    <Card title={t('ui.overview.recentBlocks')} className={styles.wide} isFlush={blocks !== null && blocks.length > 0}>
      {error !== '' && blocks === null && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {error === '' && blocks === null && <Skeleton lines={4} />}
      {blocks !== null && blocks.length === 0 && <EmptyState icon={Blocks} title={t('ui.node.noBlocks')} />}
      {blocks !== null && blocks.length > 0 && <BlockList blocks={blocks.slice(0, BLOCKS_SHOWN)} isCompact />}
    </Card>
  )
}

export function BalanceCard() {
  const t = useText()
  const coinbase = useNode((state) => state.head?.coinbase ?? null)
  const balances = useNode((state) => state.balances)
  // While the node syncs, balances are those of its current block.
  const isOld = useNode((state) => isSyncing(state.sync))
  const hasAccounts = useSigner((state) => (state.accounts?.accounts.length ?? 0) > 0)
  const account =
    balances?.accounts.find(({ address }) => address.toLowerCase() === coinbase?.toLowerCase()) ?? balances?.accounts[0]
  return (
    <Card
      title={t('ui.overview.balance')}
      aside={
        <a className={styles.link} href={hrefOf('/accounts')}>
          {t('ui.overview.allAccounts')}
        </a>
      }
    >
      {balances === null && <Skeleton lines={4} />}
      {balances !== null && account === undefined && (
        <EmptyState icon={Wallet} title={t(hasAccounts ? 'ui.accounts.noBalance' : 'ui.accounts.none')} />
      )}
      {account !== undefined && (
        <>
          <Available address={account.address} wei={account.available} />
          {isOld && balances?.asOf != null && (
            <p className={styles.hint} data-testid="balance-as-of">
              {t('ui.overview.asOf', { height: balances.asOf })}
            </p>
          )}
          <Facts>
            <Fact label={t('ui.accounts.account')}>
              <AddressText address={account.address} form="short" label={t('ui.accounts.address')} />
            </Fact>
            <Fact label={t('ui.accounts.locked')} why={<BalanceWhy of="locked" address={account.address} />}>
              <AmountText wei={account.locked} form="list" />
            </Fact>
            <Fact
              label={t('ui.accounts.nextUnlock')}
              why={account.nextUnlock === null ? undefined : <BalanceWhy of="nextUnlock" address={account.address} />}
            >
              {account.nextUnlock === null
                ? t('ui.accounts.nothingLocked')
                : t('ui.accounts.atHeight', { height: account.nextUnlock.height })}
            </Fact>
          </Facts>
        </>
      )}
    </Card>
  )
}

/** The amount is its own button: no label is beside it. */
function Available({ address, wei }: { readonly address: string; readonly wei: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div>
        <WhyButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          <AmountText wei={wei} form="list" size="lead" />
        </WhyButton>
      </div>
      {isOpen && (
        <div className={styles.because}>
          <Because>
            <BalanceWhy of="available" address={address} />
          </Because>
        </div>
      )}
    </>
  )
}
