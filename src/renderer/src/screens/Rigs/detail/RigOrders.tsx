// Commands to a whole rig: pause, resume, restart.
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import type { RigView } from '../../../../../contract/rigs'
import { ForeignText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { useEnvironment } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import styles from '../Rigs.module.css'
import { RigPause, RigPauseMessage } from './RigPause'
import { refusalText } from './rig-commands'
import type { RigControls } from './rig-controls'

/** All GPUs of the rig at once. */
export function RigOrders({ rig, controls }: { readonly rig: RigView; readonly controls: RigControls }) {
  const t = useText()
  const gpus = rig.figures?.gpus ?? []
  const isPaused = gpus.length > 0 && gpus.every((gpu) => gpu.paused)
  const reason = isPaused ? [...new Set(gpus.map((gpu) => gpu.pauseReason))].join('; ') : ''
  return (
    <div className={styles.commands}>
      {gpus.length > 0 && (
        <RigPause
          controls={controls}
          target="all"
          isPaused={isPaused}
          reason={reason}
          name={t('ui.rigs.allOf', { rig: rig.name })}
          testId="rig-pause"
        />
      )}
      <Restart name={rig.name} />
      <RigPauseMessage controls={controls} target="all" />
    </div>
  )
}

function Restart({ name }: { readonly name: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [isAsking, setAsking] = useState(false)
  const [said, setSaid] = useState<{ readonly isDone: boolean; readonly text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const restart = async (): Promise<void> => {
    setBusy(true)
    setSaid(null)
    try {
      const { results } = await backend.call('miner.rigCommand', { rigs: [name], action: 'restart', gpu: null })
      const failed = results.find(({ error }) => error !== '')
      setSaid(
        failed === undefined
          ? { isDone: true, text: t('ui.rigs.restarting') }
          : { isDone: false, text: refusalText(failed, t) },
      )
    } catch (error: unknown) {
      setSaid({ isDone: false, text: messageOf(error) })
    }
    setBusy(false)
  }
  return (
    <>
      <Button
        size="small"
        needsContact
        isBusy={isBusy}
        data-testid="rig-restart"
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t('ui.rigs.command.restart')}
      </Button>
      {said !== null && (
        <p className={said.isDone ? styles.done : styles.failed} role={said.isDone ? 'status' : 'alert'}>
          <ForeignText text={said.text} />
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          testId="rig-restart-confirm"
          title={t('ui.rigs.confirm.restart', { count: 1 })}
          action={t('ui.rigs.command.restart')}
          onConfirm={() => void restart()}
          onClose={() => setAsking(false)}
        >
          <p>{t('ui.rigs.confirmText.restart')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
