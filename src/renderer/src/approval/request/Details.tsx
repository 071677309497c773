// The facts of a request: what is signed, for whom, at what cost. Amounts are exact, addresses in full.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { type ReactNode, useMemo, useState } from 'react'
import { bytesOfHex, toHex } from '../../../../base/hex'
import type { BalanceView } from '../../../../contract/node'
import type { FactsView, RequestView, TransactionRequestView } from '../../../../contract/signer'
import { Fact, Facts } from '../../components/layout/Card'
import { TableHead } from '../../components/tables/Table'
import { AddressText, ForeignText, HashText } from '../../components/values/HexText'
import type { Formatter } from '../../format/formatter'
import { type Text, type TextKey, useLanguage, useText } from '../../i18n/text'
import { useSigner } from '../../state/environment'
import { selectLabel } from '../../state/stores/signer-store'
import { Button } from '../../widgets/controls/Button'
import { AmountText } from '../../widgets/facts/Value'
import styles from '../Approval.module.css'
import { LongText } from './LongText'
import { Party } from './Party'
import { TokenAmounts, TokenHero } from './TokenAmounts'

type DecodedCall = NonNullable<TransactionRequestView['call']>

/** Entries of an access list that are shown before the rest is expanded. */
const LIST_SHOWN = 50

/** Bytes of call data, and characters of an argument, that are shown before the rest is expanded. */
const DATA_SHOWN = 512
const ARGUMENT_SHOWN = 4_096

interface TransactionDetailsProps {
  readonly transaction: TransactionRequestView
  readonly facts: FactsView | null
  /** Of the signing account, as the node knew it while this could be decided. */
  readonly balance: BalanceView | undefined
  readonly isCritical: boolean
  /** What is wrong with it and not critical. */
  readonly warnings: ReactNode
  /** What our node predicts, in sight without scrolling in the window of its own: after the recipient. */
  readonly prediction: ReactNode
}

export function TransactionDetails(props: TransactionDetailsProps) {
  const { t, format } = useLanguage()
  const { transaction, facts } = props
  const dataBytes = (transaction.data.length - 2) / 2
  return (
    <>
      <TokenHero facts={facts} call={transaction.call} />
      <Amount wei={transaction.value} isAside={dataBytes > 0 && transaction.value === '0'} />
      <TokenAmounts facts={facts} />
      <Parties {...props} />
      <Costs {...props} />
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
      <AccessList entries={transaction.accessList ?? []} />
      {transaction.call !== null && <CallDetails call={transaction.call} />}
      {transaction.to === null && <CreationCode data={transaction.data} />}
      {dataBytes > 0 && (
        <LongText
          text={transaction.data}
          testId="approval-data"
          className={styles.data}
          shownFirst={2 + 2 * DATA_SHOWN}
          // Decoded arguments encode to exactly this data, and new code is known by its hash.
          isToBeRead={transaction.call === null && transaction.to !== null}
        />
      )}
    </>
  )
}

/** Decimal places of 1 LAX in wei. */
const WEI_DIGITS = 18
/** Shown digits that fit into one line of the smallest window. */
const MAX_SHORT = 9
const MAX_MEDIUM = 21

/** The amount first, large; smaller the more digits it has, and where a call sends none. */
function Amount({ wei, isAside }: { readonly wei: string; readonly isAside: boolean }) {
  const decimals = WEI_DIGITS - (/0*$/.exec(wei.padStart(WEI_DIGITS, '0').slice(-WEI_DIGITS))?.[0].length ?? 0)
  const digits = Math.max(1, wei.length - WEI_DIGITS) + decimals
  const size = isAside ? 'none' : digits > MAX_MEDIUM ? 'long' : digits > MAX_SHORT ? 'medium' : 'short'
  return (
    <p className={styles.hero} data-size={size}>
      <AmountText wei={wei} form="exact" testId="approval-value" />
    </p>
  )
}

