// One figure, as `Value` shows it, but written straight into the page: nothing is rendered when it changes.
import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { type Formatted, type Formatter, type NumberKind, unitText } from '../../format/formatter'
import { useFormat } from '../../i18n/text'
import { useEnvironment } from '../../state/environment'
import type { MinerState } from '../../state/stores/program-store'
import { StaleAge } from '../facts/Value'
import styles from '../facts/Value.module.css'

/** Calls `write` now and with each later value, until the returned function is called. */
export type Follow = (write: (value: number | null) => void) => () => void

export interface FigureLook {
  readonly kind: NumberKind
  /** In words once the reading is stale; absent where a figure beside it shows the age. */
  readonly age?: string | null
  /** Then it looks stale without saying its age. */
  readonly isOld?: boolean
  readonly size?: 'figure' | 'lead' | 'normal'
  readonly testId?: string | undefined
  /** Prefix that all hashrates of a column share, from `hashratePrefix`; the heading has the unit. */
  readonly prefix?: number | undefined
}

interface WrittenValueProps extends FigureLook {
  /** In the base unit of `kind`; null = unknown. Has to be the same function each time. */
  readonly follow: Follow
}

/** With a test id, the element also carries the exact value. */
export const WrittenValue = memo(function WrittenValue(props: WrittenValueProps) {
  const { follow, kind, age = null, isOld = false, size = 'normal', testId, prefix } = props
  const format = useFormat()
  const figure = useRef<HTMLSpanElement>(null)
  const text = useRef<HTMLElement>(null)
  // Unknown values don't age.
  const [isKnown, setKnown] = useState(false)
  useLayoutEffect(() => {
    const element = figure.current
    if (element === null || text.current === null) return
    const show = textWriter(text.current)
    const last: { value: number | null | undefined } = { value: undefined }
    return follow((value) => {
      if (value === last.value) return
      if (last.value === undefined || (value === null) !== (last.value === null)) setKnown(value !== null)
      last.value = value
      if (testId !== undefined) element.setAttribute('data-value', String(value ?? ''))
      show(formatted(format, kind, value, prefix))
    })
  }, [follow, kind, prefix, format, testId])
  return (
    <span
      ref={figure}
      className={`${styles.value} ${styles[size]}`}
      data-testid={testId}
      data-stale={(age === null && !isOld) || !isKnown ? undefined : 'true'}
    >
      <bdi ref={text} />
      {isKnown && <StaleAge age={age} />}
    </span>
  )
})

function formatted(format: Formatter, kind: NumberKind, value: number | null, prefix: number | undefined): Formatted {
  if (prefix === undefined) return format.format(kind, value)
  return { number: format.hashrateIn(value, prefix), unit: '' }
}

/** Fills an element that React leaves empty; touches only what changed. */
function textWriter(element: HTMLElement): (text: Formatted) => void {
  const number = document.createTextNode('')
  const unit = document.createElement('span')
  unit.className = styles.unit ?? ''
  element.replaceChildren(number)
  const last: Formatted = { number: '', unit: '' }
  const state = { last }
  return (next) => {
    if (next.number !== state.last.number) number.data = next.number
    if (next.unit !== state.last.unit) {
      unit.textContent = unitText(next)
      if (next.unit === '') unit.remove()
      else element.append(unit)
    }
    state.last = next
  }
}

export interface DeviceValueProps extends FigureLook {
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

interface MinerValueProps extends FigureLook {
  /** In the base unit of `kind`; null = unknown. Has to be the same function each time. */
  readonly read: (state: MinerState) => number | null
}

export const MinerValue = memo(function MinerValue({ read, ...look }: MinerValueProps) {
  const { miner } = useEnvironment().stores.shown
  const follow = useCallback<Follow>(
    (write) => {
      write(read(miner.getState()))
      return miner.subscribe((state) => write(read(state)))
    },
    [miner, read],
  )
  return <WrittenValue {...look} follow={follow} />
})
