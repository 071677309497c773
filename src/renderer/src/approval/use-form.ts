// What the user still has to give before a request can be approved: passwords, ticks, the text read to its end.
import { useRef, useState } from 'react'
import type { RequestView } from '../../../contract/signer'
import type { PasswordFieldHandle } from '../components/PasswordField'
import { type Finding, severityOf } from '../components/SeverityList'
import { type TextKey, type TextValues, useText } from '../i18n/text'
import { useSigner } from '../state/environment'
import { selectHasPassword } from '../state/signer-store'

/** Shortest password of a new account, as in the node family. */
export const MIN_PASSWORD = 10

export interface FormInput {
  readonly request: RequestView
  readonly findings: readonly Finding[]
  readonly isRead: boolean
  /** Typed digits in place of a timed hold. */
  readonly needsTail: boolean
  /** What is wrong with the edits; empty when nothing is. */
  readonly fault: string
}

export type ApprovalForm = ReturnType<typeof useApprovalForm>

/** State of the form; passwords stay in their input elements, only their length is known here. */
export function useApprovalForm({ request, findings, isRead, needsTail, fault }: FormInput) {
  const t = useText()
  const password = useRef<PasswordFieldHandle>(null)
  const repeat = useRef<PasswordFieldHandle>(null)
  const [typed, setTyped] = useState({ length: 0, isAscii: true })
  const [repeated, setRepeated] = useState(0)
  const [isMatching, setMatching] = useState(false)
  const { untick, ...ticks } = useTicks()
  const { isUnderstood, tail, ticked } = ticks

  const firstCritical = findings.find((finding) => severityOf(finding.severity) === 'CRITICAL')?.message ?? null
  const wantedTail = tailOf(request)
  const isStored = useSigner(selectHasPassword(signerOf(request)))
  const needsPassword = request.kind !== 'listing' && !isStored
  const isNew = request.kind === 'newAccount'

  const reason = missingReason({
    isRead,
    lacksTick: firstCritical !== null && !isUnderstood,
    wantedTail: needsTail && firstCritical !== null ? wantedTail : null,
    tail,
    lacksAccount: request.kind === 'listing' && ticked.length === 0,
    password: needsPassword ? { ...typed, repeated, isMatching, isNew } : null,
  })
  const clear = (): void => {
    password.current?.clear()
    repeat.current?.clear()
  }
  const compare = (): void => setMatching(sameBytes(password.current, repeat.current))
  return {
    missing: fault !== '' ? fault : reason === null ? '' : t(...reason),
    isRead,
    firstCritical,
    wantedTail,
    needsPassword,
    isStored,
    isNew,
    password,
    repeat,
    ...ticks,
    onPassword: (length: number, isAscii: boolean): void => {
      setTyped({ length, isAscii })
      compare()
    },
    onRepeat: (length: number): void => {
      setRepeated(length)
      compare()
    },
    /** Empties every field, on every way out. */
    clear,
    /** As it was when the request came. */
    forget: (): void => {
      clear()
      untick()
    },
  }
}

/** What is ticked and typed besides passwords. */
function useTicks() {
  const [isUnderstood, setUnderstood] = useState(false)
  const [tail, setTail] = useState('')
  const [ticked, setTicked] = useState<readonly string[]>([])
  const tick = (address: string, isTicked: boolean): void =>
    setTicked((old) => (isTicked ? [...old, address] : old.filter((other) => other !== address)))
  const untick = (): void => {
    setUnderstood(false)
    setTail('')
    setTicked([])
  }
  return { isUnderstood, setUnderstood, tail, setTail, ticked, tick, untick }
}

interface FormState {
  readonly isRead: boolean
  readonly lacksTick: boolean
  /** What has to be typed; null when nothing has to. */
  readonly wantedTail: string | null
  readonly tail: string
  readonly lacksAccount: boolean
  /** Null when none is needed. */
  readonly password: {
    readonly length: number
    readonly isAscii: boolean
    readonly repeated: number
    readonly isMatching: boolean
    readonly isNew: boolean
  } | null
}

/** The first thing that is missing, from top to bottom of the form. */
function missingReason(form: FormState): readonly [TextKey, TextValues?] | null {
  const { wantedTail, password } = form
  if (!form.isRead) return ['ui.approval.readToEnd']
  if (form.lacksTick) return ['ui.approval.missingTick']
  if (wantedTail !== null && form.tail.toLowerCase() !== wantedTail.toLowerCase())
    return ['ui.approval.missingTail', { digits: wantedTail.length }]
  if (form.lacksAccount) return ['ui.approval.missingAccount']
  if (password === null) return null
  if (password.length === 0) return ['ui.approval.missingPassword']
  if (!password.isNew) return null
  if (password.length < MIN_PASSWORD) return ['ui.password.tooShort', { count: MIN_PASSWORD }]
  if (!password.isAscii) return ['ui.password.notAscii']
  if (password.isMatching) return null
  return [password.repeated === 0 ? 'ui.password.repeatMissing' : 'ui.password.different']
}

function sameBytes(first: PasswordFieldHandle | null, second: PasswordFieldHandle | null): boolean {
  if (first === null || second === null) return false
  const one = first.bytes()
  const two = second.bytes()
  const isSame = one.length === two.length && one.every((byte, index) => byte === two[index])
  one.fill(0)
  two.fill(0)
  return isSame
}

/** Whose key signs; empty where none does. */
function signerOf({ transaction, data }: RequestView): string {
  return transaction?.from ?? data?.address ?? ''
}

/** The last four digits of where the money goes, else of who signs. */
function tailOf(request: RequestView): string {
  const transaction = request.transaction
  return (transaction?.to ?? transaction?.from ?? request.data?.address ?? '').slice(-4)
}
