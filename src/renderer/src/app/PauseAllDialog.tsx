// Asks what "all" means where other rigs could be included, and confirms before an easily hit key stops everything.
import { AlertDialog } from 'radix-ui'
import { useStore } from 'zustand'
import dialog from '../components/layout/Dialog.module.css'
import { useText } from '../i18n/text'
import { useEnvironment } from '../state/environment'
import { Button } from '../widgets/controls/Button'

export function PauseAllDialog() {
  const { pauseAll } = useEnvironment().stores
  const question = useStore(pauseAll.store, (state) => state.question)
  const t = useText()
  if (question === null) return null
  const { wanted, rigs } = question
  const count = rigs.length
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && pauseAll.answer(null)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={dialog.overlay} />
        <AlertDialog.Content className={dialog.dialog} data-testid="pause-all-question">
          <AlertDialog.Title className={dialog.title}>
            {t(wanted ? 'ui.pause.askPause' : 'ui.pause.askResume')}
          </AlertDialog.Title>
          <AlertDialog.Description className={dialog.body}>
            {t(wanted ? 'ui.pause.askPauseText' : 'ui.pause.askResumeText')}{' '}
            {count > 0 && t('ui.pause.askRigs', { count, names: rigs.join(', ') })}
          </AlertDialog.Description>
          <div className={dialog.actions}>
            <AlertDialog.Cancel asChild>
              <Button>{t('ui.common.cancel')}</Button>
            </AlertDialog.Cancel>
            {count > 0 && (
              <Button data-testid="pause-everywhere" onClick={() => pauseAll.answer('everywhere')}>
                {t(wanted ? 'ui.pause.everywhere' : 'ui.pause.resumeEverywhere', { count: count + 1 })}
              </Button>
            )}
            <Button variant="primary" data-testid="pause-here" onClick={() => pauseAll.answer('here')}>
              {t(wanted ? 'ui.pause.here' : 'ui.pause.resumeHere')}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
