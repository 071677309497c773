// Reloads a page whose program was replaced or lost a file; never twice in a row, which would hide what is wrong.
import type { Clock } from '../../../../base/time'

const KEY = 'headframe.reloadedAt'
/** A page that fails again this soon after a reload would only loop. */
export const MIN_RELOAD_GAP_MS = 60_000

interface ReloadPlace {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly clock: Pick<Clock, 'now'>
  readonly reload: () => void
}

/** @returns false if the page was reloaded a moment ago and is left as it is */
export function reloadOnce({ storage, clock, reload }: ReloadPlace): boolean {
  const last = Number(storage.getItem(KEY) ?? 0)
  const age = clock.now() - last
  if (age >= 0 && age < MIN_RELOAD_GAP_MS) return false
  storage.setItem(KEY, String(clock.now()))
  reload()
  return true
}

/** Whether the page served now (`html`) has other files than this one. @param scripts their addresses as in its HTML */
export function isOtherPage(scripts: readonly string[], html: string): boolean {
  return scripts.length > 0 && !scripts.every((script) => html.includes(script))
}
