// Reloads the page when the program behind it was replaced or one of its files is gone. Never twice in a row: a page
// that a reload can't fix shows what is wrong instead.
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

/**
 * Whether the page that the program now serves consists of other files than this one.
 * @param scripts addresses of this page's scripts, as written in its HTML @param html what is served now
 */
export function isOtherPage(scripts: readonly string[], html: string): boolean {
  return scripts.length > 0 && !scripts.every((script) => html.includes(script))
}
