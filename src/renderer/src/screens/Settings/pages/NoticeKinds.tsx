// Which notifications are shown: a checkbox for each kind.
import { NOTICE_KINDS } from '../../../../../config/options/desktop'
import { type TextKey, useText } from '../../../i18n/text'
import styles from '../Settings.module.css'

/** The option's value for no notifications. */
const NONE = 'none'
const kinds: readonly string[] = NOTICE_KINDS.filter((kind) => kind !== NONE)

/** A kind without a name here is shown by its raw word. */
const names: Readonly<Record<string, TextKey>> = {
  approval: 'ui.settings.notice.approval',
  heat: 'ui.settings.notice.heat',
  fault: 'ui.settings.notice.fault',
  block: 'ui.settings.notice.block',
  pool: 'ui.settings.notice.pool',
  rig: 'ui.settings.notice.rig',
  'side-block': 'ui.notice.kind.sideBlock',
  reward: 'ui.notice.kind.reward',
  warning: 'ui.notice.kind.warning',
  node: 'ui.notice.kind.node',
  disk: 'ui.notice.kind.disk',
  report: 'ui.notice.kind.report',
}

interface NoticeKindsProps {
  readonly labelId: string
  readonly noteId: string
  /** Comma-separated, as the option has it. */
  readonly value: string
  readonly onChange: (value: string) => void
}

export function NoticeKinds({ labelId, noteId, value, onChange }: NoticeKindsProps) {
  const t = useText()
  const chosen = value.split(',').map((word) => word.trim())
  const set = (kind: string, isOn: boolean): void => {
    const next = kinds.filter((each) => (each === kind ? isOn : chosen.includes(each)))
    onChange(next.join(',') || NONE)
  }
  return (
    <fieldset className={styles.kinds} aria-labelledby={labelId} aria-describedby={noteId}>
      {kinds.map((kind) => (
        <label key={kind} className={styles.kind}>
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={(event) => set(kind, event.target.checked)}
          />
          <span>{names[kind] === undefined ? kind : t(names[kind])}</span>
        </label>
      ))}
    </fieldset>
  )
}
