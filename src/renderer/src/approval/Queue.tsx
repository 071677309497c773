// The other waiting requests; picking one shows it, and it has to settle again. Similar payments of one caller share a
// line and open as a table.
import { useMemo } from 'react'
import type { RequestView } from '../../../contract/signer'
import { ForeignText } from '../components/values/HexText'
import { useFormat, useText } from '../i18n/text'
import { useSigner } from '../state/environment'
import { selectWaiting } from '../state/stores/signer-store'
import { Age } from '../widgets/facts/Age'
import styles from './Approval.module.css'
import { kindKeys } from './ApprovalHead'
import { callerName } from './request/caller-name'
import { type AlikeGroup, alikeGroups } from './table/alike'
import { totalsOf } from './table/table-rows'
import { leadOf } from './table/use-table'

interface LineProps {
  readonly onPick: (id: string) => void
  readonly onOpen: (group: AlikeGroup) => void
}

interface QueueProps extends LineProps {
  /** Requests on the screen, which aren't listed: one, or all of a table. */
  readonly shown: ReadonlySet<string>
}

export function Queue({ shown, onPick, onOpen }: QueueProps) {
  const t = useText()
  const waiting = useSigner(selectWaiting)
  const lines = useMemo(() => linesOf(waiting, shown), [waiting, shown])
  if (lines.length === 0) return null
  return (
    <nav className={styles.others} aria-label={t('ui.approval.others')} data-testid="approval-others">
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            {line.group === null ? (
              <Row request={line.request} onPick={onPick} />
            ) : (
              <GroupRow group={line.group} onOpen={onOpen} />
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface Line {
  readonly id: string
  readonly request: RequestView
  /** Null for a single request. */
  readonly group: AlikeGroup | null
}

/** A group takes the place of its oldest request. A group that is fully on the screen isn't listed. */
function linesOf(waiting: readonly RequestView[], shown: ReadonlySet<string>): readonly Line[] {
  const groups = alikeGroups(waiting).filter(({ payments }) => payments.some(({ request }) => !shown.has(request.id)))
  const grouped = new Set(groups.flatMap(({ payments }) => payments.map(({ request }) => request.id)))
  return waiting.flatMap((request): Line[] => {
    const group = groups.find(({ payments }) => payments[0]?.request.id === request.id) ?? null
    if (group !== null) return [{ id: request.id, request, group }]
    return grouped.has(request.id) || shown.has(request.id) ? [] : [{ id: request.id, request, group: null }]
  })
}

function GroupRow({ group, onOpen }: { readonly group: AlikeGroup; readonly onOpen: (group: AlikeGroup) => void }) {
  const t = useText()
  const format = useFormat()
  const { payments, token } = group
  const { caller, createdAt } = leadOf(group)
  const { amount } = totalsOf(payments)
  return (
    <button type="button" data-testid="approval-together" onClick={() => onOpen(group)}>
      <span className={styles.othersKind}>{t('ui.together.line', { count: payments.length })}</span>
      <span className={styles.othersCaller}>
        <ForeignText text={callerName(caller, t)} />
      </span>
      <span className={styles.othersAmount}>
        {token === null ? format.laxExact(amount) : t('ui.together.lineUnits', { amount: amount.toString() })}
      </span>
      <Age time={createdAt} />
    </button>
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
