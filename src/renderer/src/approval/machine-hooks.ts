// Reports events around an approval to its machine: attention, changed content, a key, and the user leaving or
// returning.
import { type RefObject, useEffect, useState } from 'react'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { useText } from '../i18n/text'
import { orLate } from '../state/answers/use-attempt'
import { useEnvironment } from '../state/environment'
import { useLatest } from '../state/use-latest'
import { type WatchAttention, watchPageAttention } from './attention'
import type { IsTrusted } from './decision/ApproveButton'
import type { ApprovalMachine, Outcome } from './machine'

/** What tests replace: the sources of attention and trust. */
export interface ApprovalSenses {
  readonly watchAttention?: WatchAttention
  readonly isTrusted?: IsTrusted
  /** Reports, until disposed, that the user went away or came back. */
  readonly watchPresence?: (onDisturbed: () => void) => Disposable
}

interface MachineInputs {
  readonly machine: ApprovalMachine
  readonly isCritical: boolean
  readonly holdMs: number
  /** Identifies the content. */
  readonly content: string
  readonly isReady: boolean
  readonly watch: WatchAttention | undefined
}

/** Reports to the machine what happens around it. */
export function useMachineInputs({ machine, isCritical, holdMs, content, isReady, watch }: MachineInputs): void {
  const { clock } = useEnvironment()
  useEffect(() => {
    const watching = (watch ?? watchPageAttention(window, clock))(machine)
    return () => watching.dispose()
  }, [machine, watch, clock])
  useEffect(() => () => machine.dispose(), [machine])
  useEffect(() => machine.setReady(isReady), [machine, isReady])
  useEffect(() => machine.setOptions({ isCritical, holdMs }), [machine, isCritical, holdMs])

  // The content changed under the user's hand: other warnings, other details.
  const [first] = useState({ content })
  useEffect(() => {
    if (first.content === content) return
    first.content = content
    machine.disturb()
  }, [machine, content, first])
}

/** A different person may come back to the screen: clears what was typed and disarms the button. */
export function useForgetWhenAway(watch: ApprovalSenses['watchPresence'], forget: () => void): void {
  const current = useLatest(forget)
  useEffect(() => {
    const watching = watch?.(() => current.current())
    return () => watching?.dispose()
  }, [watch])
}

/** Works with any focus, except in a layer above, which Escape closes. */
export function useOnEscape(act: () => void): void {
  const current = useLatest(act)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isElsewhere = event.target instanceof Element && event.target.closest('[role=dialog]') !== null
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) current.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** What was read left the screen: the scroll position jumped back without the user. */
export function useScrollReset(body: RefObject<HTMLElement | null>, onReset: () => void): void {
  const current = useLatest(onReset)
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

/** Ends the request on this page at once, and takes that back if the signer doesn't confirm it while the request waits. */
export function useRejection(machine: ApprovalMachine, isWaiting: boolean): (call: () => Promise<Outcome>) => void {
  const t = useText()
  const { clock } = useEnvironment()
  const waits = useLatest(isWaiting)
  return (call) => {
    machine.end('refused')
    const doubt = (reason: string): void => {
      if (waits.current) machine.settleRejection({ kind: 'again', message: t('ui.approval.notRejected', { reason }) })
    }
    void orLate(clock, call(), () => doubt(t('ui.common.unanswered')))
      .then((outcome) => machine.settleRejection(outcome))
      .catch((error: unknown) => doubt(messageOf(error)))
  }
}

/** Runs when the page closes while something on it waits. */
export function useOnLeave(act: () => void): void {
  const current = useLatest(act)
  useEffect(() => {
    const leave = (): void => current.current()
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [])
}
