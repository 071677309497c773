// Every device in one strip of one height: wide tiles for a few, tiles for a dozen, cells for more.
import { type CSSProperties, memo } from 'react'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useDevice, useMiner } from '../../state/environment'
import type { SteadyDevice } from '../../state/in-sight'
import { type MinerState, selectDevice, selectDeviceIndexes } from '../../state/stores/program-store'
import { Sparkline } from '../../widgets/charts/Sparkline'
import { deviceColor, deviceLabel, shortName } from '../../widgets/devices/device-names'
import { DeviceValue } from '../../widgets/devices/WrittenValue'
import { useReadingAge } from '../../widgets/facts/Value'
import { DevicePause } from '../Gpus/DevicePause'
import { readings } from '../Gpus/use-figures'
import styles from './DeviceStrip.module.css'

/** Up to so many there is room for a line of the last hour. */
const FEW = 3
/** From here on they are cells. */
const MANY = 13
/** °C from which a cell has the next step of heat. */
const HEAT = [68, 76, 84, 90, 95, 100] as const
/** The steps from here on are so light that dark digits are read better. */
const GLOWING = 5
const WARM = 90
const HOT = 95

/** Renders nothing before devices are known, and if there are none. @param usual H/s by device index; null = unknown */
export function DeviceStrip({ usual }: { readonly usual: (index: number) => number | null }) {
  const t = useText()
  const key = useMiner((state) => selectDeviceIndexes(state).join())
  if (key === '') return null
  const indexes = key.split(',').map(Number)
  const look = indexes.length >= MANY ? styles.cells : indexes.length <= FEW ? styles.few : styles.tiles
  return (
    <section
      aria-label={t('ui.nav.gpus')}
      data-testid="device-strip"
      className={look}
      style={countStyle(indexes.length)}
    >
      {indexes.map((index, place) =>
        indexes.length >= MANY ? (
          <Cell key={index} index={index} />
        ) : (
          <Tile key={index} index={index} place={place} usual={usual(index)} isWide={indexes.length <= FEW} />
        ),
      )}
    </section>
  )
}

const countStyle = (count: number): CSSProperties => ({ '--n': count }) as CSSProperties

interface TileProps {
  readonly index: number
  readonly place: number
  readonly usual: number | null
  readonly isWide: boolean
}

/** Rendered again only when more than the device's figures changed: they are written into the page. */
const Tile = memo(function Tile({ index, place, usual, isWide }: TileProps) {
  const t = useText()
  const device = useDevice(index)
  const part = useMiner(selectPart(index, usual))
  const tone = useMiner(selectHeatTone(index))
  const age = useReadingAge(index)
  if (device === undefined) return null
  const name = deviceLabel(device, t)
  const fault = lookOf(device)
  // What an old reading said of heat and use may no longer be so.
  const look = fault === '' && age !== null ? 'off' : fault
  const style = { '--c': deviceColor(device, place), '--p': `${part}%` } as CSSProperties
  return (
    <div
      className={`${styles.tile} ${isWide ? styles.wide : ''} ${look === '' ? '' : styles[look]}`}
      data-testid={`tile-${index}`}
      data-state={device.state}
      style={style}
      title={device.name}
    >
      <a className={styles.name} href={hrefOf(`/gpus/${index}`)}>
        <i className={styles.chip} />
        {name}
      </a>
      {isWide && (
        <span className={styles.line}>
          <Sparkline
            device={index}
            label={t('ui.overview.hashrateLine', { name })}
            color={deviceColor(device, place)}
            window="1h"
          />
        </span>
      )}
      <span className={`${styles.heat} ${tone === '' || age !== null ? '' : styles[`${tone}Text`]}`}>
        {device.state === 'paused' ? t('ui.gpuState.paused') : <Hottest device={device} />}
      </span>
      {isWide && (
        <span className={styles.more}>
          {device.reported.power && <DeviceValue device={index} kind="watts" read={readings.power} />}
          {device.reported.fan && <DeviceValue device={index} kind="fan" read={readings.fan} />}
        </span>
      )}
      <span className={`${styles.model} ${look === '' ? '' : styles[`${look}Text`]}`}>
        <ForeignText text={look === 'danger' ? stateText(device, t) : (age ?? shortName(device.name))} />
      </span>
      <span className={styles.pause}>
        <DevicePause device={device} testId={`tile-pause-${index}`} />
      </span>
      <span className={styles.use}>
        <i />
      </span>
    </div>
  )
})

function Hottest({ device: { index, reported } }: { readonly device: SteadyDevice }) {
  const isAny = reported.core || reported.hotspot || reported.memory
  return isAny ? <DeviceValue device={index} kind="celsius" read={readings.hottest} /> : null
}

/** A tile's look: in color only when something is wrong. */
function lookOf({ state, responds }: SteadyDevice): '' | 'warn' | 'danger' | 'off' {
  if (state === 'error' || responds === false) return 'danger'
  return state === 'paused' ? 'off' : ''
}

type Text = ReturnType<typeof useText>

function stateText({ state, error, responds }: SteadyDevice, t: Text): string {
  if (state === 'error' && error !== '') return error
  return t(`ui.gpuState.${responds === false ? 'silent' : state}`)
}

/** Whole percent of its usual hashrate, or how far its DAG is built. */
const selectPart = (index: number, usual: number | null) => {
  const find = selectDevice(index)
  return (state: MinerState): number => {
    const device = find(state)
    if (device === undefined || device.paused) return 0
    if (device.progress !== null) return Math.round(100 * device.progress)
    const now = device.hashrate.s60 ?? device.hashrate.now ?? 0
    if (usual === null || usual <= 0) return now > 0 ? 100 : 0
    return Math.min(100, Math.round((100 * now) / usual))
  }
}

const selectHeatTone = (index: number) => {
  const find = selectDevice(index)
  return (state: MinerState): '' | 'warn' | 'danger' => {
    const device = find(state)
    const celsius = device === undefined ? null : readings.hottest(device)
    if (celsius === null || celsius < WARM) return ''
    return celsius < HOT ? 'warn' : 'danger'
  }
}

/** 0 = off or unknown, then the seven steps from calm to glowing. */
const selectHeatStep = (index: number) => {
  const find = selectDevice(index)
  return (state: MinerState): number => {
    const device = find(state)
    if (device === undefined || device.paused || device.state === 'error') return 0
    const celsius = readings.hottest(device)
    return celsius === null ? 1 : 1 + HEAT.filter((limit) => celsius >= limit).length
  }
}

const Cell = memo(function Cell({ index }: { readonly index: number }) {
  const t = useText()
  const device = useDevice(index)
  const heat = useMiner(selectHeatStep(index))
  const age = useReadingAge(index)
  if (device === undefined) return null
  const name = deviceLabel(device, t)
  const step = age === null ? heat : 0
  const state = age ?? stateText(device, t)
  return (
    <a
      className={`${styles.cell} ${step === 0 ? styles.empty : ''} ${step >= GLOWING ? styles.glowing : ''}`}
      data-heat={step}
      href={hrefOf(`/gpus/${index}`)}
      data-testid={`tile-${index}`}
      data-state={device.state}
      style={{ '--c': `var(--heat-${step === 0 ? 'off' : step})` } as CSSProperties}
      title={`${name}, ${device.name}, ${state}`}
      aria-label={`${device.index} ${name}, ${state}`}
    >
      {device.index}
    </a>
  )
})
