// Every device in one strip: whether it mines, how fast, how hot, at what power, and the button that pauses it.
import { memo } from 'react'
import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useDevice, useMiner } from '../../state/environment'
import type { SteadyDevice } from '../../state/in-sight'
import { selectDeviceIndexes } from '../../state/stores/miner-store'
import { Sparkline } from '../../widgets/charts/Sparkline'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { DeviceValue } from '../../widgets/devices/DeviceValue'
import { useReadingAge } from '../../widgets/facts/Value'
import { DevicePause } from '../Gpus/DevicePause'
import { DeviceState } from '../Gpus/DeviceState'
import { readings, shortName, type TemperaturePlace } from '../Gpus/figures'
import { useHottestPlace } from '../Gpus/use-figures'
import styles from './DeviceStrip.module.css'

/** °C at the bottom of a tile's line: no mining device is colder. */
const COLD = 20
const places = { core: 'ui.gpus.core', hotspot: 'ui.gpus.hotspot', memory: 'ui.gpus.memory' } as const

/** Renders nothing before devices are known, and if there are none. */
export function DeviceStrip() {
  const t = useText()
  const key = useMiner((state) => selectDeviceIndexes(state).join())
  if (key === '') return null
  return (
    <Card
      title={t('ui.overview.devices')}
      className={styles.strip}
      testId="device-strip"
      aside={
        <a className={styles.link} href={hrefOf('/gpus')}>
          {t('ui.overview.allDevices')}
        </a>
      }
    >
      <ul className={styles.tiles}>
        {key.split(',').map((index) => (
          <DeviceTile key={index} index={Number(index)} />
        ))}
      </ul>
    </Card>
  )
}

/** Rendered again only when more than the device's figures changed: they are written into the page. */
const DeviceTile = memo(function DeviceTile({ index }: { readonly index: number }) {
  const device = useDevice(index)
  if (device === undefined) return null
  const { name } = device
  return (
    <li className={styles.tile} data-testid={`tile-${index}`} data-state={device.state}>
      <a className={styles.name} href={hrefOf(`/gpus/${index}`)} title={name}>
        <span className={styles.index}>{index}</span> <ForeignText text={shortName(name)} />
      </a>
      <div className={styles.state}>
        <DeviceState device={device} isNamed={false} />
        <ControlMessage target={index} />
      </div>
      <span className={styles.action}>
        <DevicePause device={device} testId={`tile-pause-${index}`} />
      </span>
      <TileFigures device={device} />
    </li>
  )
})

function TileFigures({ device: { index, name, reported } }: { readonly device: SteadyDevice }) {
  const t = useText()
  const age = useReadingAge(index)
  const hottest = useHottestPlace(index)
  const place = hottest === null ? '' : t(places[hottest])
  return (
    <>
      <div className={styles.rate}>
        <DeviceValue device={index} kind="hashrate" read={readings.now} age={age} size="lead" />
        <span className={styles.line}>
          <HeatLine index={index} name={name} hottest={hottest} />
        </span>
      </div>
      {/* Taken at the same moment as the hashrate, which shows its age. */}
      <span className={styles.sensors}>
        {hottest !== null && (
          <span title={place}>
            <span className="visually-hidden">{place} </span>
            <DeviceValue device={index} kind="celsius" read={readings.hottest} />
          </span>
        )}
        {reported.fan && (
          <span className={styles.fan}>
            <span className={styles.label}>{t('ui.gpus.fan')} </span>
            <DeviceValue device={index} kind="fan" read={readings.fan} />
          </span>
        )}
        {reported.power && (
          <span>
            <span className="visually-hidden">{t('ui.gpus.power')} </span>
            <DeviceValue device={index} kind="watts" read={readings.power} />
          </span>
        )}
      </span>
    </>
  )
}

interface HeatLineProps {
  readonly index: number
  readonly name: string
  readonly hottest: TemperaturePlace | null
}

/** The last hour of the hottest sensor, or of the hashrate if a device reports no temperature. */
function HeatLine({ index, name, hottest }: HeatLineProps) {
  const t = useText()
  if (hottest === null) return <Sparkline device={index} label={t('ui.overview.hashrateLine', { name })} window="1h" />
  const label = t('ui.overview.heatLine', { name, place: t(places[hottest]) })
  return <Sparkline device={index} label={label} series={hottest} window="1h" base={COLD} />
}
