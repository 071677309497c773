// The pause button of one device, with its reason and accessible name, and the menu of how long.
import { memo } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { useText } from '../../i18n/text'
import { PauseButton } from '../../widgets/controls/PauseButton'
import { PauseFor } from '../../widgets/controls/PauseFor'
import { pauseReasonText } from '../../widgets/facts/pause-reason'
import styles from './Gpus.module.css'

export interface DevicePauseProps {
  readonly device: DeviceView
  readonly testId: string
  /** The menu of lengths beside it; not in the rows of a table. */
  readonly hasLengths?: boolean
}

/** Drawn again only when something of the device changed that matters to the button. */
export const DevicePause = memo(function DevicePause({ device, testId, hasLengths = false }: DevicePauseProps) {
  const t = useText()
  const name = t('ui.gpus.targetName', { index: device.index, name: device.name })
  return (
    <span className={styles.pause}>
      <PauseButton
        target={device.index}
        testId={testId}
        name={name}
        isPaused={device.paused}
        canResume={device.canResume}
        reason={pauseReasonText(device.pauseReasons, t)}
      />
      {hasLengths && !device.paused && <PauseFor target={device.index} name={name} testId={`${testId}-for`} />}
    </span>
  )
}, isSame)

function isSame(before: DevicePauseProps, after: DevicePauseProps): boolean {
  const [old, now] = [before.device, after.device]
  return (
    before.testId === after.testId &&
    before.hasLengths === after.hasLengths &&
    old.index === now.index &&
    old.name === now.name &&
    old.paused === now.paused &&
    old.canResume === now.canResume &&
    old.pauseReasons.join('\n') === now.pauseReasons.join('\n')
  )
}
