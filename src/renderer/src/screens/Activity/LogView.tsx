// The program's log, live: renders only rows in view, so that a hundred thousand lines scroll like ten.
import { ScrollText } from 'lucide-react'
import { memo, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { type LogLineView, MAX_LOG_LINES } from '../../../../contract/logs'
import { Card } from '../../components/layout/Card'
import { VirtualTable } from '../../components/tables/VirtualTable'
import { ForeignText } from '../../components/values/HexText'
import { useLanguage, useText } from '../../i18n/text'
import { useEnvironment, useFrozenSince } from '../../state/environment'
import { asJsonLines, type LogFilter, type LogLines, logLevels } from '../../state/log/log-lines'
import { Button } from '../../widgets/controls/Button'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import styles from './Activity.module.css'
import { LineTools, saveLines } from './LineTools'
import { RowMark } from './RowMark'
import { useLineFilter } from './use-line-filter'
import { useLines } from './use-lines'
import { type Marks, useMarks } from './use-marks'

const ROW_PX = 28
const HEIGHT_PX = 560

export function LogView({ title, modules }: { readonly title: string; readonly modules: readonly string[] }) {
  const t = useText()
  const wishes = useLineFilter()
  const [isStopped, setStopped] = useState(false)
  const isFrozen = useFrozenSince() !== null || isStopped
  const { lines, error, isRead } = useLog({ ...wishes, modules }, isFrozen)
  const marks = useMarks()
  const count = lines.shownCount
  const save = (): void => {
    const shown = lines.allShown()
    const wanted = marks.count === 0 ? shown : shown.filter(({ id }) => marks.ids.has(id))
    saveLines(asJsonLines(wanted), 'headframe-log.jsonl')
  }
  return (
    <Card
      title={title}
      isFlush={count > 0}
      aside={<span className={styles.count}>{t('ui.logs.count', { shown: count, all: lines.count })}</span>}
    >
      <LineTools
        wishes={wishes}
        levels={logLevels}
        problem={lines.problem}
        marked={marks.count}
        onExport={count === 0 ? null : save}
      >
        <Button aria-pressed={isStopped} data-testid="log-freeze" onClick={() => setStopped(!isStopped)}>
          {t(isStopped ? 'ui.logs.unfreeze' : 'ui.logs.freeze')}
        </Button>
      </LineTools>
      {error !== '' && <ErrorState title={t('ui.logs.failed')} reason={error} />}
      {!isRead && error === '' && <Skeleton lines={8} />}
      {isRead && count === 0 && (
        <EmptyState icon={ScrollText} title={t(lines.count === 0 ? 'ui.activity.none' : 'ui.logs.noMatch')} />
      )}
      {count > 0 && <Rows title={title} lines={lines} marks={marks} />}
    </Card>
  )
}

interface RowsProps {
  readonly title: string
  readonly lines: LogLines<LogLineView>
  readonly marks: Marks
}

function Rows({ title, lines, marks }: RowsProps) {
  const count = lines.shownCount
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys of the rows' own boxes
    <div data-testid="log-view" className={styles.log} onKeyDown={(event) => marks.onKeyDown(event, count - 1)}>
      <VirtualTable
        label={title}
        count={count}
        rowPx={ROW_PX}
        heightPx={HEIGHT_PX}
        head={<Heading />}
        row={(index) => {
          // Newest first: people open a log to read its end.
          const line = lines.shown(index)
          if (line === undefined) return null
          return (
            <LogRow
              key={line.id}
              line={line}
              index={index}
              isMarked={marks.ids.has(line.id)}
              isStop={marks.active === index}
              onMark={marks.toggle}
            />
          )
        }}
      />
    </div>
  )
}

const Heading = memo(function Heading() {
  const t = useText()
  return (
    <tr>
      <th scope="col">
        <span className="visually-hidden">{t('ui.logs.mark')}</span>
      </th>
      <th scope="col">{t('ui.node.time')}</th>
      <th scope="col">{t('ui.logs.level')}</th>
      <th scope="col">{t('ui.logs.module')}</th>
      <th scope="col">{t('ui.logs.text')}</th>
    </tr>
  )
})

interface LogRowProps {
  readonly line: LogLineView
  readonly index: number
  readonly isMarked: boolean
  /** The row that the Tab key stops at. */
  readonly isStop: boolean
  readonly onMark: (id: number, index: number) => void
}

/** Rendered again only when its props change: a line itself never does. */
const LogRow = memo(function LogRow({ line, index, isMarked, isStop, onMark }: LogRowProps) {
  const { t, format } = useLanguage()
  return (
    <tr
      className={`${styles.line} ${styles[line.level] ?? ''}`}
      data-testid="log-row"
      data-state={line.level}
      aria-rowindex={index + 2}
    >
      <td>
        <RowMark id={line.id} at={line.at} index={index} isMarked={isMarked} isStop={isStop} onMark={onMark} />
      </td>
      <td>
        <time title={format.instant(line.at)}>{format.timeOfDay(line.at)}</time>
      </td>
      <td>{t(`ui.logs.level.${line.level}`)}</td>
      <td>{line.module}</td>
      <td title={line.text}>
        <ForeignText text={line.text} />
      </td>
    </tr>
  )
})

const LINES_KEPT = 100_000
const EVERY_MS = 1_000

/** @param isFrozen freezes what is shown; new entries are fetched afterwards */
function useLog(filter: LogFilter, isFrozen: boolean) {
  const { backend, clock } = useEnvironment()
  const lines = useLines<LogLineView>(LINES_KEPT, filter)
  const [state, setState] = useState({ error: '', isRead: false })
  const next = useMemo(() => ({ id: 0 }), [])
  useEffect(() => {
    if (isFrozen) return
    const held = { isOpen: true, isBusy: false }
    const ask = async (): Promise<void> => {
      if (held.isBusy || document.visibilityState === 'hidden' || backend.connection().kind !== 'open') return
      held.isBusy = true
      try {
        while (held.isOpen) {
          const answer = await backend.call('app.logs', { from: next.id, count: MAX_LOG_LINES })
          if (!held.isOpen) return
          next.id = answer.next
          lines.add(answer.lines)
          setState((before) => (before.isRead && before.error === '' ? before : { error: '', isRead: true }))
          if (answer.lines.length < MAX_LOG_LINES) break
        }
      } catch (error: unknown) {
        if (held.isOpen) setState((before) => ({ ...before, error: messageOf(error) }))
      } finally {
        held.isBusy = false
      }
    }
    void ask()
    const timer = clock.setInterval(() => void ask(), EVERY_MS)
    return () => {
      held.isOpen = false
      timer.dispose()
    }
  }, [backend, clock, lines, next, isFrozen])
  return { lines, ...state }
}
