// Notices that must not wait until someone looks at the activity: what the signer did or refused without asking. Each
// disappears on its own.

import { Suspense, useEffect, useRef, useState } from 'react'
import type { ActivityView } from '../../../../contract/app'
import { lazyPart } from '../../components/lazy-part'
import { useApp } from '../../state/environment'

/** More at once would cover the screen; the activity has them all. */
const MAX_SHOWN = 3

const NoticeList = lazyPart(async () => (await import('./NoticeList')).NoticeList)

/** Entries that came after this page was opened and that somebody should see. */
export function newNotices(entries: readonly ActivityView[], after: number): readonly ActivityView[] {
  return entries.filter(({ id, level, module }) => id > after && level !== 'info' && module.split('.')[0] === 'signer')
}

export function Notices() {
  const entries = useApp((state) => state.activity)
  const seen = useRef<number | null>(null)
  // Null until there was the first one: most pages never need what shows them.
  const [shown, setShown] = useState<readonly ActivityView[] | null>(null)
  useEffect(() => {
    if (entries === null) return
    const last = entries.at(-1)?.id ?? -1
    // What existed before isn't news; after a restart of the program ids start over.
    const after = seen.current === null || last < seen.current ? last : seen.current
    const fresh = newNotices(entries, after)
    seen.current = last
    if (fresh.length > 0) setShown((before) => [...(before ?? []), ...fresh].slice(-MAX_SHOWN))
  }, [entries])
  if (shown === null) return null
  return (
    <Suspense fallback={null}>
      <NoticeList
        entries={shown}
        onClose={(id) => setShown((before) => (before ?? []).filter((entry) => entry.id !== id))}
      />
    </Suspense>
  )
}
