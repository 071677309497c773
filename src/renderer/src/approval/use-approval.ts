// The life of one request on the screen: its machine, what is fed to it, and the two ways to decide.
import { type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Disposable } from '../../../base/disposable'
import type { RequestView } from '../../../contract/signer'
import { type Finding, severityOf, sortFindings } from '../components/SeverityList'
import { useFormat, useText } from '../i18n/text'
import { useApp, useEnvironment, useNode, usePreference, useSigner } from '../state/environment'
import { selectBalance } from '../state/node-store'
import type { IsTrusted } from './ApproveButton'
import { type WatchAttention, watchPageAttention } from './attention'
import { approve, reject } from './decide'
import { ApprovalMachine, HOLD_MS, isFinalPhase } from './machine'
import { ownFindings } from './own-checks'
import { useEdits } from './use-edits'
import { useApprovalForm } from './use-form'
import { useReadToEnd } from './use-read-to-end'
import { type SimulationState, useSimulation } from './use-simulation'

/** What tests replace: where attention and trust come from. */
export interface ApprovalSenses {
  readonly watchAttention?: WatchAttention
  readonly isTrusted?: IsTrusted
  /** Tells, until disposed, that the user went away or came back. */
  readonly watchPresence?: (onDisturbed: () => void) => Disposable
}

export interface ApprovalViewProps {
  readonly request: RequestView
  /** False once the queue does not have it any more. */
  readonly isWaiting: boolean
  readonly waitingCount: number
  /** Shows the next one, or leaves. */
  readonly onNext: () => void
  readonly onRejectAll: () => void
  /** How many wait from this caller, this one among them. */
  readonly fromCaller: number
  readonly onRejectCaller: () => void
  readonly senses?: ApprovalSenses
}

/** `body` scrolls, `end` marks where everything that matters has been seen. */
export function useApproval(
  { request, isWaiting, senses = {} }: ApprovalViewProps,
  body: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
) {
  const { backend, clock } = useEnvironment()
  const editing = useEdits(request)
  const simulation = useSimulation(request, editing.edits)
  const findings = useFindings(request, editing.transaction, simulation)
  const isCritical = findings.some((finding) => severityOf(finding.severity) === 'CRITICAL')
  const noTimedHolds = usePreference((preferences) => preferences.noTimedHolds)
  const holdMs = isCritical && !noTimedHolds ? HOLD_MS : 0
  const [machine] = useState(() => new ApprovalMachine({ isCritical, holdMs }, clock))
  const snapshot = useSyncExternalStore(machine.subscribe, machine.snapshot)
  const content = contentOf(request, findings)
  const shown = `${content} ${JSON.stringify(editing.texts)} ${simulation.kind === 'ready' ? JSON.stringify(simulation) : ''}`
  const isRead = useReadToEnd({ box: body, end, content, clock })
  const form = useApprovalForm({ request, findings, isRead, needsTail: noTimedHolds, fault: editing.missing })

  useMachineInputs({
    machine,
    request,
    isWaiting,
    isCritical,
    holdMs,
    content: shown,
    isReady: form.missing === '',
    watch: senses.watchAttention,
  })

  const refuse = (): void => {
    if (isFinalPhase(snapshot.phase) || snapshot.phase === 'submitting') return
    form.clear()
    machine.end('refused')
    void reject(backend, request)
  }
  const submit = async (): Promise<void> => {
    const password = form.needsPassword ? (form.password.current?.bytes() ?? null) : null
    form.clear()
    const accounts = request.kind === 'listing' ? form.ticked : null
    machine.settleOutcome(await approve(backend, request, { password, accounts, edits: editing.edits }))
    form.password.current?.focus()
  }
  useRefuseOnLeave(refuse)
  useForgetWhenAway(senses.watchPresence, () => {
    form.forget()
    machine.disturb()
  })
  return { machine, snapshot, findings, form, editing, simulation, holdMs, noTimedHolds, refuse, submit }
}

/** The signer's findings and our own, worst first. */
function useFindings(
  request: RequestView,
  transaction: RequestView['transaction'],
  simulation: SimulationState,
): readonly Finding[] {
  const t = useText()
  const format = useFormat()
  const chainId = useApp((state) => state.info?.chainId ?? null)
  const accounts = useSigner((state) => state.accounts)
  const outcome = simulation.kind === 'ready' ? simulation.simulation.outcome : null
  const balance = useNode(selectBalance(transaction?.from ?? ''))
  return useMemo(() => {
    const ownAddresses = (accounts?.accounts ?? []).map(({ address }) => address)
    const own =
      transaction === null
        ? []
        : ownFindings({ transaction, caller: request.caller, chainId, balance, ownAddresses, outcome }, { t, format })
    return sortFindings([...request.findings, ...own])
  }, [request.findings, request.caller, transaction, outcome, chainId, balance, accounts, t, format])
}

/** Names what is shown: the request as the signer has it, and all that is said about it. */
function contentOf({ nonce, contentHash }: RequestView, findings: readonly Finding[]): string {
  return `${nonce} ${contentHash} ${findings.map((finding) => finding.message).join('\n')}`
}

interface MachineInputs {
  readonly machine: ApprovalMachine
  readonly request: RequestView
  readonly isWaiting: boolean
  readonly isCritical: boolean
  readonly holdMs: number
  readonly content: string
  readonly isReady: boolean
  readonly watch: WatchAttention | undefined
}

/** Tells the machine what happens around it. */
function useMachineInputs({
  machine,
  request,
  isWaiting,
  isCritical,
  holdMs,
  content,
  isReady,
  watch,
}: MachineInputs): void {
  const { clock } = useEnvironment()
  useEffect(() => {
    const watching = (watch ?? watchPageAttention(window, clock))(machine)
    return () => watching.dispose()
  }, [machine, watch, clock])
  useEffect(() => () => machine.dispose(), [machine])
  useEffect(() => machine.setReady(isReady), [machine, isReady])
  useEffect(() => machine.setOptions({ isCritical, holdMs }), [machine, isCritical, holdMs])

  // What is shown changed under the user's hand: another list of warnings, another content.
  const [first] = useState({ content })
  useEffect(() => {
    if (first.content === content) return
    first.content = content
    machine.disturb()
  }, [machine, content, first])

  const { expiresAt } = request
  useEffect(() => {
    if (expiresAt === null) return
    const timer = clock.setTimeout(() => machine.end('expired'), Math.max(0, expiresAt - clock.now()))
    return () => timer.dispose()
  }, [machine, clock, expiresAt])
  useEffect(() => {
    if (isWaiting || machine.snapshot().phase === 'submitting') return
    const isLate = expiresAt !== null && clock.now() >= expiresAt - 500
    machine.end(request.state === 'expired' || isLate ? 'expired' : 'withdrawn')
  }, [machine, clock, isWaiting, request.state, expiresAt])
}

/** Whoever comes back to the screen may be another one: nothing typed is left, and nothing armed (ui.md 4.1). */
function useForgetWhenAway(watch: ApprovalSenses['watchPresence'], forget: () => void): void {
  const current = useRef(forget)
  useEffect(() => {
    current.current = forget
  })
  useEffect(() => {
    const watching = watch?.(() => current.current())
    return () => watching?.dispose()
  }, [watch])
}

/** A page that goes away while a request is open refuses it. */
function useRefuseOnLeave(refuse: () => void): void {
  const current = useRef(refuse)
  useEffect(() => {
    current.current = refuse
  })
  useEffect(() => {
    const leave = (): void => current.current()
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [])
}