function Parties({ transaction, facts, isCritical, warnings, prediction }: TransactionDetailsProps) {
  const { t, format } = useLanguage()
  const { to, from } = transaction
  const count = facts?.history?.count ?? null
  const tone = isCritical ? 'danger' : count === null ? 'plain' : count === 0 ? 'warn' : 'ok'
  return (
    <>
      <p className={styles.label}>{t('ui.approval.to')}</p>
      {to === null ? (
        <p data-testid="approval-to">{t('ui.approval.creation')}</p>
      ) : (
        <Party address={to} testId="approval-to" more={historyText(facts, t, format)} tone={tone} />
      )}
      {warnings}
      {prediction}
      <p className={styles.label}>{t('ui.approval.from')}</p>
      <Party address={from} testId="approval-from" />
    </>
  )
}

/** What the account has now, and at least afterwards; the request can't take more LAX from it than this. */
function Costs({ transaction, balance }: TransactionDetailsProps) {
  const { t, format } = useLanguage()
  const label = useSigner(selectLabel(transaction.from))
  // If both are set, the fee cap counts: the signature and the fee use it.
  const price = transaction.maxFeePerGas ?? transaction.gasPrice
  const now = balance === undefined ? null : BigInt(balance.available)
  const after = now === null ? null : now - BigInt(transaction.maximumTotal)
  const gas = exactCount(transaction.gas, format)
  return (
    <table className={styles.changeTable} data-testid="approval-costs">
      <TableHead headings={[t('ui.approval.whatChanges'), t('ui.approval.now'), t('ui.approval.after')]} />
      <tbody>
        <tr>
          <th scope="row">
            <ForeignText text={label === '' ? t('ui.approval.from') : label} />
          </th>
          <td>
            <AmountText wei={now?.toString()} form="exact" testId="approval-before" />
          </td>
          <td className={after !== null && after < 0n ? styles.mismatch : undefined}>
            {after !== null && after < 0n ? (
              <span data-testid="approval-after">{t('ui.approval.notEnough')}</span>
            ) : (
              <AmountText wei={after?.toString()} form="exact" testId="approval-after" />
            )}
          </td>
        </tr>
        <tr>
          <th scope="row">{t('ui.approval.fee')}</th>
          <td>{t('ui.approval.gas', { gas, price: format.gasPrice(price === null ? null : BigInt(price)) })}</td>
          <td>
            <AmountText wei={transaction.maximumFee} form="exact" testId="approval-fee" />
          </td>
        </tr>
        <tr>
          <th scope="row">{t('ui.approval.total')}</th>
          <td />
          <td>
            <AmountText wei={transaction.maximumTotal} form="exact" testId="approval-total" />
          </td>
        </tr>
      </tbody>
    </table>
  )
}

/** What stays behind "Show all" counts as unread. */
function AccessList({ entries }: { readonly entries: NonNullable<TransactionRequestView['accessList']> }) {
  const t = useText()
  const [isWhole, setWhole] = useState(false)
  if (entries.length === 0) return null
  const isCut = !isWhole && entries.length > LIST_SHOWN
  return (
    <section data-testid="approval-access-list">
      <p className={styles.label}>{t('ui.approval.accessList', { count: entries.length })}</p>
      <ul>
        {(isCut ? entries.slice(0, LIST_SHOWN) : entries).map(({ address, storageKeys }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are known by their position
          <li key={index}>
            <AddressText address={address} form="grouped" />{' '}
            <span className={styles.note}>{t('ui.approval.slots', { count: storageKeys.length })}</span>
          </li>
        ))}
      </ul>
      {isCut && (
        <div data-cut="">
          <Button onClick={() => setWhole(true)}>{t('ui.approval.showEntries', { count: entries.length })}</Button>
        </div>
      )}
    </section>
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
        {call.arguments.map(({ type, value, isNotText = false }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: arguments are known by their position
          <li key={index}>
            <span className={styles.note}>{type}</span> <Argument value={value} />{' '}
            {isNotText && <span className={styles.note}>({t('ui.approval.notText')})</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Argument({ value }: { readonly value: string }) {
  if (value.length <= ARGUMENT_SHOWN) return <ForeignText text={value} />
  return (
    <LongText text={value} testId="approval-argument" className={styles.data} shownFirst={ARGUMENT_SHOWN} isToBeRead />
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
