// Requests a transfer from the signer like any caller; the request is shown and decided there.
import { type FormEvent, useState } from 'react'
import { Choice } from '../../../components/forms/Choice'
import { TextField } from '../../../components/forms/TextField'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { ForeignText } from '../../../components/values/HexText'
import { isAddress, isMisspelled } from '../../../format/bytes-text'
import { readAmount } from '../../../format/parse-amount'
import { type Text, useLanguage, useText } from '../../../i18n/text'
import { goTo } from '../../../navigation/router'
import { useAttempt } from '../../../state/answers/use-answer'
import { useCanApprove, useCanControl, useEnvironment, useIsOpen, useNode } from '../../../state/environment'
import { selectBalance } from '../../../state/stores/program-store'
import { Button, Failure } from '../../../widgets/controls/Button'
import { amountFaultText } from '../../../widgets/facts/amount-fault'
import { AmountText } from '../../../widgets/facts/Value'
import styles from '../Accounts.module.css'
import { Recipient, SaveAs } from './Recipient'

const LAX_DECIMALS = 18

interface Draft {
  readonly nonce: number
  readonly gas: string
  readonly gasPrice: string
  readonly prices: readonly { readonly blocks: number; readonly gasPrice: string | null }[]
  readonly within: number | null
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
  const canControl = useCanControl()
  const form = useSend(address)
  const { to, name, amount, amountFault, prepared, isBusy, error, missing } = form
  if (!canControl) return null
  return (
    <Card title={t('ui.send.title')} testId="send-form">
      <form className={styles.form} onSubmit={form.prepare}>
        <Recipient from={address} to={to} onTo={form.setTo} />
        <TextField
          label={t('ui.send.amount')}
          data-testid="send-amount"
          inputMode="decimal"
          value={amount}
          error={amount === '' || amountFault === null ? '' : amountFaultText(amountFault, t)}
          onChange={form.setAmount}
        />
        {/* Below what was there before: nothing moves while it is typed. */}
        <SaveAs to={to} name={name} onName={form.setName} />
        {prepared === null ? (
          <Button type="submit" variant="primary" isBusy={isBusy} disabledReason={missing} data-testid="send-prepare">
            {t('ui.send.prepare')}
          </Button>
        ) : (
          <Prepared {...prepared} isBusy={isBusy} onWithin={form.setWithin} onAsk={form.ask} />
        )}
        <Failure text={error} />
      </form>
    </Card>
  )
}

/** What was typed, what the node prepared from it, and the steps: prepare, request. Each change prepares again. */
function useSend(from: string) {
  const t = useText()
  const { backend } = useEnvironment()
  const canApprove = useCanApprove()
  const isOpen = useIsOpen()
  const [typed, setTyped] = useState({ to: '', amount: '' })
  const [name, setName] = useState('')
  const [prepared, setPrepared] = useState<{ readonly movement: Movement; readonly draft: Draft } | null>(null)
  const { isBusy, failure, run, forget } = useAttempt()
  const { to, amount } = typed
  const { value, fault: amountFault } = readAmount(amount, LAX_DECIMALS)
  const incomplete = incompleteText({ to, amount, isAmountBad: amountFault !== null }, t)
  const missing = isOpen ? incomplete : t('ui.pause.noContact')

  const edit = (part: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...part })
    setPrepared(null)
    forget()
  }
  const prepare = (event: FormEvent): void => {
    event.preventDefault()
    if (missing !== undefined || value === null || isBusy) return
    const movement = { from, to, value: value.toString(), data: '0x' }
    run(async () => setPrepared({ movement, draft: await backend.call('signer.draft', movement) }))
  }
  const ask = (): void => {
    if (prepared === null) return
    const { nonce, gas, gasPrice } = prepared.draft
    const label = name.trim()
    run(async () => {
      // First, so that a failure leaves nothing sent, and the approval shows the name.
      if (label !== '') await backend.call('signer.watch', { address: prepared.movement.to, label })
      await backend.call('signer.send', { ...prepared.movement, nonce, gas, gasPrice })
      setName('')
      edit({ to: '', amount: '' })
      if (canApprove) goTo('/accounts/approvals')
    })
  }
  const setWithin = (blocks: number): void => {
    const price = prepared?.draft.prices.find((one) => one.blocks === blocks)?.gasPrice ?? null
    if (prepared === null || price === null) return
    setPrepared({ ...prepared, draft: { ...prepared.draft, within: blocks, gasPrice: price } })
  }
  const setTo = (text: string): void => {
    setName('')
    edit({ to: text.trim() })
  }
  const setAmount = (text: string): void => edit({ amount: text })
  const input = { to, name, setName, amount, amountFault, setTo, setAmount, missing }
  return { ...input, prepared, setWithin, isBusy, error: failure, prepare, ask }
}

