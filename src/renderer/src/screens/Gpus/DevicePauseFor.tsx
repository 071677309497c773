// The pause button of one device with the menu of how long beside it. Apart from the button alone, so that what only has buttons loads
// no menu.
import { useText } from '../../i18n/text'
import { PauseFor } from '../../widgets/controls/PauseFor'
import { DevicePause, type DevicePauseProps } from './DevicePause'
import styles from './Gpus.module.css'

export function DevicePauseFor({ device, testId }: DevicePauseProps) {
  const t = useText()
  const { index, name, paused } = device
  return (
    <span className={styles.pause}>
      <DevicePause device={device} testId={testId} />
      {!paused && <PauseFor target={index} name={t('ui.gpus.targetName', { index, name })} testId={`${testId}-for`} />}
    </span>
  )
}
