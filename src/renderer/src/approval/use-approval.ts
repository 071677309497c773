// The life of one request on the screen: its machine, what is fed to it, and the two ways to decide.
import { type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Disposable } from '../../../base/disposable'
import type { FactsView, RequestView } from '../../../contract/signer'
import { type Finding, severityOf, sortFindings } from '../components/SeverityList'
import { useFormat, useText } from '../i18n/text'
import { useApp, useEnvironment, useNode, usePreference, useSigner } from '../state/environment'
import { type NodeState, selectBalance, syncStateOf } from '../state/node-store'
import type { IsTrusted } from './ApproveButton'
import { type WatchAttention, watchPageAttention } from './attention'
import { approve, reject } from './decide'
import { ApprovalMachine, type FinalPhase, HOLD_MS, isFinalPhase, type Outcome } from './machine'
import { ownFindings } from './own-checks'
import { rememberListing } from './remember'
import { useEdits } from './use-edits'
import { useFacts } from './use-facts'
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
  /** Of this one among those that wait, from 1. */
  readonly position: number
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
  const t = useText()
  const { backend, clock } = useEnvironment()
  const editing = useEdits(request)
  const simulation = useSimulation(request, editing.edits)
  const facts = useFacts(request, editing.edits)
  const findings = useFindings(request, editing.transaction, simulation, facts)
  const isCritical = findings.some((finding) => severityOf(finding.severity) === 'CRITICAL')
  const noTimedHolds = usePreference((preferences) => preferences.noTimedHolds)
  const holdMs = isCritical && !noTimedHolds ? HOLD_MS : 0
  const [machine] = useState(() => new ApprovalMachine({ isCritical, holdMs }, clock))
  const snapshot = useSyncExternalStore(machine.subscribe, machine.snapshot)
  const content = contentOf(request, findings)
  const shown = `${content} ${JSON.stringify(editing.texts)} ${simulation.kind === 'running' ? '' : JSON.stringify(simulation)}`
  const isRead = useReadToEnd({ box: body, end, content, clock })
  const form = useApprovalForm({ request, findings, isRead, needsTail: noTimedHolds, fault: editing.missing })

  useMachineInputs({
    ...{ machine, request, isWaiting, isCritical, holdMs },
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
    const { needsPassword, password, ticked, isRemembered, keepMinutes } = form
    const bytes = needsPassword ? (password.current?.bytes() ?? null) : null
    form.clear()
    const accounts = request.kind === 'listing' ? ticked : null
    const given = { password: bytes, accounts, edits: editing.edits, keepMinutes }
    const outcome = await approve(backend, request, given)
    machine.settleOutcome(isRemembered ? await remembered(outcome) : outcome)
    password.current?.focus()
  }
  const remembered = async (outcome: Outcome): Promise<Outcome> => {
    if (outcome.kind !== 'final' || outcome.phase !== 'done') return outcome
    const isKept = await rememberListing(backend, request.caller, form.ticked)
    return isKept ? outcome : { ...outcome, message: t('ui.approval.notRemembered') }
  }
  useRefuseOnLeave(refuse)
  useRefuseOnEscape(refuse)
  useScrollReset(body, () => machine.disturb())
  useForgetWhenAway(senses.watchPresence, () => {
    form.forget()
    machine.disturb()
  })
  return { machine, snapshot, findings, facts, form, editing, simulation, holdMs, noTimedHolds, refuse, submit }
}

/** The signer's findings and our own, worst first. */
function useFindings(
  request: RequestView,
  transaction: RequestView['transaction'],
  simulation: SimulationState,
  facts: FactsView | null,
): readonly Finding[] {
  const t = useText()
  const format = useFormat()
  const chainId = useApp((state) => state.info?.chainId ?? null)
  const accounts = useSigner((state) => state.accounts)
  const outcome = simulation.kind === 'ready' ? simulation.simulation.outcome : null
  const balance = useNode(selectBalance(transaction?.from ?? ''))
  const { clock } = useEnvironment()
  const isAtTip = useNode((state) => isCurrent(state, clock.now()))
  return useMemo(() => {
    const ownAddresses = (accounts?.accounts ?? []).map(({ address }) => address)
    const own =
      transaction === null
        ? []
        : ownFindings(
            { transaction, caller: request.caller, chainId, balance, ownAddresses, outcome, facts, isAtTip },
            { t, format },
          )
    return sortFindings([...request.findings, ...own])
  }, [request.findings, request.caller, transaction, outcome, facts, isAtTip, chainId, balance, accounts, t, format])
}

/** A network of one's own has no peers to be behind of, however long ago its last block was. */
function isCurrent(state: NodeState, now: number): boolean {
  const sync = syncStateOf(state, now)
  return sync === 'tip' || (sync === 'stalled' && state.head?.peers === null)
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
  const t = useText()
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
    machine.end(
      endOf(request.state, isLate),
      request.state === 'waiting' && !isLate ? t('ui.approval.orElsewhere') : '',
    )
  }, [machine, clock, isWaiting, request.state, expiresAt, t])
}

/** How a request ended that left the queue without a decision from here. */
function endOf(state: RequestView['state'], isLate: boolean): FinalPhase {
  if (state === 'expired' || isLate) return 'expired'
  if (state === 'signed' || state === 'approved') return 'done'
  if (state === 'rejected') return 'refused'
  return state === 'failed' ? 'failed' : 'withdrawn'
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

/** Wherever the focus is, except in a layer above, which it closes. */
function useRefuseOnEscape(refuse: () => void): void {
  const current = useRef(refuse)
  useEffect(() => {
    current.current = refuse
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isElsewhere = event.target instanceof Element && event.target.closest('[role=dialog]') !== null
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) current.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** What was read is not on the screen any more: it jumped back to its begin, with nobody's hand on it. */
function useScrollReset(body: RefObject<HTMLElement | null>, onReset: () => void): void {
  const current = useRef(onReset)
  useEffect(() => {
    current.current = onReset
  })
  useEffect(() => {
    const box = body.current
    if (box === null) return
    let last = box.scrollTop
    const onScroll = (): void => {
      if (box.scrollTop === 0 && last > 0) current.current()
      last = box.scrollTop
    }
    box.addEventListener('scroll', onScroll)
    return () => box.removeEventListener('scroll', onScroll)
  }, [body])
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
