// The others that wait; picking one shows it, which settles anew.
import type { RequestView } from '../../../contract/signer'
import { Age } from '../components/Age'
import { ForeignText } from '../components/HexText'
import { useFormat, useText } from '../i18n/text'
import { useSigner } from '../state/environment'
import { selectWaiting } from '../state/signer-store'
import styles from './Approval.module.css'
import { kindKeys } from './ApprovalHead'
import { callerName } from './caller-name'

export interface QueueProps {
  readonly shownId: string
  readonly onPick: (id: string) => void
}

export function Queue({ shownId, onPick }: QueueProps) {
  const t = useText()
  const waiting = useSigner(selectWaiting)
  const others = waiting.filter((request) => request.id !== shownId)
  if (others.length === 0) return null
  return (
    <nav className={styles.others} aria-label={t('ui.approval.others')} data-testid="approval-others">
      <ul>
        {others.map((request) => (
          <li key={request.id}>
            <Row request={request} onPick={onPick} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Row({ request, onPick }: { readonly request: RequestView; readonly onPick: (id: string) => void }) {
  const t = useText()
  const format = useFormat()
  const { transaction, caller } = request
  return (
    <button type="button" onClick={() => onPick(request.id)}>
      <span className={styles.othersKind}>{t(kindKeys[request.kind])}</span>
      <span className={styles.othersCaller}>
        <ForeignText text={callerName(caller, t)} />
      </span>
      <span className={styles.othersAmount}>
        {transaction === null ? '' : format.laxExact(BigInt(transaction.value))}
      </span>
      <Age time={request.createdAt} />
    </button>
  )
}
