// One account: its balance, incoming amounts, history, and actions.
import { ArrowDownLeft, ArrowUpRight, SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TransactionRowView } from '../../../../contract/explorer'
import { Choice } from '../../components/forms/Choice'
import { Because, Card, WhyButton } from '../../components/layout/Card'
import { AddressText, ForeignText, HashText } from '../../components/values/HexText'
import { Identicon } from '../../components/values/Identicon'
import { QrCode } from '../../components/values/QrCode'
import { shortHex, spelledAddress } from '../../format/bytes-text'
import { useFormat, useText } from '../../i18n/text'
import { useAddressHistory } from '../../state/answers/use-address-history'
import { useApp, useEnvironment, useNode, useSigner } from '../../state/environment'
import { selectCanApprove } from '../../state/stores/app-store'
import { selectBalance } from '../../state/stores/node-store'
import { selectLabel, selectNote, selectWatched } from '../../state/stores/signer-store'
import { Button } from '../../widgets/controls/Button'
import { Age } from '../../widgets/facts/Age'
import { AmountText } from '../../widgets/facts/AmountText'
import { PaymentState } from '../../widgets/facts/PaymentState'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { BalanceWhy, type BalanceWhyProps } from '../../widgets/why/BalanceWhy'
import { BackLink } from '../BackLink'
import { Screen } from '../Screen'
import styles from './Accounts.module.css'
import { AuditRows, type AuditState, useAudit } from './AuditRows'
import { BackupMark } from './Backup'
import { AccountKeys } from './KeyTools'
import { Label } from './Label'
import { Maturity } from './Maturity'
import { SendForm } from './send/SendForm'

// What our own form sent in this run, and the outcome of each.

