// What the user still has to provide before a request can be approved: passwords, ticks, the text read to its end.
import { useRef, useState } from 'react'
import type { RequestView } from '../../../../contract/signer'
import type { PasswordFieldHandle } from '../../components/forms/PasswordField'
import { MIN_PASSWORD } from '../../format/secret-bytes'
import { type TextKey, type TextValues, useText } from '../../i18n/text'
import { useEnvironment, useSigner } from '../../state/environment'
import { selectKeptUntil, selectTakesPasswords } from '../../state/stores/signer-store'
import { type Finding, findingText, severityOf } from '../../widgets/incidents/SeverityList'
import type { Reading } from './use-reading'

// How hard a password would be to guess, in one of four words. A rough measure: length, kinds of characters, and
// repetitions or runs.

type Strength = 'weak' | 'fair' | 'good' | 'strong'

/** Minimum bits of guessing for each word. */
const steps: readonly (readonly [Strength, number])[] = [
  ['strong', 90],
  ['good', 65],
  ['fair', 45],
]

/** Words at the top of many password lists. */
const COMMON = /password|passwort|qwert|asdf|letmein|admin|headframe|parallax|bitcoin|ethereum/i

/** @param bytes of the password, ASCII where it counts; not changed */
function strengthOf(bytes: Uint8Array): Strength {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]
  const sizes = [26, 26, 10, 33]
  const text = String.fromCharCode(...bytes.subarray(0, 256))
  const alphabet = kinds.reduce((sum, kind, index) => sum + (kind.test(text) ? (sizes[index] ?? 0) : 0), 0)
  const fresh = bytes.reduce((sum, _, index) => sum + freshness(bytes, index), 0)
  const bits = (COMMON.test(text) ? fresh / 2 : fresh) * Math.log2(Math.max(2, alphabet))
  return steps.find(([, least]) => bits >= least)?.[0] ?? 'weak'
}

/** How new a character is: 0 when it continues a run, half when it occurred before. */
function freshness(bytes: Uint8Array, index: number): number {
  if (followsOn(bytes, index)) return 0
  return bytes.indexOf(bytes[index] ?? 0) === index ? 1 : 0.5
}

/** Equal to the character before it, or its neighbor: `aaaa`, `1234`, `edcb`. */
function followsOn(bytes: Uint8Array, index: number): boolean {
  const before = bytes[index - 1]
  const here = bytes[index]
  return before !== undefined && here !== undefined && Math.abs(here - before) <= 1
}

interface FormInput {
  readonly request: RequestView
  readonly findings: readonly Finding[]
  readonly reading: Pick<Reading, 'isRead' | 'unread'>
  /** Typed digits in place of a timed hold. */
  readonly needsTail: boolean
  /** What is wrong with the edits; empty when nothing is. */
  readonly fault: string
}

export type ApprovalForm = ReturnType<typeof useApprovalForm>

export interface Typed {
  readonly length: number
  readonly isAscii: boolean
  readonly strength: Strength
}

export type KeepMinutes = 5 | 15 | null

/** State of the form; passwords stay in their input elements, only their length is known here. */
export function useApprovalForm({ request, findings, reading, needsTail, fault }: FormInput) {
  const t = useText()
  const accounts = useSigner((state) => state.accounts)
  const [knownAccounts] = useState(() => (accounts?.accounts ?? []).map(({ address }) => address))
  const { untick, ...ticks } = useTicks()
  const { isUnderstood, tail, ticked } = ticks
  const { given, ...passwords } = usePasswords()
  const critical = findings.find((finding) => severityOf(finding.severity) === 'CRITICAL')
  const firstCritical = critical === undefined ? null : findingText(critical, t)
  const wantedTail = tailOf(request)
  const opening = useOpening(request, firstCritical !== null)
  const { needsPassword, takesPasswords, isNew } = opening

  const reason = missingReason({
    reading,
    lacksTick: firstCritical !== null && !isUnderstood,
    wantedTail: needsTail && firstCritical !== null ? wantedTail : null,
    tail,
    lacksAccount: request.kind === 'listing' && ticked.length === 0,
    isAtMachineOnly: needsPassword && !takesPasswords,
    password: needsPassword ? { ...given, isNew } : null,
  })
  return {
    missing: fault !== '' ? fault : reason === null ? '' : t(...reason),
    isRead: reading.isRead,
    firstCritical,
    wantedTail,
    knownAccounts,
    ...opening,
    ...passwords,
    ...ticks,
    forget: (): void => {
      passwords.clear()
      untick()
    },
  }
}

