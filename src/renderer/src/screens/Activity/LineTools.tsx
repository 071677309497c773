// The toolbar over lines: filter with a switch for patterns, level, time, freeze, export.
import type { ReactNode } from 'react'
import { TextField } from '../../components/forms/TextField'
import { saveText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import type { FilterProblem, LogFilter } from '../../state/log/log-lines'
import { Button } from '../../widgets/controls/Button'
import styles from './Activity.module.css'
import { type LineWishes, spans } from './use-line-filter'

interface LineToolsProps {
  readonly wishes: LineWishes
  readonly levels: readonly LogFilter['least'][]
  readonly problem: FilterProblem | null
  readonly marked: number
  /** Null when there is nothing to export. */
  readonly onExport: (() => void) | null
  readonly children?: ReactNode
}

export function LineTools({ wishes, levels, problem, marked, onExport, children }: LineToolsProps) {
  const t = useText()
  const { text, isPattern, least, span, set, setSpan } = wishes
  const fault =
    problem === null
      ? ''
      : t(`ui.logs.pattern.${problem.kind}`, { reason: problem.kind === 'bad' ? problem.reason : '' })
  return (
    <div className={styles.tools}>
      <div className={styles.search}>
        <TextField
          label={t('ui.logs.filter')}
          isLabelHidden
          type="search"
          placeholder={t('ui.logs.filter')}
          value={text}
          maxLength={200}
          isMono={isPattern}
          error={fault}
          data-testid="log-filter"
          onChange={(value) => set({ text: value })}
        />
        <label className={styles.pattern}>
          <input
            type="checkbox"
            checked={isPattern}
            data-testid="log-pattern"
            onChange={(event) => set({ isPattern: event.target.checked })}
          />
          {t('ui.logs.isPattern')}
        </label>
      </div>
      {children}
      <Select
        label={t('ui.logs.least')}
        testId="log-level"
        value={least}
        options={levels.map((value) => ({ value, title: t(`ui.logs.level.${value}`) }))}
        onChange={(value) => set({ least: value })}
      />
      <Select
        label={t('ui.logs.span')}
        testId="log-span"
        value={span}
        options={spans.map((value) => ({ value, title: t(`ui.logs.span.${value}`) }))}
        onChange={setSpan}
      />
      <Button
        data-testid="log-export"
        disabledReason={onExport === null ? t('ui.logs.nothing') : undefined}
        onClick={() => onExport?.()}
      >
        {marked === 0 ? t('ui.logs.export') : t('ui.logs.exportMarked', { count: marked })}
      </Button>
    </div>
  )
}

interface SelectProps<T extends string> {
  readonly label: string
  readonly testId: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly title: string }[]
  readonly onChange: (value: T) => void
}

export function Select<T extends string>({ label, testId, value, options, onChange }: SelectProps<T>) {
  const choose = (wanted: string): void => {
    const found = options.find((option) => option.value === wanted)
    if (found !== undefined) onChange(found.value)
  }
  return (
    <select
      aria-label={label}
      className={styles.select}
      data-testid={testId}
      value={value}
      onChange={(event) => choose(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.title}
        </option>
      ))}
    </select>
  )
}

/** One JSON object per line. */
export function saveLines(text: string, name: string): void {
  saveText(`${text}\n`, name, 'application/jsonl')
}
