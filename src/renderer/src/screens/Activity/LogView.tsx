// The program's log, live: only rows in sight are drawn, so that a hundred thousand lines scroll like ten.
import { ScrollText } from 'lucide-react'
import { memo, useState } from 'react'
import type { LogLineView } from '../../../../contract/logs'
import { Button } from '../../components/Button'
import { Card } from '../../components/Card'
import { ForeignText } from '../../components/HexText'
import { EmptyState, ErrorState, Skeleton } from '../../components/States'
import { TextField } from '../../components/TextField'
import { VirtualTable } from '../../components/VirtualTable'
import { useFormat, useText } from '../../i18n/text'
import { asJsonLines, type LogFilter, logLevels } from '../../state/log-lines'
import styles from './Activity.module.css'
import { useLog } from './use-log'

const ROW_PX = 28
const HEIGHT_PX = 560

export function LogView({ title, modules }: { readonly title: string; readonly modules: readonly string[] }) {
  const t = useText()
  const [text, setText] = useState('')
  const [least, setLeast] = useState<LogFilter['least']>('info')
  const [isFrozen, setFrozen] = useState(false)
  const { lines, error, isRead } = useLog({ modules, least, text }, isFrozen)
  const { shown } = lines
  return (
    <Card
      title={title}
      isFlush={shown.length > 0}
      aside={<span className={styles.count}>{t('ui.logs.count', { shown: shown.length, all: lines.count })}</span>}
    >
      <Tools
        {...{ text, setText, least, setLeast, isFrozen, setFrozen }}
        onExport={shown.length === 0 ? null : () => save(asJsonLines(shown))}
      />
      {error !== '' && <ErrorState title={t('ui.logs.failed')} reason={error} />}
      {!isRead && error === '' && <Skeleton lines={8} />}
      {isRead && shown.length === 0 && (
        <EmptyState icon={ScrollText} title={t(lines.count === 0 ? 'ui.activity.none' : 'ui.logs.noMatch')} />
      )}
      {shown.length > 0 && (
        <div data-testid="log-view" className={styles.log}>
          <VirtualTable
            label={title}
            count={shown.length}
            rowPx={ROW_PX}
            heightPx={HEIGHT_PX}
            columns={4}
            head={<Heading />}
            row={(index) => {
              // Newest first: who opens a log wants its end.
              const line = shown[shown.length - 1 - index]
              return line === undefined ? null : <LogRow key={line.id} line={line} />
            }}
          />
        </div>
      )}
    </Card>
  )
}

interface ToolsProps {
  readonly text: string
  readonly setText: (text: string) => void
  readonly least: LogFilter['least']
  readonly setLeast: (level: LogFilter['least']) => void
  readonly isFrozen: boolean
  readonly setFrozen: (isFrozen: boolean) => void
  /** Null when there is nothing to export. */
  readonly onExport: (() => void) | null
}

function Tools({ text, setText, least, setLeast, isFrozen, setFrozen, onExport }: ToolsProps) {
  const t = useText()
  return (
    <div className={styles.tools}>
      <TextField
        label={t('ui.logs.filter')}
        isLabelHidden
        type="search"
        placeholder={t('ui.logs.filter')}
        value={text}
        maxLength={200}
        data-testid="log-filter"
        onChange={setText}
      />
      <select
        aria-label={t('ui.logs.least')}
        className={styles.select}
        data-testid="log-level"
        value={least}
        onChange={(event) => setLeast(logLevels.find((level) => level === event.target.value) ?? 'info')}
      >
        {logLevels.map((level) => (
          <option key={level} value={level}>
            {t(`ui.logs.level.${level}`)}
          </option>
        ))}
      </select>
      <Button aria-pressed={isFrozen} data-testid="log-freeze" onClick={() => setFrozen(!isFrozen)}>
        {t(isFrozen ? 'ui.logs.unfreeze' : 'ui.logs.freeze')}
      </Button>
      <Button
        data-testid="log-export"
        disabledReason={onExport === null ? t('ui.logs.nothing') : undefined}
        onClick={() => onExport?.()}
      >
        {t('ui.logs.export')}
      </Button>
    </div>
  )
}

const Heading = memo(function Heading() {
  const t = useText()
  return (
    <tr>
      <th scope="col">{t('ui.node.time')}</th>
      <th scope="col">{t('ui.logs.level')}</th>
      <th scope="col">{t('ui.logs.module')}</th>
      <th scope="col">{t('ui.logs.text')}</th>
    </tr>
  )
})

/** Drawn once: a line never changes. */
const LogRow = memo(function LogRow({ line }: { readonly line: LogLineView }) {
  const format = useFormat()
  const t = useText()
  return (
    <tr className={`${styles.line} ${styles[line.level] ?? ''}`} data-testid="log-row" data-state={line.level}>
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

/** A file of the browser's own, without any request. */
function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }))
  link.download = 'headframe-log.jsonl'
  link.click()
  URL.revokeObjectURL(link.href)
}