/** What unlocks the account, and whether it may stay so: what is critical or not understood needs the password. */
function useOpening(request: RequestView, isCritical: boolean) {
  const signer = signerOf(request)
  const { approvalKeys = null } = useEnvironment()
  const keptUntil = useSigner(selectKeptUntil(signer, approvalKeys?.known ?? null))
  const takesPasswords = useSigner(selectTakesPasswords)
  const mayKeep = useSigner((state) => state.switches?.keepUnlocked ?? false)
  const [keepMinutes, setKeepMinutes] = useState<KeepMinutes>(null)
  const isAlone = isCritical || (request.notUnderstood ?? []).length > 0
  const isKept = keptUntil !== null && !isAlone
  const device = request.device ?? null
  const needsPassword = request.kind !== 'listing' && !isKept && device === null
  const isNew = request.kind === 'newAccount'
  // Without its own keys a page couldn't approve anything later.
  const offersKeeping = approvalKeys !== null && mayKeep && needsPassword && !isNew && !isAlone && takesPasswords
  return {
    /** The device that holds the key and asks its owner; null if the key is a file. */
    device,
    isKept,
    takesPasswords,
    needsPassword,
    isNew,
    offersKeeping,
    keepMinutes: offersKeeping ? keepMinutes : null,
    setKeepMinutes,
  }
}

function usePasswords() {
  const password = useRef<PasswordFieldHandle>(null)
  const repeat = useRef<PasswordFieldHandle>(null)
  const [typed, setTyped] = useState<Typed>({ length: 0, isAscii: true, strength: 'weak' })
  const [repeated, setRepeated] = useState(0)
  const [isMatching, setMatching] = useState(false)
  const compare = (): void => setMatching(sameBytes(password.current, repeat.current))
  return {
    password,
    repeat,
    typed,
    given: { ...typed, repeated, isMatching },
    onPassword: (length: number, isAscii: boolean): void => {
      const bytes = password.current?.bytes() ?? new Uint8Array()
      setTyped({ length, isAscii, strength: strengthOf(bytes) })
      bytes.fill(0)
      compare()
    },
    onRepeat: (length: number): void => {
      setRepeated(length)
      compare()
    },
    clear: (): void => {
      password.current?.clear()
      repeat.current?.clear()
    },
  }
}

function useTicks() {
  const [isUnderstood, setUnderstood] = useState(false)
  const [tail, setTail] = useState('')
  const [isRemembered, setRemembered] = useState(false)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const tick = (address: string, isTicked: boolean): void =>
    setTicked((old) => (isTicked ? [...old, address] : old.filter((other) => other !== address)))
  const untick = (): void => {
    setUnderstood(false)
    setTail('')
    setRemembered(false)
    setTicked([])
  }
  return { isUnderstood, setUnderstood, tail, setTail, isRemembered, setRemembered, ticked, tick, untick }
}

interface FormState {
  readonly reading: FormInput['reading']
  readonly lacksTick: boolean
  /** What has to be typed; null if nothing. */
  readonly wantedTail: string | null
  readonly tail: string
  readonly lacksAccount: boolean
  /** A password is needed, but not accepted from here. */
  readonly isAtMachineOnly: boolean
  /** Null when none is needed. */
  readonly password: {
    readonly length: number
    readonly isAscii: boolean
    readonly repeated: number
    readonly isMatching: boolean
    readonly isNew: boolean
  } | null
}

/** The first missing thing, from top to bottom of the form. */
function missingReason(form: FormState): readonly [TextKey, TextValues?] | null {
  const { wantedTail, password } = form
  const { isRead, unread } = form.reading
  if (!isRead) return unread > 0 ? ['ui.approval.fieldsToRead', { count: unread }] : ['ui.approval.readToEnd']
  if (form.lacksTick) return ['ui.approval.missingTick']
  if (wantedTail !== null && form.tail.toLowerCase() !== wantedTail.toLowerCase())
    return ['ui.approval.missingTail', { digits: wantedTail.length }]
  if (form.lacksAccount) return ['ui.approval.missingAccount']
  if (form.isAtMachineOnly) return ['ui.approval.missingAtMachine']
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

/** The account that signs; empty if none does. */
function signerOf({ transaction, data }: RequestView): string {
  return transaction?.from ?? data?.address ?? ''
}

/** The last four digits of the receiver, or of the signing account. */
function tailOf(request: RequestView): string {
  const transaction = request.transaction
  return (transaction?.to ?? transaction?.from ?? request.data?.address ?? '').slice(-4)
}
