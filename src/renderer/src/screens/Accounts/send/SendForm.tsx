// Requests a transfer from the signer like any caller; the request is shown and decided there.
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import { TextField } from '../../../components/forms/TextField'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { isAddress } from '../../../format/bytes-text'
import { parseAmount } from '../../../format/parse-amount'
import { useFormat, useText } from '../../../i18n/text'
import { goTo } from '../../../navigation/router'
import { useApp, useEnvironment } from '../../../state/environment'
import { selectCanApprove, selectCanControl, selectIsOpen } from '../../../state/stores/app-store'
import { Button } from '../../../widgets/controls/Button'
import { AmountText } from '../../../widgets/facts/AmountText'
import styles from '../Accounts.module.css'
import { Recipient } from './Recipient'

const LAX_DECIMALS = 18

interface Draft {
  readonly nonce: number
  readonly gas: string
  readonly gasPrice: string
  readonly problem: string
}

interface Movement {
  readonly from: string
  readonly to: string
  readonly value: string
  readonly data: string
}

export function SendForm({ address }: { readonly address: string }) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const form = useSend(address)
  const { to, name, amount, value, prepared, isBusy, error, missing } = form
  if (!canControl) return null
  const amountError = amount === '' || value !== null ? '' : t('ui.send.noAmount')
  return (
    <Card title={t('ui.send.title')} testId="send-form">
      <form className={styles.form} onSubmit={form.prepare}>
        <Recipient from={address} to={to} onTo={form.setTo} name={name} onName={form.setName} />
        <TextField
          label={t('ui.send.amount')}
          data-testid="send-amount"
          inputMode="decimal"
          value={amount}
          error={amountError}
          onChange={form.setAmount}
        />
        {prepared === null ? (
          <Button type="submit" variant="primary" isBusy={isBusy} disabledReason={missing} data-testid="send-prepare">
            {t('ui.send.prepare')}
          </Button>
        ) : (
          <Prepared {...prepared} isBusy={isBusy} onAsk={form.ask} />
        )}
        {error !== '' && (
          <p className={styles.failed} role="alert">
            {error}
          </p>
        )}
      </form>
    </Card>
  )
}

/**
 * What was typed, what the node prepared from it, and the two steps: prepare, then request. Each change prepares again.
 */
function useSend(from: string) {
  const t = useText()
  const { backend } = useEnvironment()
  const canApprove = useApp(selectCanApprove)
  const isOpen = useApp(selectIsOpen)
  const [typed, setTyped] = useState({ to: '', amount: '' })
  const [name, setName] = useState('')
  const [prepared, setPrepared] = useState<{ readonly movement: Movement; readonly draft: Draft } | null>(null)
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { to, amount } = typed
  const value = parseAmount(amount, LAX_DECIMALS)
  const incomplete = value === null || !isAddress(to) ? t('ui.send.missing') : undefined
  const missing = isOpen ? incomplete : t('ui.pause.noContact')

  const edit = (part: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...part })
    setPrepared(null)
    setError('')
  }
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setError('')
    await work().catch((reason: unknown) => setError(messageOf(reason)))
    setBusy(false)
  }
  const prepare = (event: FormEvent): void => {
    event.preventDefault()
    if (missing !== undefined || value === null || isBusy) return
    const movement = { from, to, value: value.toString(), data: '0x' }
    void run(async () => setPrepared({ movement, draft: await backend.call('signer.draft', movement) }))
  }
  const ask = (): void => {
    if (prepared === null) return
    const { nonce, gas, gasPrice } = prepared.draft
    const label = name.trim()
    void run(async () => {
      // First, so that a failure leaves nothing sent, and the approval shows the name.
      if (label !== '') await backend.call('signer.watch', { address: prepared.movement.to, label })
      await backend.call('signer.send', { ...prepared.movement, nonce, gas, gasPrice })
      setName('')
      edit({ to: '', amount: '' })
      if (canApprove) goTo('/accounts/approvals')
    })
  }
  const setTo = (text: string): void => {
    setName('')
    edit({ to: text.trim() })
  }
  const setAmount = (text: string): void => edit({ amount: text })
  return { to, name, setName, amount, setTo, setAmount, value, prepared, isBusy, error, missing, prepare, ask }
}

interface PreparedProps {
  readonly movement: Movement
  readonly draft: Draft
  readonly isBusy: boolean
  readonly onAsk: () => void
}

function Prepared({ movement, draft, isBusy, onAsk }: PreparedProps) {
  const t = useText()
  const format = useFormat()
  const fee = BigInt(draft.gas) * BigInt(draft.gasPrice)
  return (
    <>
      <Facts>
        <Fact label={t('ui.approval.fee')}>
          <AmountText wei={fee.toString()} form="exact" />
        </Fact>
        <Fact label={t('ui.approval.total')}>
          <AmountText wei={(fee + BigInt(movement.value)).toString()} form="exact" testId="send-total" />
        </Fact>
        <Fact label={t('ui.approval.nonce')}>{format.text('count', draft.nonce)}</Fact>
      </Facts>
      {draft.problem !== '' && (
        <p className={styles.failed} role="alert">
          {t('ui.send.problem', { reason: draft.problem })}
        </p>
      )}
      <Button variant="primary" isBusy={isBusy} data-testid="send-ask" onClick={onAsk}>
        {t('ui.send.ask')}
      </Button>
      <p className={styles.asOf}>{t('ui.send.askText')}</p>
    </>
  )
}
