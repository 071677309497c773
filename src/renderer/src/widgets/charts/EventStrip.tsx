// Events below the charts on the same time axis: pauses and faults as bands, shares, restarts and epochs as marks. Also
// as a list for users who can't see it.
import { memo, useId, useState } from 'react'
import type { HistoryWindow, TimelineMark, TimelineView } from '../../../../contract/miner'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { ForeignText } from '../../components/values/HexText'
import { type Text, useFormat, useText } from '../../i18n/text'
import { windowSeconds } from '../../state/chart-feed'
import type { TimelineReading } from '../../state/timeline/use-timeline'
import { Button } from '../controls/Button'
import styles from './EventStrip.module.css'
import { spanText } from './span-text'

/** Nobody reads a longer list. */
const MAX_ROWS = 60

interface EventStripProps {
  readonly device: number
  readonly window: HistoryWindow
  readonly timeline: TimelineReading
}

/** Rendered again at each reading, not at each sample of the charts. */
export const EventStrip = memo(function EventStrip({ device, window: shown, timeline }: EventStripProps) {
  const t = useText()
  const [isList, setList] = useState(false)
  const summaryId = useId()
  const end = timeline.readAt
  const start = end - windowSeconds[shown] * 1000
  const place = (at: number): number => (100 * (Math.min(Math.max(at, start), end) - start)) / (end - start)
  const accepted = timeline.marks.filter(({ kind }) => kind === 'accepted')
  const others = timeline.marks.filter(({ kind }) => kind !== 'accepted')
  return (
    <figure className={styles.strip} data-testid={`events-${device}`} aria-describedby={summaryId}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{t('ui.events.title')}</span>
        <Button size="small" variant="quiet" aria-expanded={isList} onClick={() => setList(!isList)}>
          {t(isList ? 'ui.events.hideList' : 'ui.events.showList')}
        </Button>
      </figcaption>
      <div className={styles.track} aria-hidden="true">
        {timeline.spans.map((span) => (
          <span
            key={`${span.kind} ${span.from}`}
            className={`${styles.span} ${styles[span.kind]}`}
            style={{ insetInlineStart: `${place(span.from)}%`, insetInlineEnd: `${100 - place(span.to ?? end)}%` }}
            title={spanText(span, t)}
          />
        ))}
        <svg className={styles.ticks} viewBox="0 0 100 10" preserveAspectRatio="none" role="presentation">
          <path
            d={accepted.map(({ at }) => `M${place(at).toFixed(2)} 2V8`).join('')}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {others.map((mark) => (
          <span
            key={`${mark.kind} ${mark.at} ${mark.text}`}
            className={`${styles.mark} ${styles[mark.kind]}`}
            style={{ insetInlineStart: `${place(mark.at)}%` }}
            title={markText(mark, t)}
          >
            {glyphs[mark.kind]}
          </span>
        ))}
      </div>
      <Legend timeline={timeline} />
      <p id={summaryId} className="visually-hidden">
        {t('ui.events.summary', {
          accepted: countOf(timeline.marks, 'accepted'),
          rejected: countOf(timeline.marks, 'rejected'),
          failed: countOf(timeline.marks, 'failed'),
          pauses: timeline.spans.length,
        })}
      </p>
      {isList && <EventList device={device} timeline={timeline} />}
    </figure>
  )
})

/** Distinct shapes, so that color isn't the only difference. */
const glyphs: Readonly<Record<TimelineMark['kind'], string>> = {
  accepted: '|',
  rejected: '×',
  failed: '⬣',
  epoch: '◆',
  restart: '↻',
}

const kinds = ['accepted', 'rejected', 'failed', 'restart', 'epoch'] as const
const spanKinds = ['paused', 'error', 'silent', 'building', 'waiting'] as const

/** The legend of what is in the strip, and nothing else. */
function Legend({ timeline: { marks, spans } }: { readonly timeline: TimelineView }) {
  const t = useText()
  const present = kinds.filter((kind) => marks.some((mark) => mark.kind === kind))
  const bands = spanKinds.filter((kind) => spans.some((span) => span.kind === kind))
  if (present.length + bands.length === 0) return <p className={styles.legend}>{t('ui.events.none')}</p>
  return (
    <p className={styles.legend} aria-hidden="true">
      {present.map((kind) => (
        <span key={kind}>
          <span className={`${styles.glyph} ${styles[kind]}`}>{glyphs[kind]}</span> {t(`ui.events.${kind}`)}{' '}
          {countOf(marks, kind)}
        </span>
      ))}
      {bands.map((kind) => (
        <span key={kind}>
          <span className={`${styles.swatch} ${styles[kind]}`} /> {t(`ui.events.${kind}`)}
        </span>
      ))}
    </p>
  )
}

function EventList({ device, timeline }: { readonly device: number; readonly timeline: TimelineView }) {
  const t = useText()
  const format = useFormat()
  const rows = [
    ...timeline.spans.map((span) => ({
      at: span.from,
      to: span.to,
      key: `${span.kind} ${span.from}`,
      text: spanText(span, t),
    })),
    ...timeline.marks.map((mark) => ({
      at: mark.at,
      to: mark.at,
      key: `${mark.kind} ${mark.at} ${mark.text}`,
      text: markText(mark, t),
    })),
  ]
  const newest = rows.sort((a, b) => b.at - a.at).slice(0, MAX_ROWS)
  return (
    <ScrollRegion className={styles.list} label={t('ui.events.title')}>
      <table data-testid={`events-table-${device}`}>
        <thead>
          <tr>
            <th scope="col">{t('ui.chart.time')}</th>
            <th scope="col">{t('ui.events.until')}</th>
            <th scope="col">{t('ui.events.what')}</th>
          </tr>
        </thead>
        <tbody>
          {newest.map(({ at, to, key, text }) => (
            <tr key={key}>
              <th scope="row">{format.timeOfDay(at)}</th>
              <td>{to === null ? t('ui.events.still') : to === at ? '' : format.timeOfDay(to)}</td>
              <td>
                <ForeignText text={text} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function countOf(marks: readonly TimelineMark[], kind: TimelineMark['kind']): number {
  return marks.reduce((sum, mark) => (mark.kind === kind ? sum + mark.count : sum), 0)
}

function markText({ kind, count, text }: TimelineMark, t: Text): string {
  const word = t(`ui.events.${kind}`)
  const named = text === '' || text === kind ? word : t('ui.events.with', { word, reason: text })
  return count > 1 ? t('ui.events.times', { what: named, count }) : named
}
