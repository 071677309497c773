// The facts of a request: what is signed, for whom, at what cost. Amounts are exact, addresses in full.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { useMemo } from 'react'
import { bytesOfHex, toHex } from '../../../../base/hex'
import type { FactsView, RequestView, TransactionRequestView } from '../../../../contract/signer'
import { Fact, Facts } from '../../components/layout/Card'
import { AddressText, ForeignText, HashText } from '../../components/values/HexText'
import type { Formatter } from '../../format/formatter'
import { type Text, type TextKey, useFormat, useText } from '../../i18n/text'
import { useNode, useSigner } from '../../state/environment'
import { selectBalance } from '../../state/stores/node-store'
import { selectLabel } from '../../state/stores/signer-store'
import { AmountText } from '../../widgets/facts/AmountText'
import styles from '../Approval.module.css'
import { LongText } from './LongText'
import { Party } from './Party'
import { TokenAmounts } from './TokenAmounts'

type DecodedCall = NonNullable<TransactionRequestView['call']>

/** Entries of an access list that are shown; all are among what was received. */
const LIST_SHOWN = 50

/** Bytes of call data shown before the rest is expanded. */
const DATA_SHOWN = 512

interface TransactionDetailsProps {
  readonly transaction: TransactionRequestView
  /** Null while not known. */
  readonly facts: FactsView | null
}

export function TransactionDetails({ transaction, facts }: TransactionDetailsProps) {
  const t = useText()
  const format = useFormat()
  const dataBytes = (transaction.data.length - 2) / 2
  return (
    <>
      <Amounts transaction={transaction} facts={facts} />
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
      <TokenAmounts facts={facts} />
      {transaction.to === null && <CreationCode data={transaction.data} />}
      {dataBytes > 0 && (
        <LongText
          text={transaction.data}
          testId="approval-data"
          className={styles.data}
          shownFirst={2 + 2 * DATA_SHOWN}
        />
      )}
    </>
  )
}

function Amounts({ transaction, facts }: TransactionDetailsProps) {
  const t = useText()
  const format = useFormat()
  const balance = useNode(selectBalance(transaction.from))
  // If both are set, the fee cap counts: the signature and the fee use it.
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
          <Party address={transaction.to} testId="approval-to" more={historyText(facts, t, format)} />
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

/** The code that runs to create the contract, by size and hash. */
function CreationCode({ data }: { readonly data: string }) {
  const t = useText()
  const hash = useMemo(() => toHex(keccak_256(bytesOfHex(data))), [data])
  return (
    <Facts>
      <Fact label={t('ui.approval.codeSize')}>{t('ui.approval.bytes', { count: (data.length - 2) / 2 })}</Fact>
      <Fact label={t('ui.approval.codeHash')}>
        <span data-testid="approval-code-hash">
          <HashText hex={hash} isFull />
        </span>
      </Fact>
    </Facts>
  )
}

/** Whether the signer signed for this destination before; empty while unknown. */
function historyText(facts: FactsView | null, t: Text, format: Formatter): string {
  const history = facts?.history ?? null
  if (history === null) return ''
  const { count, lastAt } = history
  if (lastAt === null) return t('ui.approval.neverUsed')
  return t('ui.approval.usedBefore', { count, date: format.date(lastAt) })
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

/** The method and its arguments, which encode to exactly this data; the real name may still be a different one. */
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

interface ListingDetailsProps {
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
          <span>
            <Labelled address={address} />
            <AddressText address={address} form="grouped" />
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Labelled({ address }: { readonly address: string }) {
  const label = useSigner(selectLabel(address))
  return label === '' ? null : <strong>{label} </strong>
}
