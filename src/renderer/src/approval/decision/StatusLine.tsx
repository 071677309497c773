// What is missing before a press counts, or how far the approval is.

import { ForeignText } from '../../components/values/HexText'
import { type TextKey, useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import type { ApprovalSnapshot } from '../machine'

interface StatusLineProps {
  readonly snapshot: ApprovalSnapshot
  readonly missing: string
  readonly isHold: boolean
}

export function StatusLine({ snapshot, missing, isHold }: StatusLineProps) {
  const t = useText()
  // A password is wiped when it is sent: from then on it isn't missing.
  const lacks = missing !== '' && snapshot.phase !== 'submitting'
  return (
    <p id="approval-missing" className={styles.missing} role="status">
      {lacks ? <ForeignText text={missing} /> : t(statusKey(snapshot, isHold))}
    </p>
  )
}

function statusKey({ phase, isHeld }: ApprovalSnapshot, isHold: boolean): TextKey {
  if (phase === 'arriving') return 'ui.approval.statusArriving'
  if (phase === 'settling') return 'ui.approval.statusSettling'
  if (phase === 'submitting') return 'ui.approval.submitting'
  if (!isHold) return 'ui.approval.statusArmed'
  return isHeld ? 'ui.approval.statusHeld' : 'ui.approval.statusHold'
}
