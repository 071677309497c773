// Notices that can't wait until someone opens the activity: what the signer did or refused without asking. Each
// disappears by itself.

import { Suspense, useEffect, useRef, useState } from 'react'
import type { ActivityView } from '../../../../contract/app'
import { lazyPart } from '../../components/lazy-part'
import { useApp } from '../../state/environment'

/** More would cover the screen; the activity lists all. */
const MAX_SHOWN = 3

const NoticeList = lazyPart(async () => (await import('./NoticeList')).NoticeList)

/** Entries since this page was opened that the user should see. */
function newNotices(entries: readonly ActivityView[], after: number): readonly ActivityView[] {
  return entries.filter(({ id, level, module }) => id > after && level !== 'info' && module.split('.')[0] === 'signer')
}

export function Notices() {
  const entries = useApp((state) => state.activity)
  const seen = useRef<number | null>(null)
  // Null until the first notice: most pages never need the component that shows them.
  const [shown, setShown] = useState<readonly ActivityView[] | null>(null)
  useEffect(() => {
    if (entries === null) return
    const last = entries.at(-1)?.id ?? -1
    // Existing entries aren't news. After a restart of the program, ids start over.
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
