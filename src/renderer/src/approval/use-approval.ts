// The life of one request on the screen: its machine, the machine's inputs, and the two ways to decide.

import { type RefObject, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { HeadframeError, messageOf } from '../../../base/errors'
import type { DecisionView, RequestView } from '../../../contract/signer'
import type { EditsView } from '../../../contract/signer-tools'
import type { Backend } from '../data/backend'
import { useLanguage, useText } from '../i18n/text'
import { useCall } from '../state/answers/use-answer'
import { useApp, useEnvironment, useNode, usePreference, useSigner } from '../state/environment'
import { selectBalance } from '../state/stores/program-store'
import { useKept } from '../state/use-latest'
import { type Finding, severityOf, sortFindings } from '../widgets/incidents/SeverityList'
import { type GivenHere, type PageSide, prepared } from './decision/page-approval'
import { rememberListing } from './decision/remember'
import { type Editing, useEdits } from './decision/use-edits'
import { useApprovalForm } from './decision/use-form'
import { useReading } from './decision/use-reading'
import { ApprovalMachine, type FinalPhase, HOLD_MS, isFinalPhase, type Outcome } from './machine'
import {
  type ApprovalSenses,
  useForgetWhenAway,
  useMachineInputs,
  useOnEscape,
  useOnLeave,
  useRejection,
  useScrollReset,
} from './machine-hooks'
import { ownDataFindings, ownFindings } from './request/own-checks'
import { type SimulationState, useIsCurrent, useSimulation } from './use-simulation'

// What our node and our audit log know about the request, queried again after each edit.

type KnownFacts = ReturnType<typeof useFacts>

function useFacts({ id, transaction, data }: RequestView, edits: EditsView | null) {
  const { value, reason } = useCall('signer.facts', transaction === null && data === null ? null : { id, edits })
  const isAnswered = (transaction === null && data === null) || value !== null || reason !== ''
  return { facts: value?.facts ?? null, isAnswered, isUnanswered: reason !== '' }
}

// Drawn before its warnings are known, a request would move down when they arrive, under the eyes of who reads it.

/** A node that answers later than this delays nothing: well before a request can be armed. */
export const FIRST_DRAWING_MS = 250

/** True once everything is known, or it took too long; true ever after that. */
function useFirstDrawing(isKnown: boolean): boolean {
  const { clock } = useEnvironment()
  const [isDrawn, setDrawn] = useState(isKnown)
  if (isKnown && !isDrawn) setDrawn(true)
  useEffect(() => {
    if (isDrawn) return
    const timer = clock.setTimeout(() => setDrawn(true), FIRST_DRAWING_MS)
    return () => timer.dispose()
  }, [clock, isDrawn])
  return isDrawn || isKnown
}

export interface ApprovalViewProps {
  readonly request: RequestView
  /** False once it left the queue. */
  readonly isWaiting: boolean
  readonly waitingCount: number
  readonly position: number
  /** Shows the next request, or leaves. */
  readonly onNext: () => void
  readonly onQueue: () => void
  /** Waiting requests of this caller, including this one. */
  readonly fromCaller: number
  readonly senses?: ApprovalSenses
}

/** `body` scrolls; `end` marks the point where everything that matters was seen. */
export function useApproval(
  { request, isWaiting, senses = {} }: ApprovalViewProps,
  body: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
) {
  const t = useText()
  const { backend, clock, approvalKeys = null } = useEnvironment()
  const editing = useEdits(request)
  const simulation = useSimulation(request, editing.edits)
  const lookup = useFacts(request, editing.edits)
  const found = useFindings(request, editing, simulation, lookup)
  const isDrawn = useFirstDrawing(lookup.isAnswered && simulation.kind !== 'running')
  const isCritical = found.some((finding) => severityOf(finding.severity) === 'CRITICAL')
  const noTimedHolds = usePreference((preferences) => preferences.noTimedHolds)
  const holdMs = isCritical && !noTimedHolds ? HOLD_MS : 0
  const [machine] = useState(() => new ApprovalMachine({ isCritical, holdMs }, clock))
  const snapshot = useSyncExternalStore(machine.subscribe, machine.snapshot)
  const isSettled = isFinalPhase(snapshot.phase) || snapshot.phase === 'submitting' || !isWaiting
  const balance = useNode(selectBalance(editing.transaction?.from ?? ''))
  // The page of a settled request shows what was decided on: its own effects aren't findings about it.
  const now = { facts: lookup.facts, simulation, balance }
  const { findings, known } = useKept({ findings: found, known: now }, isSettled)
  const content = isDrawn ? contentOf(request, findings) : ''
  const shown = `${content} ${JSON.stringify(editing.texts)} ${simulation.kind === 'running' ? '' : JSON.stringify(simulation)}`
  const reading = useReading({ box: body, end, content, clock })
  const fault = lookup.isAnswered ? editing.missing : t('ui.approval.checking')
  const form = useApprovalForm({ request, findings, reading, needsTail: noTimedHolds, fault })
  const isReady = form.missing === ''
  useMachineInputs({ machine, isCritical, holdMs, content: shown, isReady, watch: senses.watchAttention })
  useRequestEnds({ machine, request, isWaiting })
  const endRejected = useRejection(machine, isWaiting)

  const refuse = (): void => {
    if (isFinalPhase(snapshot.phase) || snapshot.phase === 'submitting') return
    form.clear()
    endRejected(() => decide(backend, { ...identityOf(request), decision: 'reject', password: null, accounts: null }))
  }
  const page = { keys: approvalKeys, otherKeyProcess: t('ui.approval.otherKeyProcess') }
  const submit = async (): Promise<void> => {
    const { needsPassword, password, ticked, isRemembered, isKept, keepMinutes } = form
    const bytes = needsPassword ? (password.current?.bytes() ?? null) : null
    form.clear()
    const given = {
      password: bytes,
      accounts: request.kind === 'listing' ? ticked : null,
      edits: editing.edits,
      isKept,
      keepMinutes,
    }
    const outcome = await approve(backend, request, given, page)
    const isDone = outcome.kind === 'final' && outcome.phase === 'done'
    const isLost = isRemembered && isDone && !(await rememberListing(backend, request.caller, form.ticked))
    machine.settleOutcome(isLost ? { ...outcome, message: t('ui.approval.notRemembered') } : outcome)
    password.current?.focus()
  }
  useOnLeave(refuse)
  useOnEscape(refuse)
  useScrollReset(body, () => machine.disturb())
  useForgetWhenAway(senses.watchPresence, () => {
    form.forget()
    machine.disturb()
  })
  return {
    machine,
    snapshot,
    isDrawn,
    findings,
    ...known,
    form,
    editing,
    reading,
    holdMs,
    noTimedHolds,
    refuse,
    submit,
  }
}

const NOT_SIMULATED = { outcome: null, dependsOnBlock: undefined }

/** The signer's findings and our own, worst first. */
function useFindings(
  request: RequestView,
  { transaction, findings: edited }: Pick<Editing, 'transaction' | 'findings'>,
  simulation: SimulationState,
  { facts, isUnanswered }: KnownFacts,
): readonly Finding[] {
  const { t, format } = useLanguage()
  const chainId = useApp((state) => state.info?.chainId ?? null)
  const accounts = useSigner((state) => state.accounts)
  const { outcome, dependsOnBlock } = simulation.kind === 'ready' ? simulation.simulation : NOT_SIMULATED
  const balance = useNode(selectBalance(transaction?.from ?? ''))
  const isSynced = useIsCurrent()
  return useMemo(() => {
    const ownAddresses = (accounts?.accounts ?? []).map(({ address }) => address)
    const own =
      transaction === null
        ? ownDataFindings({ facts, isUnanswered, dependsOnBlock, caller: request.caller }, { t, format })
        : ownFindings(
            {
              transaction,
              caller: request.caller,
              chainId,
              balance,
              ownAddresses,
              outcome,
              dependsOnBlock,
              facts,
              isUnanswered,
              isSynced,
            },
            { t, format },
          )
    return sortFindings([...(edited ?? request.findings), ...own])
  }, [
    request.findings,
    edited,
    request.caller,
    transaction,
    outcome,
    dependsOnBlock,
    facts,
    isUnanswered,
    isSynced,
    chainId,
    balance,
    accounts,
    t,
    format,
  ])
}

/** Identifies the content: the request as the signer has it, and every finding about it. */
function contentOf({ nonce, contentHash }: RequestView, findings: readonly Finding[]): string {
  return `${nonce} ${contentHash} ${findings.map((finding) => finding.message).join('\n')}`
}

interface RequestEnds {
  readonly machine: ApprovalMachine
  readonly request: RequestView
  readonly isWaiting: boolean
}

/** Tells the machine that the request ended without a decision on this page. */
function useRequestEnds({ machine, request, isWaiting }: RequestEnds): void {
  const t = useText()
  const { clock } = useEnvironment()
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

/** The final state of a request that left the queue without a decision on this page. */
function endOf(state: RequestView['state'], isLate: boolean): FinalPhase {
  if (state === 'expired' || isLate) return 'expired'
  if (state === 'signed' || state === 'approved') return 'done'
  if (state === 'rejected') return 'refused'
  return state === 'failed' ? 'failed' : 'withdrawn'
}

type DecisionState = RequestView['state']

/** What an approval carries besides the request's identity. */
interface Given extends GivenHere {
  /** The ticked addresses of a listing. */
  readonly accounts: readonly string[] | null
  readonly edits: EditsView | null
}

async function approve(
  backend: Pick<Backend, 'call'>,
  request: RequestView,
  given: Given,
  page: PageSide,
): Promise<Outcome> {
  const { accounts, edits } = given
  const ready = await prepared(backend, [request], given, page)
  if ('refusal' in ready) return { kind: 'again', message: ready.refusal }
  const approval = ready.sealed ?? ready.tokens[0] ?? null
  return send(backend, {
    ...identityOf(request),
    decision: 'approve',
    password: ready.password,
    accounts: accounts === null ? null : [...accounts],
    edits,
    ...(approval === null ? {} : { approval }),
  })
}

function identityOf({ id, nonce, contentHash }: RequestView): Pick<DecisionView, 'id' | 'nonce' | 'contentHash'> {
  return { id, nonce, contentHash }
}

async function decide(backend: Pick<Backend, 'call'>, decision: DecisionView): Promise<Outcome> {
  const { state, error } = await backend.call('signer.decide', decision)
  return outcomeOf(state, error)
}

async function send(backend: Pick<Backend, 'call'>, decision: DecisionView): Promise<Outcome> {
  try {
    return await decide(backend, decision)
  } catch (error: unknown) {
    const isLost = error instanceof HeadframeError && error.code === 'CONTRACT_CLOSED'
    return { kind: 'final', phase: 'failed', message: isLost ? '' : messageOf(error) }
  }
}

function outcomeOf(state: DecisionState, error: string): Outcome {
  switch (state) {
    case 'waiting':
      return { kind: 'again', message: error }
    case 'approved':
    case 'signed':
      return { kind: 'final', phase: 'done', message: '' }
    case 'rejected':
      return { kind: 'final', phase: 'refused', message: error }
    default:
      return { kind: 'final', phase: state, message: error }
  }
}
