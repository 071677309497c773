// The facts of a request: what is signed, for whom, at what cost. Amounts are exact, addresses whole.
import type { RequestView, TransactionRequestView } from '../../../contract/signer'
import { AmountText } from '../components/AmountText'
import { Fact, Facts } from '../components/Card'
import { AddressText, ForeignText } from '../components/HexText'
import type { Formatter } from '../format/formatter'
import { type TextKey, useFormat, useText } from '../i18n/text'
import { useNode } from '../state/environment'
import { selectBalance } from '../state/node-store'
import styles from './Approval.module.css'
import { Party } from './Party'

type DecodedCall = NonNullable<TransactionRequestView['call']>

/** Entries of an access list that are shown; all are among what was received. */
const LIST_SHOWN = 50

/** Bytes of call data that are shown before the rest is only counted. */
const DATA_SHOWN = 512

export function TransactionDetails({ transaction }: { readonly transaction: TransactionRequestView }) {
  const t = useText()
  const format = useFormat()
  const dataBytes = (transaction.data.length - 2) / 2
  return (
    <>
      <Amounts transaction={transaction} />
      <dl className={styles.short}>
        <Fact label={t('ui.approval.nonce')}>
          <code data-testid="approval-nonce">{exactCount(transaction.nonce, format)}</code>
        </Fact>
        <Fact label={t('ui.approval.chain')}>
          <code>{transaction.chainId}</code>
        </Fact>
        <Fact label={t('ui.approval.data')}>
          {dataBytes === 0
            ? t('ui.approval.noData')
            : t(transaction.call === null ? 'ui.approval.dataBytes' : 'ui.approval.bytes', { count: dataBytes })}
        </Fact>
      </dl>
      {transaction.accessList !== null && transaction.accessList.length > 0 && (
        <details className={styles.raw} data-testid="approval-access-list">
          <summary>{t('ui.approval.accessList', { count: transaction.accessList.length })}</summary>
          <ul>
            {transaction.accessList.slice(0, LIST_SHOWN).map(({ address, storageKeys }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries are known by their position
              <li key={index}>
                <AddressText address={address} form="grouped" />{' '}
                <span className={styles.note}>{t('ui.approval.slots', { count: storageKeys.length })}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {transaction.call !== null && <CallDetails call={transaction.call} />}
      <CallData data={transaction.data} />
    </>
  )
}

function Amounts({ transaction }: { readonly transaction: TransactionRequestView }) {
  const t = useText()
  const format = useFormat()
  const balance = useNode(selectBalance(transaction.from))
  // With both, the fee cap decides: so it is signed (signer.md 2.4), and so the fee is computed.
  const price = transaction.maxFeePerGas ?? transaction.gasPrice
  return (
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
            gas: exactCount(transaction.gas, format),
            price: format.gasPrice(price === null ? null : BigInt(price)),
          })}
        </span>{' '}
        <AmountText wei={transaction.maximumFee} form="exact" testId="approval-fee" />
      </Fact>
      <Fact label={t('ui.approval.total')}>
        <AmountText wei={transaction.maximumTotal} form="exact" testId="approval-total" />
      </Fact>
    </Facts>
  )
}

function CallData({ data }: { readonly data: string }) {
  const bytes = (data.length - 2) / 2
  if (bytes === 0) return null
  return (
    <pre className={styles.data} data-testid="approval-data">
      {data.slice(0, 2 + 2 * DATA_SHOWN)}
      {bytes > DATA_SHOWN ? '…' : ''}
    </pre>
  )
}

/** A 64-bit number without rounding. */
function exactCount(text: string, format: Formatter): string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? format.text('count', value) : text
}

const namedKeys: Readonly<Record<DecodedCall['namedBy'], TextKey>> = {
  database: 'ui.approval.namedHere',
  learned: 'ui.approval.namedBefore',
  caller: 'ui.approval.namedByCaller',
}

/** The method and its arguments, which decode to exactly this data; the name may still be another one. */
function CallDetails({ call }: { readonly call: DecodedCall }) {
  const t = useText()
  return (
    <section data-testid="approval-call" aria-labelledby="approval-call-title">
      <h2 id="approval-call-title">
        <ForeignText text={call.name} /> <span className={styles.note}>{t(namedKeys[call.namedBy])}</span>
      </h2>
      <ol>
        {call.arguments.map(({ type, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: arguments are known by their position
          <li key={index}>
            <span className={styles.note}>{type}</span> <ForeignText text={value.slice(0, 4_096)} />
          </li>
        ))}
      </ol>
    </section>
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
