// The pause button of one device with the menu of how long beside it. Apart from the button alone, so that what only has buttons loads
// no menu.
import { memo } from 'react'
import { useText } from '../../i18n/text'
import { PauseFor } from '../../widgets/controls/PauseFor'
import { DevicePause, type DevicePauseProps } from './DevicePause'
import styles from './Gpus.module.css'

/** A new reading of the device changes nothing in it. */
const DurationMenu = memo(PauseFor)

export function DevicePauseFor({ device, testId }: DevicePauseProps) {
  const t = useText()
  const { index, name, paused } = device
  return (
    <span className={styles.pause}>
      <DevicePause device={device} testId={testId} />
      {!paused && (
        <DurationMenu target={index} name={t('ui.gpus.targetName', { index, name })} testId={`${testId}-for`} />
      )}
    </span>
  )
}
