// The age of something, updated every second on its own, so that its surroundings aren't rendered again.
import { useFormat } from '../../i18n/text'
import { useNow } from '../../state/environment'

/** `time` in UTC ms; a time slightly in the future (another clock) reads as now. */
export function Age({ time }: { readonly time: number | null }) {
  const format = useFormat()
  const now = useNow()
  if (time === null) return <span>{format.age(null)}</span>
  return <time title={format.instant(time)}>{format.age(Math.max(0, now - time))}</time>
}
