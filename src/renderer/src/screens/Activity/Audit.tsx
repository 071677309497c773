// The audit log, and whether its hash chain is intact.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { Card } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment } from '../../state/environment'
import { selectIsHere } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { AuditRows, useAudit } from '../Accounts/AuditRows'

const SHOWN = 200

/** Only at the machine itself: the audit log reveals what was requested and signed. */
export function Audit() {
  const isHere = useApp(selectIsHere)
  return isHere ? <Record /> : null
}

function Record() {
  const t = useText()
  const { backend } = useEnvironment()
  const audit = useAudit(null, SHOWN)
  const [verdict, setVerdict] = useState({ state: '', text: '' })
  const verify = async (): Promise<void> => {
    try {
      const { isWhole, records, reason } = await backend.call('signer.auditVerify', {})
      setVerdict({
        state: isWhole ? 'whole' : 'broken',
        text: isWhole ? t('ui.audit.whole', { count: records }) : t('ui.audit.broken', { record: records, reason }),
      })
    } catch (error: unknown) {
      setVerdict({ state: 'failed', text: messageOf(error) })
    }
    audit.reload()
  }
  return (
    <Card
      title={t('ui.audit.title')}
      testId="audit"
      aside={
        <Button size="small" needsContact data-testid="audit-verify" onClick={() => void verify()}>
          {t('ui.audit.verify')}
        </Button>
      }
    >
      <p role="status" data-testid="audit-verdict" data-state={verdict.state}>
        {verdict.text}
      </p>
      <AuditRows {...audit} />
    </Card>
  )
}
