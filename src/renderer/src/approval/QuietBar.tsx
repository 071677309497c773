// The line that reports a blocked caller.
import { VolumeX } from 'lucide-react'
import { Note } from '../components/layout/Note'
import { useLanguage } from '../i18n/text'
import { useAttempt } from '../state/answers/use-answer'
import { useEnvironment, useSigner } from '../state/environment'
import { Button, Failure } from '../widgets/controls/Button'
import { useMayDecide } from './decision/may-decide'

/** A caller that was rejected entirely, while its block lasts. */
export function QuietBar() {
  const { t, format } = useLanguage()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
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
            data-testid="hear-all"
            onClick={() => run(() => backend.call('signer.hearAll', {}))}
          >
            {t('ui.approval.hearAll')}
          </Button>
        )
      }
    >
      {t('ui.approval.quiet', { time: format.timeOfDay(until) })}
      <Failure text={failure} />
    </Note>
  )
}
