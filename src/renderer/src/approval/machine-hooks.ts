// Events around an approval, reported to its machine: attention, change of what is shown, a key, and the user leaving
// or returning.
import { type RefObject, useEffect, useState } from 'react'
import type { Disposable } from '../../../base/disposable'
import { useEnvironment } from '../state/environment'
import { useLatest } from '../state/use-latest'
import { type WatchAttention, watchPageAttention } from './attention'
import type { IsTrusted } from './decision/ApproveButton'
import type { ApprovalMachine } from './machine'

/** What tests replace: where attention and trust come from. */
export interface ApprovalSenses {
  readonly watchAttention?: WatchAttention
  readonly isTrusted?: IsTrusted
  /** Tells, until disposed, that the user went away or came back. */
  readonly watchPresence?: (onDisturbed: () => void) => Disposable
}

export interface MachineInputs {
  readonly machine: ApprovalMachine
  readonly isCritical: boolean
  readonly holdMs: number
  /** Names what is shown. */
  readonly content: string
  readonly isReady: boolean
  readonly watch: WatchAttention | undefined
}

/** Tells the machine what happens around it. */
export function useMachineInputs({ machine, isCritical, holdMs, content, isReady, watch }: MachineInputs): void {
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
}

/** Whoever comes back to the screen may be another one: nothing typed is left, and nothing armed. */
export function useForgetWhenAway(watch: ApprovalSenses['watchPresence'], forget: () => void): void {
  const current = useLatest(forget)
  useEffect(() => {
    const watching = watch?.(() => current.current())
    return () => watching?.dispose()
  }, [watch])
}

/** Wherever the focus is, except in a layer above, which it closes. */
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

/** What was read is not on the screen any more: it jumped back to its beginning without the user. */
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

/** What a page does that goes away while something on it waits. */
export function useOnLeave(act: () => void): void {
  const current = useLatest(act)
  useEffect(() => {
    const leave = (): void => current.current()
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [])
}
