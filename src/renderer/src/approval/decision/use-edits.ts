// The user's changes to a transaction: parsed exactly, checked again by the signer, and shown with their new cost.
import { useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { RequestView, TransactionRequestView } from '../../../../contract/signer'
import type { EditsView } from '../../../../contract/signer-tools'
import { amountText, parseAmount } from '../../format/parse-amount'
import { useText } from '../../i18n/text'
import { useEnvironment } from '../../state/environment'

export type EditField = keyof EditsView

/** Prices are typed in gwei. */
const GWEI_DECIMALS = 9
const CHECK_AFTER_MS = 300

const BITS: Readonly<Record<EditField, number>> = {
  gas: 64,
  nonce: 64,
  gasPrice: 256,
  maxFeePerGas: 256,
  maxPriorityFeePerGas: 256,
}

interface Checked {
  /** Which edits the answer is about. */
  readonly edits: EditsView | null
  readonly objection: string
  /** About the edited transaction; null if the check failed. */
  readonly findings: RequestView['findings'] | null
}

export type Editing = ReturnType<typeof useEdits>

/** `transaction` is the one that would be signed: with the edits if they parse. */
export function useEdits({ id, transaction }: Pick<RequestView, 'id' | 'transaction'>) {
  const t = useText()
  const { backend, clock } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const [texts, setTexts] = useState<Readonly<Partial<Record<EditField, string>>>>({})
  const read = useMemo(() => readEdits(transaction, texts), [transaction, texts])
  const { edits } = read
  const [checked, setChecked] = useState<Checked>({ edits: null, objection: '', findings: null })

  useEffect(() => {
    if (edits === null) return
    let isOver = false
    const ask = async (): Promise<void> => {
      const answer = await backend.call('signer.checkEdits', { id, edits }).catch((error: unknown) => {
        return { objection: messageOf(error), findings: null }
      })
      if (!isOver) setChecked({ edits, ...answer })
    }
    const timer = clock.setTimeout(() => void ask(), CHECK_AFTER_MS)
    return () => {
      isOver = true
      timer.dispose()
    }
  }, [edits, id, backend, clock])

  const isChecking = edits !== null && checked.edits !== edits
  const objection = edits !== null && !isChecking ? checked.objection : ''
  return {
    isOpen,
    toggle: (): void => setOpen(!isOpen),
    texts,
    change: (field: EditField, text: string): void => setTexts((old) => ({ ...old, [field]: text })),
    undo: (): void => setTexts({}),
    fields: fieldsOf(transaction),
    faults: read.faults,
    /** Null when nothing changed, or while a field doesn't parse. */
    edits: read.faults.length > 0 ? null : edits,
    objection,
    /** The signer's findings about the edited transaction; null while the original findings apply. */
    findings: edits !== null && !isChecking ? checked.findings : null,
    isChecking,
    transaction: read.faults.length > 0 ? transaction : edited(transaction, edits),
    /** Why it can't be approved yet; empty when it can. */
    missing: missingText(t, read.faults.length > 0, isChecking, objection),
  }
}

function missingText(t: ReturnType<typeof useText>, hasFault: boolean, isChecking: boolean, objection: string): string {
  if (hasFault) return t('ui.edit.fault')
  if (isChecking) return t('ui.edit.checking')
  return objection === '' ? '' : t('ui.edit.refused', { reason: objection })
}

function fieldsOf(transaction: TransactionRequestView | null): readonly EditField[] {
  if (transaction === null) return []
  const prices: readonly EditField[] =
    transaction.form === 'dynamicFee' ? ['maxFeePerGas', 'maxPriorityFeePerGas'] : ['gasPrice']
  return ['gas', ...prices, 'nonce']
}

export function decimalsOf(field: EditField): number {
  return field === 'gas' || field === 'nonce' ? 0 : GWEI_DECIMALS
}

export function fieldText(transaction: TransactionRequestView, field: EditField): string {
  return amountText(BigInt(transaction[field] ?? 0), decimalsOf(field))
}

function readEdits(transaction: TransactionRequestView | null, texts: Readonly<Partial<Record<EditField, string>>>) {
  const edits: EditsView = { gas: null, nonce: null, gasPrice: null, maxFeePerGas: null, maxPriorityFeePerGas: null }
  const faults: EditField[] = []
  for (const field of fieldsOf(transaction)) {
    const text = texts[field]
    if (transaction === null || text === undefined) continue
    const value = parseAmount(text, decimalsOf(field))
    if (value === null || value >= 1n << BigInt(BITS[field])) faults.push(field)
    else if (value !== BigInt(transaction[field] ?? 0)) edits[field] = value.toString()
  }
  const isChanged = Object.values(edits).some((value) => value !== null)
  return { edits: isChanged ? edits : null, faults }
}

function edited(transaction: TransactionRequestView | null, edits: EditsView | null): TransactionRequestView | null {
  if (transaction === null || edits === null) return transaction
  const gas = edits.gas ?? transaction.gas
  const gasPrice = edits.gasPrice ?? transaction.gasPrice
  const maxFeePerGas = edits.maxFeePerGas ?? transaction.maxFeePerGas
  const maximumFee = BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice ?? 0)
  return {
    ...transaction,
    gas,
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas: edits.maxPriorityFeePerGas ?? transaction.maxPriorityFeePerGas,
    nonce: edits.nonce ?? transaction.nonce,
    maximumFee: maximumFee.toString(),
    maximumTotal: (maximumFee + BigInt(transaction.value)).toString(),
  }
}
