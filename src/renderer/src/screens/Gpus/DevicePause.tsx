// The pause button of one device, with its reason and accessible name.
import { memo } from 'react'
import { useText } from '../../i18n/text'
import type { SteadyDevice } from '../../state/in-sight'
import { PauseButton } from '../../widgets/controls/PauseButton'
import { pauseReasonText } from '../../widgets/facts/pause-reason'

export interface DevicePauseProps {
  readonly device: SteadyDevice
  readonly testId: string
  readonly isBare?: boolean
}

/** Rendered again only when something changed that matters to the button. */
export const DevicePause = memo(function DevicePause({ device, testId, isBare = false }: DevicePauseProps) {
  const t = useText()
  const name = t('ui.gpus.targetName', { index: device.index, name: device.name })
  return (
    <PauseButton
      target={device.index}
      testId={testId}
      isBare={isBare}
      name={name}
      isPaused={device.paused}
      canResume={device.canResume}
      reason={pauseReasonText(device.pauseReasons, t)}
    />
  )
}, isSame)

function isSame(before: DevicePauseProps, after: DevicePauseProps): boolean {
  const [old, now] = [before.device, after.device]
  return (
    before.testId === after.testId &&
    old.index === now.index &&
    old.name === now.name &&
    old.paused === now.paused &&
    old.canResume === now.canResume &&
    old.pauseReasons.join('\n') === now.pauseReasons.join('\n')
  )
}
