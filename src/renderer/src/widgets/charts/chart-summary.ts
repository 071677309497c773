// What a chart shows, in sentences: for users who can't see it.
import type { HistoryWindow } from '../../../../contract/miner'
import type { Formatter, NumberKind } from '../../format/formatter'
import type { Text } from '../../i18n/text'
import { summarize } from '../../state/chart-feed'
import type { Samples } from '../../state/sample-rings'
import type { ChartLine, Threshold } from './chart-line'

interface SummaryWords {
  readonly t: Text
  readonly format: Formatter
  readonly kind: NumberKind
  readonly thresholds: readonly Threshold[]
  readonly window: HistoryWindow
}

/** Range and newest value of each line, and how it compares with its levels: the chart in words. */
export function chartSummary(lines: readonly ChartLine[], samples: readonly Samples[], words: SummaryWords): string {
  const { t, format, kind, thresholds, window } = words
  return lines
    .flatMap((line, index) => {
      const found = summarize(samples[index] ?? { times: [], values: [] })
      if (found === null) return []
      const range = t('ui.chart.summary', {
        label: line.label,
        min: format.text(kind, found.min),
        max: format.text(kind, found.max),
        last: format.text(kind, found.last),
        window,
      })
      const own = thresholds.filter((threshold) => threshold.lines.includes(line.label))
      return [range, thresholdText(line.label, found.last, own, { t, format, kind })]
    })
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** How the newest value compares with the line's levels; empty when it has none. */
function thresholdText(
  label: string,
  last: number,
  own: readonly Threshold[],
  { t, format, kind }: { readonly t: Text; readonly format: Formatter; readonly kind: NumberKind },
): string {
  const above = own.filter(({ value }) => last >= value).sort((a, b) => b.value - a.value)[0]
  const lowest = [...own].sort((a, b) => a.value - b.value)[0]
  if (lowest === undefined) return ''
  if (above === undefined) return t('ui.gpus.belowWarning', { label, value: format.text(kind, lowest.value) })
  const key = above.level === 'danger' ? 'ui.gpus.aboveCritical' : 'ui.gpus.aboveWarning'
  return t(key, { label, value: format.text(kind, above.value) })
}
