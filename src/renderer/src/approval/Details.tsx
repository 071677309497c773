// The facts of a request: what is signed, for whom, at what cost. Amounts are exact, addresses whole.
import { CircleHelp } from 'lucide-react'
import type { RequestView, TransactionRequestView } from '../../../contract/signer'
import { AmountText } from '../components/AmountText'
import { Fact, Facts } from '../components/Card'
import { AddressText, ForeignText } from '../components/HexText'
import { Value } from '../components/Value'
import { isAddress } from '../format/bytes-text'
import { useFormat, useText } from '../i18n/text'
import { useNode, useSigner } from '../state/environment'
import { selectBalance } from '../state/node-store'
import styles from './Approval.module.css'
import { RawText } from './RawText'

/** Bytes of call data that are shown before the rest is only counted. */
const DATA_SHOWN = 512

export function TransactionDetails({ transaction }: { readonly transaction: TransactionRequestView }) {
  const t = useText()
  const format = useFormat()
  const balance = useNode(selectBalance(transaction.from))
  // With both, the fee cap decides: so it is signed (signer.md 2.4), and so the fee is computed.
  const price = transaction.maxFeePerGas ?? transaction.gasPrice
  const dataBytes = (transaction.data.length - 2) / 2
  return (
    <>
      <Facts>
        <Fact label={t('ui.approval.amount')}>
          <AmountText wei={transaction.value} form="exact" size="lead" testId="approval-value" />
        </Fact>
        <Fact label={t('ui.approval.to')}>
          {transaction.to === null ? (
            <span data-testid="approval-to">{t('ui.approval.creation')}</span>
          ) : (
            <Party address={transaction.to} testId="approval-to" />
          )}
        </Fact>
        <Fact label={t('ui.approval.from')}>
          <Party
            address={transaction.from}
            testId="approval-from"
            more={t('ui.approval.available', {
              amount: balance === undefined ? format.laxExact(null) : format.laxExact(BigInt(balance.available)),
            })}
          />
        </Fact>
        <Fact label={t('ui.approval.fee')}>
          <span className={styles.beside}>
            {t('ui.approval.gas', {
              gas: format.text('count', transaction.gas),
              price: format.gasPrice(price === null ? null : BigInt(price)),
            })}
          </span>{' '}
          <AmountText wei={transaction.maximumFee} form="exact" testId="approval-fee" />
        </Fact>
      </Facts>
      <dl className={styles.short}>
        <Fact label={t('ui.approval.nonce')}>
          <Value kind="count" value={transaction.nonce} />
        </Fact>
        <Fact label={t('ui.approval.chain')}>
          <code>{transaction.chainId}</code>
        </Fact>
        <Fact label={t('ui.approval.data')}>
          {dataBytes === 0 ? t('ui.approval.noData') : t('ui.approval.dataBytes', { count: dataBytes })}
        </Fact>
      </dl>
      {dataBytes > 0 && (
        <pre className={styles.data} data-testid="approval-data">
          {transaction.data.slice(0, 2 + 2 * DATA_SHOWN)}
          {dataBytes > DATA_SHOWN ? '…' : ''}
        </pre>
      )}
    </>
  )
}

/** What is not needed for a decision: what could not be computed, and the caller's own words. */
export function TransactionNotes({ transaction }: { readonly transaction: TransactionRequestView }) {
  const t = useText()
  return (
    <>
      <section className={styles.changes} aria-labelledby="approval-changes" data-state="unavailable">
        <CircleHelp aria-hidden="true" />
        <div>
          <h2 id="approval-changes">{t('ui.approval.changes')}</h2>
          <p>{t('ui.approval.notSimulated')}</p>
        </div>
      </section>
      <RawText text={transaction.raw} />
    </>
  )
}

interface PartyProps {
  readonly address: string
  readonly testId: string
  /** What else is known of it, said below. */
  readonly more?: string
}

/** An address as the caller spelled it when it is none, else grouped with its checksum; own accounts are named. */
function Party({ address, testId, more = '' }: PartyProps) {
  const t = useText()
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address.toLowerCase()),
  )
  const notes = [isOwn ? t('ui.approval.ownAccount') : '', more].filter((note) => note !== '').join(' · ')
  return (
    <>
      {isAddress(address) ? (
        <AddressText address={address} form="grouped" testId={testId} />
      ) : (
        <span data-testid={testId}>
          <ForeignText text={address} />
        </span>
      )}
      {notes !== '' && <span className={styles.note}>{notes}</span>}
    </>
  )
}

export interface ListingDetailsProps {
  readonly request: RequestView
  readonly ticked: readonly string[]
  readonly onTick: (address: string, isTicked: boolean) => void
}

export function ListingDetails({ request, ticked, onTick }: ListingDetailsProps) {
  const t = useText()
  const accounts = request.accounts ?? []
  if (accounts.length === 0) return <p>{t('ui.approval.noAccounts')}</p>
  return (
    <fieldset className={styles.listing}>
      <legend>{t('ui.approval.listingLegend')}</legend>
      {accounts.map(({ address }) => (
        <label key={address} className={styles.tick}>
          <input
            type="checkbox"
            data-testid={`approval-account-${address.toLowerCase()}`}
            checked={ticked.includes(address)}
            onChange={(event) => onTick(address, event.target.checked)}
          />
          <AddressText address={address} form="grouped" />
        </label>
      ))}
    </fieldset>
  )
}
