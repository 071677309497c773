// The fields that the user may change, each with its requested value.
import type { TransactionRequestView } from '../../../../contract/signer'
import { TextField } from '../../components/forms/TextField'
import { readAmount } from '../../format/parse-amount'
import { type Text, type TextKey, useText } from '../../i18n/text'
import { Button } from '../../widgets/controls/Button'
import { amountFaultText } from '../../widgets/facts/amount-fault'
import styles from '../Approval.module.css'
import { decimalsOf, type EditField, type Editing, fieldText } from './use-edits'

const labels: Readonly<Record<EditField, TextKey>> = {
  gas: 'ui.edit.gas',
  nonce: 'ui.edit.nonce',
  gasPrice: 'ui.edit.gasPrice',
  maxFeePerGas: 'ui.edit.maxFee',
  maxPriorityFeePerGas: 'ui.edit.tip',
}

interface EditFieldsProps {
  /** The requested value. */
  readonly transaction: TransactionRequestView
  readonly editing: Editing
}

export function EditFields({ transaction, editing }: EditFieldsProps) {
  const t = useText()
  return (
    <section className={styles.edits} aria-label={t('ui.edit.title')}>
      <div className={styles.editBar}>
        <Button size="small" data-testid="approval-edit" aria-expanded={editing.isOpen} onClick={editing.toggle}>
          {t('ui.edit.open')}
        </Button>
        {editing.edits !== null && (
          <>
            <span className={styles.note} data-testid="approval-edited">
              {t('ui.edit.changed')}
            </span>
            <Button size="small" variant="quiet" onClick={editing.undo}>
              {t('ui.edit.undo')}
            </Button>
          </>
        )}
      </div>
      <Changed transaction={transaction} editing={editing} />
      {editing.isOpen && (
        <div className={styles.editFields}>
          {editing.fields.map((field) => {
            const asked = fieldText(transaction, field)
            const text = editing.texts[field] ?? asked
            return (
              <TextField
                key={field}
                label={t(labels[field])}
                data-testid={`approval-edit-${field}`}
                inputMode="decimal"
                value={text}
                hint={text === asked ? undefined : t('ui.edit.asked', { value: asked })}
                error={editing.faults.includes(field) ? faultText(text, field, t) : ''}
                onChange={(value) => editing.change(field, value)}
              />
            )
          })}
        </div>
      )}
      {editing.objection !== '' && (
        <p className={styles.objection} role="alert" data-testid="approval-objection">
          {t('ui.edit.refused', { reason: editing.objection })}
        </p>
      )}
    </section>
  )
}

function faultText(text: string, field: EditField, t: Text): string {
  const decimals = decimalsOf(field)
  const { fault } = readAmount(text, decimals)
  return fault?.kind === 'ambiguous' ? amountFaultText(fault, t) : t('ui.edit.number', { decimals })
}

/** Lists every change as old → new, even while the fields are closed. */
function Changed({ transaction, editing }: EditFieldsProps) {
  const t = useText()
  const changed = editing.fields.filter((field) => {
    const text = editing.texts[field]
    return text !== undefined && text !== fieldText(transaction, field) && !editing.faults.includes(field)
  })
  if (changed.length === 0) return null
  return (
    <ul className={styles.changed} data-testid="approval-changed">
      {changed.map((field) => (
        <li key={field}>
          {t(labels[field])}: <s>{fieldText(transaction, field)}</s> → <strong>{editing.texts[field]}</strong>
        </li>
      ))}
    </ul>
  )
}
