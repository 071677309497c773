// What mining earns, where the work comes from, how the chain stands, and what the accounts hold.
import { Blocks, Wallet } from 'lucide-react'
import { hrefOf } from '../../app/router'
import { Age } from '../../components/Age'
import { AmountText } from '../../components/AmountText'
import { BlockList } from '../../components/BlockList'
import { Card, Fact, Facts } from '../../components/Card'
import { AddressText, ForeignText } from '../../components/HexText'
import { StatePill } from '../../components/StatePill'
import { EmptyState, ErrorState, Skeleton } from '../../components/States'
import { SyncPill } from '../../components/SyncPill'
import { Value } from '../../components/Value'
import { useFormat, useText } from '../../i18n/text'
import { effortPercent } from '../../state/earnings'
import { useMiner, useNode, useNow, useSigner } from '../../state/environment'
import { expectedShareSeconds, proofLevel } from '../../state/health'
import { useExpectedPerDay } from '../../state/use-expected'
import styles from './Overview.module.css'

const DAY_S = 86_400
const BLOCKS_SHOWN = 6
const tones = { ok: 'ok', attention: 'warn', problem: 'danger' } as const
const marks = { ok: 'ok', attention: 'attention', problem: 'error' } as const

export function EarningsCard() {
  const t = useText()
  const status = useMiner((state) => state.status)
  if (status === null)
    return (
      <Card title={t('ui.overview.earnings')}>
        <Skeleton />
      </Card>
    )
  const expected = expectedShareSeconds(status.source.difficulty, status.hashrate.m15 ?? status.hashrate.now)
  const isSolo = status.source.kind !== 'pool'
  const chance = expected === null ? null : 100 * (1 - Math.exp(-DAY_S / expected))
  return (
    <Card title={t('ui.overview.earnings')}>
      <LastProof expected={expected} />
      <Facts>
        <ExpectedFact />
        <Fact label={t(isSolo ? 'ui.overview.blockEvery' : 'ui.overview.shareEvery')}>
          <Value kind="duration" value={expected === null ? null : Math.max(1, expected)} />
        </Fact>
        {isSolo && (
          <Fact label={t('ui.overview.chanceToday')}>
            <Value kind="percent" value={chance} />
          </Fact>
        )}
        {isSolo && (
          <Fact label={t('ui.overview.blocksFound')}>
            <Value kind="count" value={status.shares.accepted} />
          </Fact>
        )}
        {isSolo && status.lastProof !== null && <EffortFact since={status.lastProof.at} />}
      </Facts>
    </Card>
  )
}

function ExpectedFact() {
  const t = useText()
  const format = useFormat()
  const { wei, hashrate } = useExpectedPerDay()
  return (
    <Fact label={t('ui.overview.expected')}>
      {wei === null ? (
        format.text('count', null)
      ) : (
        <span
          title={t('ui.overview.expectedHint', { hashrate: format.text('hashrate', hashrate) })}
          data-testid="expected-day"
          data-value={String(wei)}
        >
          <AmountText wei={String(wei)} form="list" />
        </span>
      )}
    </Fact>
  )
}

function EffortFact({ since }: { readonly since: number }) {
  const t = useText()
  const now = useNow()
  const hashrate = useMiner((state) => state.status?.hashrate.m15 ?? null)
  const difficulty = useMiner((state) => state.status?.source.difficulty ?? null)
  return (
    <Fact label={t('ui.overview.effort')}>
      <span title={t('ui.overview.effortHint')}>
        <Value kind="wholePercent" value={effortPercent(hashrate, difficulty, now - since)} testId="effort" />
      </span>
    </Fact>
  )
}

/** The light against silent failure: how long since something was accepted, and whether chance explains it. */
function LastProof({ expected }: { readonly expected: number | null }) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const proof = useMiner((state) => state.status?.lastProof ?? null)
  if (proof === null)
    return (
      <p data-testid="last-proof" data-state="unknown">
        <StatePill tone="neutral" mark="waiting">
          {t('ui.overview.noProof')}
        </StatePill>
      </p>
    )
  const level = expected === null ? 'ok' : proofLevel((now - proof.at) / 1000, expected)
  return (
    <p data-testid="last-proof" data-state={level}>
      <StatePill tone={tones[level]} mark={marks[level]}>
        {t('ui.overview.lastProof', { age: format.age(Math.max(0, now - proof.at)) })}
      </StatePill>
    </p>
  )
}

export function SourceCard() {
  const t = useText()
  const status = useMiner((state) => state.status)
  const source = status?.source
  return (
    <Card title={t(source?.kind === 'pool' ? 'ui.overview.pool' : 'ui.overview.solo')}>
      {source === undefined && <Skeleton lines={4} />}
      {source !== undefined && (
        <>
          <StatePill
            tone={source.connected ? 'ok' : 'neutral'}
            mark={source.connected ? 'ok' : 'waiting'}
            testId="pool-active"
          >
            {t(source.connected ? 'ui.overview.hasWork' : 'ui.overview.noWork')}
          </StatePill>
          {source.warning !== '' && (
            <p data-testid="pool-warning">
              <ForeignText text={source.warning} />
            </p>
          )}
          <Facts>
            <Fact label={t('ui.overview.source')}>
              {source.kind === 'pool' ? <ForeignText text={source.host} /> : t('ui.overview.ownNode')}
            </Fact>
            <Fact label={t('ui.overview.jobDifficulty')}>
              <Value kind="difficulty" value={source.difficulty} />
            </Fact>
            <Fact label={t('ui.overview.jobHeight')}>
              <Value kind="count" value={source.height} />
            </Fact>
            <Fact label={t('ui.overview.epoch')}>
              <Value kind="count" value={source.epoch} />
            </Fact>
          </Facts>
        </>
      )}
    </Card>
  )
}

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
            <Fact label={t('ui.node.height')}>
              <Value kind="count" value={current?.number} />
            </Fact>
            <Fact label={t('ui.node.headAge')}>
              <Age time={current?.time ?? null} />
            </Fact>
            <Fact label={t('ui.node.nextDifficulty')}>
              <Value kind="difficulty" value={view.nextDifficulty === null ? null : Number(view.nextDifficulty)} />
            </Fact>
            <Fact label={t('ui.node.peers')}>
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
  const hasAccounts = useSigner((state) => (state.accounts?.accounts.length ?? 0) > 0)
  const account =
    balances?.accounts.find(({ address }) => address.toLowerCase() === coinbase?.toLowerCase()) ?? balances?.accounts[0]
  return (
    <Card
      title={t('ui.overview.balance')}
      className={styles.balance}
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
          <AmountText wei={account.available} form="list" size="lead" />
          <Facts>
            <Fact label={t('ui.accounts.account')}>
              <AddressText address={account.address} form="short" label={t('ui.accounts.address')} />
            </Fact>
            <Fact label={t('ui.accounts.locked')}>
              <AmountText wei={account.locked} form="list" />
            </Fact>
            <Fact label={t('ui.accounts.nextUnlock')}>
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
