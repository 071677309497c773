// Rewinds the chain to an older block; only for users at the computer, and after a dialog that says what is lost.
import { type FormEvent, useState } from 'react'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { useFormat, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-attempt'
import { useEnvironment, useNode } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'
import styles from './Node.module.css'

export function GoBack() {
  const t = useText()
  const isHere = useNode((state) => state.control?.canNameFiles ?? false)
  const head = useNode((state) => state.head?.head?.number ?? null)
  const { text, change, error, asked, ask, drop, goBack } = useGoBack(head)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    ask()
  }
  if (!isHere || head === null) return null
  return (
    <Card title={t('ui.node.goBack')} testId="go-back">
      <p className={styles.soft}>{t('ui.node.goBackText')}</p>
      <form className={styles.addPeer} onSubmit={submit}>
        <TextField
          label={t('ui.node.goBackTo')}
          value={text}
          error={error}
          inputMode="numeric"
          maxLength={20}
          data-testid="go-back-number"
          onChange={change}
        />
        <div className={styles.buttons}>
          <Button type="submit" needsContact data-testid="go-back-ask">
            {t('ui.node.goBackAction')}
          </Button>
        </div>
      </form>
      {asked !== null && <Question number={asked} head={head} onConfirm={() => goBack(asked)} onClose={drop} />}
    </Card>
  )
}

function Question({
  number,
  head,
  onConfirm,
  onClose,
}: {
  readonly number: number
  readonly head: number
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const t = useText()
  const format = useFormat()
  return (
    <ConfirmDialog
      title={t('ui.node.goBackTitle', { number: format.text('count', number) })}
      action={t('ui.node.goBackAction')}
      isDanger
      testId="go-back-dialog"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('ui.node.goBackLost', { count: Math.max(0, head - number), head: format.text('count', head) })}</p>
    </ConfirmDialog>
  )
}

function useGoBack(head: number | null) {
  const t = useText()
  const { backend } = useEnvironment()
  const [text, setText] = useState('')
  const [fault, setFault] = useState('')
  const { failure, run, forget } = useAttempt()
  const [asked, setAsked] = useState<number | null>(null)
  const change = (next: string): void => {
    setText(next)
    setFault('')
    forget()
  }
  const ask = (): void => {
    const digits = text.replace(/[\s.,'\u00a0\u202f]/g, '')
    const number = /^\d{1,15}$/.test(digits) ? Number(digits) : null
    if (number === null || head === null || number >= head) setFault(t('ui.node.goBackBad'))
    else setAsked(number)
  }
  return {
    text,
    change,
    error: fault === '' ? failure : fault,
    asked,
    ask,
    drop: () => setAsked(null),
    goBack: (number: number): void =>
      run(async () => {
        await backend.call('node.goBack', { number })
        change('')
      }),
  }
}
