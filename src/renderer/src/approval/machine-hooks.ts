// Tells an approval's machine what happens around it: attention, changed content, a key, the user leaving or returning.
import { type RefObject, useEffect, useState } from 'react'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { Clock } from '../../../base/time'
import { useText } from '../i18n/text'
import { orLate } from '../state/answers/use-answer'
import { useEnvironment } from '../state/environment'
import { useLatest } from '../state/use-latest'
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
  readonly content: string
  readonly isReady: boolean
  readonly watch: WatchAttention | undefined
}

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

const MOVE_CHECK_MS = 250

export interface AttentionListener {
  setAttention(hasAttention: boolean): void
  disturb(): void
}

type WatchAttention = (listener: AttentionListener) => Disposable

/** Watches this page: focus, visibility, size, position and screen, and that no other page frames it. */
export function watchPageAttention(page: Window, clock: Clock): WatchAttention {
  return (listener) => {
    const place = (): string => {
      const { screen, screenX, screenY, devicePixelRatio } = page
      const { width, height, availWidth, availHeight, colorDepth } = screen
      return [screenX, screenY, devicePixelRatio, width, height, availWidth, availHeight, colorDepth].join()
    }
    const state = { place: place() }
    const look = (): void => {
      const { document } = page
      listener.setAttention(document.hasFocus() && document.visibilityState === 'visible' && page.top === page)
    }
    const disturb = (): void => listener.disturb()
    const timer = clock.setInterval(() => {
      look()
      if (place() === state.place) return
      state.place = place()
      listener.disturb()
    }, MOVE_CHECK_MS)
    page.addEventListener('focus', look)
    page.addEventListener('blur', look)
    page.addEventListener('resize', disturb)
    page.document.addEventListener('visibilitychange', look)
    look()
    return {
      dispose() {
        timer.dispose()
        page.removeEventListener('focus', look)
        page.removeEventListener('blur', look)
        page.removeEventListener('resize', disturb)
        page.document.removeEventListener('visibilitychange', look)
      },
    }
  }
}