/** The first field that still needs something; undefined if none does. */
function incompleteText(
  { to, amount, isAmountBad }: { readonly to: string; readonly amount: string; readonly isAmountBad: boolean },
  t: Text,
): string | undefined {
  if (to === '') return t('ui.send.missingTo')
  if (!isAddress(to) || isMisspelled(to)) return t('ui.send.fixTo')
  if (amount === '') return t('ui.send.missingAmount')
  return isAmountBad ? t('ui.send.fixAmount') : undefined
}

interface PreparedProps {
  readonly movement: Movement
  readonly draft: Draft
  readonly isBusy: boolean
  readonly onWithin: (blocks: number) => void
  readonly onAsk: () => void
}

function Prepared({ movement, draft, isBusy, onWithin, onAsk }: PreparedProps) {
  const { t, format } = useLanguage()
  const fee = BigInt(draft.gas) * BigInt(draft.gasPrice)
  return (
    <>
      <Speed draft={draft} onWithin={onWithin} />
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
          <Problem movement={movement} fee={fee} reason={draft.problem} />
        </p>
      )}
      <Button variant="primary" isBusy={isBusy} data-testid="send-ask" onClick={onAsk}>
        {t('ui.send.ask')}
      </Button>
      <p className={styles.asOf}>{t('ui.send.askText')}</p>
    </>
  )
}

interface ProblemProps {
  readonly movement: Movement
  readonly fee: bigint
  readonly reason: string
}

/** Too little money is said with both amounts; anything else in the node's words. */
function Problem({ movement, fee, reason }: ProblemProps) {
  const { t, format } = useLanguage()
  const available = useNode(selectBalance(movement.from))?.available
  const cost = fee + BigInt(movement.value)
  if (available !== undefined && cost > BigInt(available)) {
    const amounts = { cost: format.laxExact(cost), available: format.laxExact(BigInt(available)) }
    return t('ui.check.overdraft', amounts)
  }
  return <ForeignText text={t('ui.send.problem', { reason: reason.replace(/^err: /, '') })} />
}

/** The prices that your node knows, by the blocks within which they are confirmed; or that it knows none. */
function Speed({
  draft: { prices, within },
  onWithin,
}: {
  readonly draft: Draft
  readonly onWithin: (blocks: number) => void
}) {
  const t = useText()
  const known = prices.filter(({ gasPrice }) => gasPrice !== null).map(({ blocks }) => blocks)
  return (
    <>
      {within === null && (
        <p className={styles.asOf} data-testid="send-recent-price">
          {t('ui.send.recentPrice')}
        </p>
      )}
      {known.length > 0 && (
        <div data-testid="send-within">
          <p className={styles.asOf}>{t('ui.send.within')}</p>
          <Choice
            label={t('ui.send.within')}
            value={String(within)}
            options={known.map((blocks) => ({ value: String(blocks), label: t('ui.send.blocks', { blocks }) }))}
            onChange={(value) => onWithin(Number(value))}
          />
        </div>
      )}
    </>
  )
}
