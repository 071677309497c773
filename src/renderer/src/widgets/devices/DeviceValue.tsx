// One figure of a device, written into the page at each reading.
import { memo, useCallback } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { useEnvironment } from '../../state/environment'
import { type FigureLook, type Follow, WrittenValue } from './WrittenValue'

export interface DeviceValueProps extends FigureLook {
  /** Index of the device. */
  readonly device: number
  /** In the base unit of `kind`; null = unknown. Has to be the same function each time. */
  readonly read: (reading: DeviceView) => number | null
}

export const DeviceValue = memo(function DeviceValue({ device, read, ...look }: DeviceValueProps) {
  const { readings } = useEnvironment().stores
  const follow = useCallback<Follow>(
    (write) => readings.follow(device, (reading) => write(read(reading))),
    [readings, device, read],
  )
  return <WrittenValue {...look} follow={follow} />
})
