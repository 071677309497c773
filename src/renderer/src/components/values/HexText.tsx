// Hashes, addresses and foreign text: shortened in lists, whole in the tooltip and when copied.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { visiblePieces } from '../../../../base/language/visible-text'
import { groupHex, shortHex, spelledAddress } from '../../format/bytes-text'
import { useText } from '../../i18n/text'
import styles from './HexText.module.css'

interface HexTextProps {
  readonly hex: string
  readonly isFull?: boolean
  /** What is copied, for the button's name. */
  readonly label?: string
  readonly href?: string
}

export function HashText({ hex, isFull = false, label, href }: HexTextProps) {
  const text = isFull ? hex : shortHex(hex)
  return (
    <span className={isFull ? styles.full : styles.short}>
      {href === undefined ? (
        <bdi title={hex}>{text}</bdi>
      ) : (
        <a href={href} title={hex}>
          <bdi>{text}</bdi>
        </a>
      )}
      {label !== undefined && <CopyButton text={hex} label={label} />}
    </span>
  )
}

interface AddressTextProps {
  readonly address: string
  /** `short` in lists, `grouped` where users compare every digit. */
  readonly form: 'short' | 'grouped'
  readonly label?: string
  /** Where a press on it leads. */
  readonly href?: string
  readonly testId?: string
}

/** An address with its checksum. */
export function AddressText({ address, form, label, href, testId }: AddressTextProps) {
  const spelled = spelledAddress(address)
  const text = form === 'short' ? shortHex(spelled) : groupHex(spelled)
  return (
    <span className={form === 'short' ? styles.short : styles.grouped} data-testid={testId} data-value={spelled}>
      {href === undefined ? (
        <bdi title={spelled}>{text}</bdi>
      ) : (
        <a href={href} title={spelled}>
          <bdi>{text}</bdi>
        </a>
      )}
      {label !== undefined && <CopyButton text={spelled} label={label} />}
    </span>
  )
}

/** Text that someone else wrote: nothing in it stays invisible, nothing in it is markup. */
export function ForeignText({ text, keepLines = false }: { readonly text: string; readonly keepLines?: boolean }) {
  const pieces = visiblePieces(text, keepLines)
  return (
    <bdi className={keepLines ? styles.lines : undefined}>
      {pieces.map((piece, index) =>
        piece.isMark ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one constant text have no other identity
          <mark key={index} className={styles.mark}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useText()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (): void => {
    void copyText(text).then(setCopied) // refused by the browser: the mark doesn't change
  }
  const Icon = isCopied ? Check : Copy
  return (
    <button type="button" className={styles.copy} onClick={copy} aria-label={t('ui.common.copy', { what: label })}>
      <Icon aria-hidden="true" />
    </button>
  )
}

/** Never rejects. @returns false when the browser refused */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return copyByHand(text)
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

/** By an invisible field, inside the open dialog if there is one: outside, the field can't get focus. */
function copyByHand(text: string): boolean {
  if (typeof document.execCommand !== 'function') return false
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  const home = document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body
  home.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isDone
}

/** Offers text as a file. Made by the browser itself, without a request; the desktop program asks where to save it. */
export function saveText(text: string, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
