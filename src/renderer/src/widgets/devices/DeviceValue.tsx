// One figure of a device, as `Value` shows it, but written straight into the page at each reading.
import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import type { Formatted, Formatter, NumberKind } from '../../format/formatter'
import { useFormat } from '../../i18n/text'
import { useEnvironment } from '../../state/environment'
import { Age } from '../facts/Value'
import styles from '../facts/Value.module.css'

export interface DeviceValueProps {
  /** Index of the device. */
  readonly device: number
  readonly kind: NumberKind
  /** In the base unit of `kind`; null = unknown. Has to be the same function each time. */
  readonly read: (reading: DeviceView) => number | null
  /** The result of `useReadingAge`; absent where a figure beside it shows the age. */
  readonly age?: string | null
  readonly size?: 'lead' | 'normal'
  readonly testId?: string | undefined
  /** Prefix that all hashrates of a column share, from `hashratePrefix`; the heading has the unit. */
  readonly prefix?: number | undefined
}

export const DeviceValue = memo(function DeviceValue(props: DeviceValueProps) {
  const { device, kind, read, age = null, size = 'normal', testId, prefix } = props
  const format = useFormat()
  const { readings } = useEnvironment().stores
  const figure = useRef<HTMLSpanElement>(null)
  const text = useRef<HTMLElement>(null)
  // Unknown values don't age.
  const [isKnown, setKnown] = useState(false)
  useLayoutEffect(() => {
    if (figure.current === null || text.current === null) return
    const { dataset } = figure.current
    const show = textWriter(text.current)
    const last: { value: number | null | undefined } = { value: undefined }
    return readings.follow(device, (reading) => {
      const value = read(reading)
      if (value === last.value) return
      if (last.value === undefined || (value === null) !== (last.value === null)) setKnown(value !== null)
      last.value = value
      dataset.value = String(value ?? '')
      show(formatted(format, kind, value, prefix))
    })
  }, [readings, device, kind, read, prefix, format])
  return (
    <span
      ref={figure}
      className={`${styles.value} ${styles[size]}`}
      data-testid={testId}
      data-stale={age === null || !isKnown ? undefined : 'true'}
    >
      <bdi ref={text} />
      {isKnown && <Age age={age} />}
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
      unit.textContent = `\u00a0${next.unit}`
      if (next.unit === '') unit.remove()
      else element.append(unit)
    }
    state.last = next
  }
}
