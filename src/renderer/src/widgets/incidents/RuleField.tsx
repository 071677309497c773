// One number of the rules from which something is an incident: it takes effect as soon as it is valid and saved.
import { useState } from 'react'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { useLanguage, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useEnvironment, useOperation } from '../../state/environment'
import { readWhole } from '../../state/incidents'
import type { ChangeRules } from '../../state/stores/program-store'
import { ErrorState } from '../facts/States'

interface NumberFieldProps {
  readonly label: string
  readonly testId: string
  readonly text: string
  readonly bounds: { readonly min: number; readonly max: number }
  /** In force. */
  readonly value: number
  /** Another reason why the text isn't right; empty if there is none. */
  readonly fault?: string
  /** Why the last save failed; empty if it didn't. */
  readonly failure: string
  readonly onType: (text: string) => void
}

/** What wasn't saved says what stays in force. */
export function NumberField(props: NumberFieldProps) {
  const { label, testId, text, bounds, value, fault = '', failure, onType } = props
  const { t, format } = useLanguage()
  const read = readWhole(text, bounds)
  const unsaved =
    failure === '' || read === value
      ? ''
      : t('ui.alarms.unsaved', { value: format.text('count', value), reason: failure })
  const bad = read === null ? t('ui.alarms.bounds', { min: bounds.min, max: bounds.max }) : fault
  return (
    <TextField
      label={label}
      inputMode="numeric"
      maxLength={6}
      value={text}
      error={bad === '' ? unsaved : bad}
      data-testid={testId}
      onChange={onType}
    />
  )
}

interface RuleFieldProps extends Pick<NumberFieldProps, 'label' | 'testId' | 'bounds' | 'value'> {
  readonly change: (value: number) => ChangeRules
}

export function RuleField({ change, ...field }: RuleFieldProps) {
  const { rules } = useEnvironment().stores
  const { failure, run } = useAttempt()
  const [text, setText] = useState(String(field.value))
  const type = (typed: string): void => {
    setText(typed)
    const read = readWhole(typed, field.bounds)
    if (read !== null) run(() => rules.save(change(read)))
  }
  return <NumberField {...field} text={text} failure={failure} onType={type} />
}

/** In place of rules that can't be read; nothing for those who may not read them. */
export function RulesFault({ title }: { readonly title: string }) {
  const t = useText()
  const { rules } = useEnvironment().stores
  const reason = useOperation(({ rulesFault }) => rulesFault)
  if (reason === '') return null
  return (
    <Card title={title}>
      <ErrorState title={t('ui.error.part')} reason={reason} onRetry={() => void rules.ask()} />
    </Card>
  )
}
