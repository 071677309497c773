// The line that reports a blocked caller.
import { VolumeX } from 'lucide-react'
import { Note } from '../components/layout/Note'
import { useFormat, useText } from '../i18n/text'
import { useEnvironment, useSigner } from '../state/environment'
import { Button } from '../widgets/controls/Button'
import { useMayDecide } from './decision/may-decide'

/** A caller that was rejected entirely, while its block lasts. */
export function QuietBar() {
  const t = useText()
  const format = useFormat()
  const { backend } = useEnvironment()
  const until = useSigner((state) => state.requests?.quietUntil ?? null)
  const mayDecide = useMayDecide()
  if (until === null) return null
  return (
    <Note
      tone="plain"
      icon={VolumeX}
      role="status"
      testId="quiet-bar"
      action={
        mayDecide && (
          <Button
            size="small"
            needsContact
            onClick={() => void backend.call('signer.hearAll', {}).catch(() => undefined)}
          >
            {t('ui.approval.hearAll')}
          </Button>
        )
      }
    >
      {t('ui.approval.quiet', { time: format.timeOfDay(until) })}
    </Note>
  )
}
