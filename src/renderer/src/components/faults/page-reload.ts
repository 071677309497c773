// Loads the page again when the program behind it was replaced or one of its files is gone. Never twice in a row: a page that
// cannot be mended that way shows what is wrong instead.
import type { Clock } from '../../../../base/time'

const KEY = 'headframe.reloadedAt'
/** A page that failed again within this time of its last reload would only fail in a circle. */
export const MIN_RELOAD_GAP_MS = 60_000

export interface ReloadPlace {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly clock: Pick<Clock, 'now'>
  readonly reload: () => void
}

/** @returns false when the page was reloaded a moment ago and is left as it is */
export function reloadOnce({ storage, clock, reload }: ReloadPlace): boolean {
  const last = Number(storage.getItem(KEY) ?? 0)
  const age = clock.now() - last
  if (age >= 0 && age < MIN_RELOAD_GAP_MS) return false
  storage.setItem(KEY, String(clock.now()))
  reload()
  return true
}

/**
 * Whether the page that the program serves now is made of other files than this one.
 * @param scripts addresses of this page's scripts, as written in its HTML @param html what is served now
 */
export function isOtherPage(scripts: readonly string[], html: string): boolean {
  return scripts.length > 0 && !scripts.every((script) => html.includes(script))
}