export function Sends({ address }: { readonly address: string }) {
  const t = useText()
  const sends = useSigner((state) => state.sends.filter(({ from }) => from.toLowerCase() === address.toLowerCase()))
  if (sends.length === 0) return null
  return (
    <Card title={t('ui.send.own')} testId="sends">
      <ul className={styles.rows}>
        {sends.map(({ id, to, value, state, hash, reason, at }) => (
          <li key={id} data-testid="send-row" data-state={state}>
            <span className={styles.tag}>{t(`ui.send.state.${state}`)}</span>
            <AmountText wei={value} form="exact" />
            <span>
              → <AddressText address={to} form="short" />
            </span>
            {hash !== null && <HashText hex={hash} href={`#/node/tx/${hash}`} label={t('ui.send.hash')} />}
            {hash !== null && <PaymentState hash={hash} />}
            {reason !== '' && state === 'failed' && <ForeignText text={reason.slice(0, 300)} />}
            <Age time={at} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const HISTORY = 100

export function Account({ address }: { readonly address: string }) {
  const t = useText()
  const isLoaded = useSigner((state) => state.accounts !== null)
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address),
  )
  const isWatched = useSigner(selectWatched(address)) !== undefined
  const label = useSigner(selectLabel(address))
  return (
    <Screen
      back={<BackLink route="/accounts">{t('ui.nav.accounts')}</BackLink>}
      title={
        <span className={styles.name}>
          <Identicon address={address} />
          <ForeignText text={label === '' ? shortHex(spelledAddress(address)) : label} />
        </span>
      }
      actions={isOwn || isWatched ? <Label address={address} /> : undefined}
    >
      {!isLoaded && <Skeleton lines={5} />}
      {isLoaded && !isOwn && !isWatched && <EmptyState icon={SearchX} title={t('ui.account.notOwn')} />}
      {isLoaded && !isOwn && isWatched && <WatchedAccount address={address} />}
      {isLoaded && isOwn && <OwnAccount address={address} />}
    </Screen>
  )
}

const parts = ['activity', 'security'] as const

function OwnAccount({ address }: { readonly address: string }) {
  const t = useText()
  const canApprove = useApp(selectCanApprove)
  const backup = useSigner(selectNote(address))?.backup
  const [chosen, setPart] = useState<(typeof parts)[number] | null>(null)
  // An account without a backup begins with what it lacks, and stays there when that is done.
  if (chosen === null && canApprove && (backup === 'none' || backup === 'saved')) setPart('security')
  const part = chosen ?? 'activity'
  return (
    <>
      <div className={styles.top}>
        <Head address={address} />
        <SendForm address={address} />
      </div>
      <Maturity address={address} />
      <div className={styles.parts}>
        <Choice
          label={t('ui.accounts.account')}
          value={part}
          options={parts.map((each) => ({ value: each, label: t(`ui.account.part.${each}`) }))}
          onChange={setPart}
        />
      </div>
      {part === 'activity' && (
        <>
          <Sends address={address} />
          <ChainHistory address={address} />
          {canApprove && <History address={address} />}
        </>
      )}
      {part === 'security' &&
        (canApprove ? <AccountKeys address={address} /> : <p className={styles.asOf}>{t('ui.signer.elsewhere')}</p>)}
    </>
  )
}

/** This program can't sign for it. */
function WatchedAccount({ address }: { readonly address: string }) {
  const t = useText()
  return (
    <>
      <p className={styles.asOf} data-testid="watch-only">
        {t('ui.watch.only')}
      </p>
      <Head address={address} />
      <Maturity address={address} />
      <ChainHistory address={address} />
    </>
  )
}

function Head({ address }: { readonly address: string }) {
  const t = useText()
  const [explained, setExplained] = useState<BalanceWhyProps['of'] | null>(null)
  return (
    <section className={styles.hero} aria-label={t('ui.accounts.account')} data-testid={`account-${address}`}>
      <AddressText address={address} form="grouped" label={t('ui.accounts.address')} testId="receive-address" />
      <dl className={styles.figures}>
        <BalanceFigures address={address} explained={explained} onExplain={setExplained} />
        <NoteFigures address={address} />
      </dl>
      {explained !== null && (
        <div className={styles.because}>
          <Because>
            <BalanceWhy key={explained} of={explained} address={address} />
          </Because>
        </div>
      )}
      <details className={styles.receive}>
        <summary>{t('ui.account.receive')}</summary>
        <QrCode text={address} label={t('ui.account.qr')} sizePx={164} />
      </details>
    </section>
  )
}

interface BalanceFiguresProps {
  readonly address: string
  readonly explained: BalanceWhyProps['of'] | null
  readonly onExplain: (of: BalanceWhyProps['of'] | null) => void
}

/** Amounts and nonce; pressed, each shows what it is made of. */
function BalanceFigures({ address, explained, onExplain }: BalanceFiguresProps) {
  const t = useText()
  const balance = useNode(selectBalance(address))
  const figures = [
    [
      'available',
      <AmountText
        key="available"
        wei={balance?.available}
        form="exact"
        size="figure"
        testId={`balance-available-${address}`}
      />,
    ],
    ['locked', <AmountText key="locked" wei={balance?.locked} form="exact" testId={`balance-locked-${address}`} />],
    ['nonce', <Value key="nonce" kind="count" value={balance?.nonce} />],
  ] as const
  return figures.map(([of, value]) => (
    <div key={of}>
      <dt>
        <WhyButton isOpen={explained === of} onToggle={() => onExplain(explained === of ? null : of)}>
          {t(`ui.accounts.${of}`)}
        </WhyButton>
      </dt>
      <dd>{value}</dd>
    </div>
  ))
}

/** What the program stores about an account of the keystore. */
function NoteFigures({ address }: { readonly address: string }) {
  const t = useText()
  const note = useSigner(selectNote(address))
  if (note === undefined) return null
  return (
    <>
      <div>
        <dt>{t('ui.backup.title')}</dt>
        <dd>
          <BackupMark state={note.backup} />
        </dd>
      </div>
      <div>
        <dt>{t('ui.accounts.lastUsed')}</dt>
        <dd>
          <Age time={note.lastUsedAt} />
        </dd>
      </div>
    </>
  )
}

function History({ address }: { readonly address: string }) {
  const t = useText()
  const audit = useAudit(address, HISTORY)
  return (
    <Card title={t('ui.account.history')} testId="history">
      <RecordRange rows={audit.rows} />
      <AuditRows {...audit} />
    </Card>
  )
}

/** How far back the rows go: the whole audit log, or its last entries about this account. */
function RecordRange({ rows }: { readonly rows: AuditState['rows'] }) {
  const t = useText()
  const format = useFormat()
  const { clock } = useEnvironment()
  const oldest = rows?.at(-1)
  if (rows === null || oldest === undefined) return null
  const values = { count: rows.length, time: format.dayTime(oldest.time, clock.now()) }
  return (
    <p className={styles.asOf} data-testid="record-range">
      {t(rows.length < HISTORY ? 'ui.account.recordWhole' : 'ui.account.recordRange', values)}
    </p>
  )
}

function ChainHistory({ address }: { readonly address: string }) {
  const t = useText()
  const hasHead = useNode((state) => state.head?.head != null)
  const { found, reason, isBusy, ask, goOn } = useAddressHistory(address, hasHead)
  const nonce = useNode(selectBalance(address))?.nonce ?? null
  const seen = useRef(nonce)
  useEffect(() => {
    // A block included a payment of this account.
    if (seen.current !== null && nonce !== seen.current) ask()
    seen.current = nonce
  }, [nonce, ask])
  if (!hasHead) return null
  return (
    <Card title={t('ui.account.chainHistory')} testId="chain-history">
      {reason !== '' && <ErrorState title={t('ui.account.historyFailed')} reason={reason} onRetry={ask} />}
      {found !== null && (
        <>
          <p className={styles.asOf} data-testid="history-range">
            {t('ui.account.historyRange', {
              oldest: found.oldest,
              newest: found.newest,
              count: found.transactions.length,
            })}
          </p>
          <ol className={styles.rows}>
            {found.transactions.map((transaction) => (
              <TransactionRow key={transaction.hash} transaction={transaction} address={address} />
            ))}
          </ol>
          {found.oldest > 0 && (
            <Button size="small" needsContact isBusy={isBusy} data-testid="history-more" onClick={goOn}>
              {t('ui.node.addressFurther')}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

function TransactionRow({
  transaction,
  address,
}: {
  readonly transaction: TransactionRowView
  readonly address: string
}) {
  const t = useText()
  const { hash, from, to, value, blockNumber, succeeded } = transaction
  const isOut = from.toLowerCase() === address
  const other = isOut ? to : from
  return (
    <li data-testid="history-row" data-state={isOut ? 'out' : 'in'}>
      <span className={styles.tag}>
        {isOut ? <ArrowUpRight aria-hidden="true" size={12} /> : <ArrowDownLeft aria-hidden="true" size={12} />}
        {t(isOut ? 'ui.account.out' : 'ui.account.in')}
      </span>
      <AmountText wei={value} form="exact" />
      <span>
        {isOut ? '→ ' : '← '}
        {other === null ? t('ui.account.creation') : <AddressText address={other} form="short" />}
      </span>
      <HashText hex={hash} href={`#/node/tx/${hash}`} label={t('ui.send.hash')} />
      {blockNumber !== null && <span>{t('ui.accounts.atHeight', { height: blockNumber })}</span>}
      {succeeded === false && <span className={styles.bad}>{t('ui.account.reverted')}</span>}
    </li>
  )
}
