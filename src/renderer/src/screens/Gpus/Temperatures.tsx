// The hottest sensor of every device on one axis: which one runs away from the others.
import { useMemo, useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import type { MinerState } from '../../state/stores/miner-store'
import type { ChartLine } from '../../widgets/charts/chart-line'
import { TimeChart } from '../../widgets/charts/TimeChart'
import { deviceLabel } from '../../widgets/devices/device-names'
import { WindowChoice } from './DeviceCharts'
import styles from './Gpus.module.css'

/** More lines couldn't be told apart. */
const MAX_LINES = 12
const COLORS = 8
const CELSIUS = [20, 115] as const
/** The one that memory and cooling make critical first. */
const PLACES = ['memory', 'hotspot', 'core'] as const

/** Devices with a sensor, as text: a new reading doesn't render the chart again. With too many, the hottest ones. */
function selectSensors({ devices }: MinerState): string {
  const found = (devices?.devices ?? []).flatMap(({ index, backend, temperature }, at) => {
    const place = PLACES.find((each) => temperature[each] !== null)
    return place === undefined ? [] : [{ name: `${index} ${backend} ${place} ${at}`, heat: temperature[place] ?? 0 }]
  })
  const shown = found.length <= MAX_LINES ? found : [...found].sort((a, b) => b.heat - a.heat).slice(0, MAX_LINES)
  return shown
    .map(({ name }) => name)
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .join()
}

/** Renders nothing for fewer than two devices: the device's own chart shows that. */
export function Temperatures() {
  const t = useText()
  const sensors = useMiner(selectSensors)
  const [shown, setShown] = useState<HistoryWindow>('10m')
  const lines = useMemo(
    () =>
      sensors.split(',').map((sensor): ChartLine => {
        const [index = '0', backend = '', series = 'core', at = '0'] = sensor.split(' ')
        const device = Number(index)
        const name = series === 'memory' || series === 'hotspot' ? series : 'core'
        return {
          ring: `${device}.${name}`,
          history: { device, series: name },
          label: deviceLabel({ index: device, backend: backend === 'cpu' ? 'cpu' : 'cuda' }, t),
          color: (Number(at) % COLORS) + 1,
        }
      }),
    [sensors, t],
  )
  if (lines.length < 2) return null
  return (
    <div className={styles.chart}>
      <TimeChart
        title={t('ui.chart.temperature')}
        testId="all-temperature"
        lines={lines}
        kind="celsius"
        window={shown}
        range={CELSIUS}
        syncKey="all-devices"
        heightPx={Math.max(230, 24 * lines.length)}
        aside={<WindowChoice value={shown} onChange={setShown} />}
      />
    </div>
  )
}
