// What is done to all devices at once: a pause for a while, a restart, and which columns their table has.
import { Check, Columns3, RotateCw } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { Button } from '../../components/Button'
import { ConfirmDialog } from '../../components/ConfirmDialog'
import { PauseFor } from '../../components/PauseFor'
import menu from '../../components/PauseFor.module.css'
import { useText } from '../../i18n/text'
import { selectCanControl, selectIsOpen } from '../../state/app-store'
import { useApp, useEnvironment, useMiner, usePreference } from '../../state/environment'
import { selectAllPaused } from '../../state/miner-store'
import { type ColumnName, hideable } from './columns'
import styles from './Gpus.module.css'
import { useAttempt } from './Simulated'

export function DeviceTools() {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const isPaused = useMiner(selectAllPaused)
  return (
    <div className={styles.tools}>
      {canControl && !isPaused && (
        <PauseFor target="all" name={t('ui.pause.allDevices')} testId="pause-all-for" label={t('ui.pause.pauseAll')} />
      )}
      {canControl && <Restart />}
      <ColumnChooser />
    </div>
  )
}

function Restart() {
  const t = useText()
  const { backend } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const [isAsked, setAsked] = useState(false)
  const { isBusy, failure, attempt } = useAttempt()
  return (
    <>
      <Button
        size="small"
        data-testid="gpus-restart"
        isBusy={isBusy}
        disabledReason={isOpen ? undefined : t('ui.pause.noContact')}
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => setAsked(true)}
      >
        {t('ui.gpus.restart')}
      </Button>
      {failure !== '' && (
        <p className={styles.failure} role="alert">
          {t('ui.gpus.restartFailed', { reason: failure })}
        </p>
      )}
      {isAsked && (
        <ConfirmDialog
          testId="gpus-restart-dialog"
          title={t('ui.gpus.restartTitle')}
          action={t('ui.gpus.restart')}
          onConfirm={() => void attempt(() => backend.call('miner.restart', {}))}
          onClose={() => setAsked(false)}
        >
          {t('ui.gpus.restartText')}
        </ConfirmDialog>
      )}
    </>
  )
}

function ColumnChooser() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const hidden = usePreference((state) => state.hiddenColumns)
  const toggle = (name: ColumnName, isShown: boolean): void =>
    preferences.setState(({ hiddenColumns }) => ({
      hiddenColumns: isShown ? hiddenColumns.filter((one) => one !== name) : [...hiddenColumns, name],
    }))
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button
          size="small"
          className={styles.columns}
          data-testid="gpu-columns"
          icon={<Columns3 aria-hidden="true" />}
        >
          {t('ui.gpus.columns')}
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
          {hideable.map((name) => (
            <DropdownMenu.CheckboxItem
              key={name}
              className={menu.item}
              data-testid={`gpu-column-${name}`}
              checked={!hidden.includes(name)}
              onCheckedChange={(isShown) => toggle(name, isShown)}
              // The menu stays, for the next one.
              onSelect={(event) => event.preventDefault()}
            >
              <span className={styles.check}>
                <DropdownMenu.ItemIndicator>
                  <Check aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </span>
              {t(`ui.gpus.${name}`)}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
