// The last points of a chart as numbers, and as lines to copy.

import { useState } from 'react'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { copyText } from '../../components/values/copy-text'
import type { NumberKind } from '../../format/formatter'
import { useFormat, useText } from '../../i18n/text'
import type { Samples } from '../../state/sample-rings'
import { Button } from '../controls/Button'
import type { ChartLine } from './chart-line'
import styles from './TimeChart.module.css'

const ROWS = 60

interface ChartTableProps {
  readonly testId: string
  readonly title: string
  readonly lines: readonly ChartLine[]
  /** A copy from when the table was opened. */
  readonly samples: readonly Samples[]
  readonly kind: NumberKind
}

export function ChartTable({ testId, title, lines, samples, kind }: ChartTableProps) {
  const t = useText()
  const format = useFormat()
  const [kept] = useState(samples)
  const times = (kept[0]?.times ?? []).slice(-ROWS)
  const offset = (kept[0]?.times.length ?? 0) - times.length
  const valueAt = (line: number, row: number): number | null => kept[line]?.values[offset + row] ?? null
  const copy = (): void => {
    const rows = times.map((time, row) =>
      [format.instant(time), ...lines.map((_, line) => valueAt(line, row) ?? '')].join(','),
    )
    const text = [['time', ...lines.map((line) => line.label)].join(','), ...rows].join('\n')
    void copyText(text)
  }
  return (
    <ScrollRegion className={styles.table} label={title}>
      <Button size="small" onClick={copy}>
        {t('ui.chart.copyCsv')}
      </Button>
      <table data-testid={testId}>
        <thead>
          <tr>
            <th scope="col">{t('ui.chart.time')}</th>
            {lines.map((line) => (
              <th key={line.label} scope="col">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, row) => (
            <tr key={time}>
              <th scope="row">{format.timeOfDay(time)}</th>
              {lines.map((line, index) => (
                <td key={line.label}>{format.text(kind, valueAt(index, row))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
