// Asks what "all" means where other rigs could be included, and confirms before an easily hit key stops everything.
import { useStore } from 'zustand'
import { AlertModal, ModalCancel } from '../components/layout/Modal'
import { type Text, useText } from '../i18n/text'
import { useEnvironment } from '../state/environment'
import { Button } from '../widgets/controls/Button'

/** The answers must stay in sight. */
const MAX_NAMED = 8

/** The first rigs by name; of the others, their number. */
function namesText(rigs: readonly string[], t: Text): string {
  const named = rigs.slice(0, MAX_NAMED).join(', ')
  const more = rigs.length - MAX_NAMED
  return more > 0 ? `${named} ${t('ui.rigs.awayMore', { count: more })}` : named
}

export function PauseAllDialog() {
  const { pauseAll } = useEnvironment().stores
  const question = useStore(pauseAll.store, (state) => state.question)
  const t = useText()
  if (question === null) return null
  const { wanted, rigs } = question
  const count = rigs.length
  return (
    <AlertModal
      title={t(wanted ? 'ui.pause.askPause' : 'ui.pause.askResume')}
      description={
        <p>
          {t(wanted ? 'ui.pause.askPauseText' : 'ui.pause.askResumeText')}{' '}
          {count > 0 && t('ui.pause.askRigs', { count, names: namesText(rigs, t) })}
        </p>
      }
      testId="pause-all-question"
      onClose={() => pauseAll.answer(null)}
      actions={
        <>
          <ModalCancel asChild>
            <Button variant="quiet">{t('ui.common.cancel')}</Button>
          </ModalCancel>
          {count > 0 && (
            <Button data-testid="pause-everywhere" onClick={() => pauseAll.answer('everywhere')}>
              {t(wanted ? 'ui.pause.everywhere' : 'ui.pause.resumeEverywhere', { count: count + 1 })}
            </Button>
          )}
          <Button variant="strong" data-testid="pause-here" onClick={() => pauseAll.answer('here')}>
            {t(wanted ? 'ui.pause.here' : 'ui.pause.resumeHere')}
          </Button>
        </>
      }
    />
  )
}
