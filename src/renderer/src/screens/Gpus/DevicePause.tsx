// The pause button of one device, with its reason and accessible name.
import type { DeviceView } from '../../../../contract/miner'
import { PauseButton } from '../../components/PauseButton'
import { useText } from '../../i18n/text'

export function DevicePause({ device, testId }: { readonly device: DeviceView; readonly testId: string }) {
  const t = useText()
  return (
    <PauseButton
      target={device.index}
      testId={testId}
      name={t('ui.gpus.targetName', { index: device.index, name: device.name })}
      isPaused={device.paused}
      canResume={device.canResume}
      reason={device.pauseReasons.join('; ')}
    />
  )
}
