// The rows of a payment table: receiver, amount, and anything unusual.
import { AddressText, ForeignText } from '../../components/values/HexText'
import { isAddress } from '../../format/bytes-text'
import { useFormat, useText } from '../../i18n/text'
import { useSigner } from '../../state/environment'
import { selectLabel } from '../../state/stores/signer-store'
import { Button } from '../../widgets/controls/Button'
import { AmountText } from '../../widgets/facts/AmountText'
import { SeverityList } from '../../widgets/incidents/SeverityList'
import type { AlikeGroup } from './alike'
import styles from './Table.module.css'
import type { TableRow } from './table-rows'
import type { usePaymentTable } from './use-table'

interface PaymentRowsProps {
  readonly group: AlikeGroup
  readonly state: ReturnType<typeof usePaymentTable>
  /** Shows one payment alone. */
  readonly onPick: (id: string) => void
}

export function PaymentRows({ group, state, onPick }: PaymentRowsProps) {
  const t = useText()
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('ui.together.chosen')}</span>
          </th>
          <th scope="col">{t('ui.approval.to')}</th>
          <th scope="col" className={styles.number}>
            {t(group.token === null ? 'ui.approval.amount' : 'ui.together.units')}
          </th>
        </tr>
      </thead>
      <tbody>
        {state.table.rows.map((row) => (
          <Row key={row.payment.request.id} row={row} isToken={group.token !== null} state={state} onPick={onPick} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps extends Omit<PaymentRowsProps, 'group'> {
  readonly row: TableRow
  readonly isToken: boolean
}

function Row({ row, isToken, state, onPick }: RowProps) {
  const t = useText()
  const format = useFormat()
  const { payment, findings, worst } = row
  const { request, receiver, amount, fee } = payment
  const mayChoose = state.mayChoose(row)
  return (
    <tr data-testid={`together-row-${request.id}`} data-state={worst} className={mayChoose ? '' : styles.off}>
      <td>
        <input
          type="checkbox"
          aria-label={t('ui.together.choose', { address: receiver, amount: amountText(amount, isToken, format) })}
          checked={state.isChosen(row)}
          disabled={!mayChoose || state.isFinal}
          onChange={(event) => state.choose(request.id, event.target.checked)}
        />
      </td>
      <td>
        <Receiver address={receiver} />
        <SeverityList findings={findings} />
        <div className={styles.rowEnd}>
          <span className={styles.note}>
            {t('ui.together.details', { nonce: request.transaction?.nonce ?? '', fee: format.laxExact(fee) })}
          </span>
          <RowEnd id={request.id} state={state} onPick={onPick} />
        </div>
      </td>
      <td className={styles.number}>
        {isToken ? (
          <code>{format.tokenUnits(amount.toString())}</code>
        ) : (
          <AmountText wei={amount.toString()} form="exact" />
        )}
      </td>
    </tr>
  )
}

/** A link to view the payment alone while it waits; afterwards its outcome. */
function RowEnd({ id, state, onPick }: Omit<PaymentRowsProps, 'group'> & { readonly id: string }) {
  const t = useText()
  const outcome = state.outcomes.find((each) => each.id === id)
  if (state.isFinal) {
    if (outcome === undefined) return null
    const isSigned = outcome.state === 'signed'
    return (
      <span className={styles.note}>{isSigned ? t('ui.together.signed') : <ForeignText text={outcome.error} />}</span>
    )
  }
  if (state.isSettled) return null
  if (!state.open.some((request) => request.id === id)) {
    return <span className={styles.note}>{t('ui.together.gone')}</span>
  }
  return (
    <Button size="small" onClick={() => onPick(id)}>
      {t('ui.together.alone')}
    </Button>
  )
}

/** By name if it has one, and in full, so that every digit can be compared. */
function Receiver({ address }: { readonly address: string }) {
  const label = useSigner(selectLabel(address))
  return (
    <>
      {label !== '' && (
        <strong>
          <ForeignText text={label} />{' '}
        </strong>
      )}
      {isAddress(address) ? <AddressText address={address} form="grouped" /> : <ForeignText text={address} />}
    </>
  )
}

function amountText(amount: bigint, isToken: boolean, format: ReturnType<typeof useFormat>): string {
  return isToken ? format.tokenUnits(amount.toString()) : format.laxExact(amount)
}
