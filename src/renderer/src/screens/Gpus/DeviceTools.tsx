// Actions for all devices: pause for a while, restart, and choosing the columns of their table.
import { Check, Columns3, RotateCw } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { Failure } from '../../components/faults/Failure'
import { useFormat, useText } from '../../i18n/text'
import { useApp, useControl, useEnvironment, useMiner, usePreference } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { selectAllPaused } from '../../state/stores/miner-store'
import { useInventory } from '../../state/use-device-facts'
import { Button } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'
import { PauseFor } from '../../widgets/controls/PauseFor'
import menu from '../../widgets/controls/PauseFor.module.css'
import { type ColumnName, headingOf, hideable } from './columns'
import styles from './Gpus.module.css'

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
  const { controls } = useEnvironment().stores
  const [isAsked, setAsked] = useState(false)
  const control = useControl('restart')
  const isPending = control.kind === 'pending'
  return (
    <>
      <Button
        size="small"
        data-testid="gpus-restart"
        data-state={control.kind}
        isBusy={isPending}
        needsContact
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => setAsked(true)}
      >
        {t(isPending ? 'ui.gpus.restarting' : 'ui.gpus.restart')}
      </Button>
      <Failure text={control.kind === 'failed' ? t('ui.gpus.restartFailed', { reason: control.reason }) : ''} />
      {control.kind === 'unconfirmed' && (
        <p className={styles.failure} role="status">
          {t('ui.gpus.restartUnconfirmed')}
        </p>
      )}
      {isAsked && (
        <ConfirmDialog
          testId="gpus-restart-dialog"
          title={t('ui.gpus.restartTitle')}
          action={t('ui.gpus.restart')}
          onConfirm={() => void controls.restart()}
          onClose={() => setAsked(false)}
        >
          <RestartText />
        </ConfirmDialog>
      )}
    </>
  )
}

/** Says how long the slowest of the last measured builds took. */
function RestartText() {
  const t = useText()
  const format = useFormat()
  const builds = useInventory()?.devices.flatMap(({ buildSeconds }) => buildSeconds ?? []) ?? []
  if (builds.length === 0) return t('ui.gpus.restartText')
  const time = format.text('duration', Math.max(1, Math.ceil(Math.max(...builds))))
  return t('ui.gpus.restartTextFor', { time })
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
              // Keeps the menu open for the next choice.
              onSelect={(event) => event.preventDefault()}
            >
              <span className={styles.check}>
                <DropdownMenu.ItemIndicator>
                  <Check aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </span>
              {t(headingOf(name))}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
