// Calls that were refused without asking the user: by the checks, or because too many wait already.
import { Ban, Layers } from 'lucide-react'
import { useState } from 'react'
import type { CallerView, RefusalView } from '../../../contract/signer'
import { Note } from '../components/layout/Note'
import { ForeignText } from '../components/values/HexText'
import { type Text, useLanguage, useText } from '../i18n/text'
import { useSigner } from '../state/environment'
import { Button } from '../widgets/controls/Button'
import { findingText, SeverityList } from '../widgets/incidents/SeverityList'
import styles from './RefusedCalls.module.css'

export function RefusedCalls() {
  const t = useText()
  const overflowed = useSigner((state) => state.requests?.overflowed ?? 0)
  const newest = useSigner((state) => state.requests?.refusals?.[0])
  const [read, setRead] = useState(0)
  return (
    <>
      {overflowed > 0 && (
        <Note tone="warn" icon={Layers} role="status" testId="approval-overflow">
          {t('ui.approval.overflow', { count: overflowed })}
        </Note>
      )}
      {newest !== undefined && newest.id > read && (
        <Refusal key={newest.id} refusal={newest} earlier={newest.id - read - 1} onRead={() => setRead(newest.id)} />
      )}
    </>
  )
}

interface RefusalProps {
  readonly refusal: RefusalView
  /** Earlier refusals that weren't dismissed. */
  readonly earlier: number
  readonly onRead: () => void
}

function Refusal({ refusal, earlier, onRead }: RefusalProps) {
  const { t, format } = useLanguage()
  const { caller, findings, at } = refusal
  return (
    <Note
      tone="warn"
      icon={Ban}
      role="status"
      testId="approval-auto-refused"
      action={
        <Button size="small" onClick={onRead}>
          {t('ui.common.close')}
        </Button>
      }
    >
      {t('ui.approval.autoRefused')} <ForeignText text={callerName(caller, t)} /> ({format.timeOfDay(at)}):{' '}
      {findings[0] !== undefined && <ForeignText text={findingText(findings[0], t).slice(0, 200)} />}
      {earlier > 0 && ` ${t('ui.approval.autoRefusedMore', { count: earlier })}`}
      <details className={styles.details}>
        <summary>{t('ui.approval.refusedDetails')}</summary>
        <SeverityList findings={findings} />
      </details>
    </Note>
  )
}

const MAX_SHORT = 60

/** One short name: what the caller claims of its page, what the system reports, what it claims of its program. */
function callerName({ transport, origin, process, userAgent, remote }: CallerView, t: Text): string {
  if (transport === 'app') return t('ui.approval.thisApplication')
  const told = [origin, process?.name ?? '', userAgent].find((text) => text !== '')
  return (told ?? `${transport} ${remote}`).slice(0, MAX_SHORT)
}
