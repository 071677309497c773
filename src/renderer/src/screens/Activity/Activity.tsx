// What happened: as sentences, as the audit log, and as the program's log.
import { useState } from 'react'
import { Failure } from '../../components/faults/Failure'
import { Card } from '../../components/layout/Card'
import { Tabs } from '../../components/layout/Tabs'
import { saveText } from '../../components/values/copy-text'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { type ActivityTab, activityTabs } from '../../navigation/routes'
import { useAttempt } from '../../state/answers/use-attempt'
import { useApp, useEnvironment } from '../../state/environment'
import { selectCanControl, selectIsHere } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { AuditRows, useAudit } from '../Accounts/AuditRows'
import { Screen } from '../Screen'
import { Events } from './Events'
import { LogView } from './LogView'
import { ReportCard } from './ReportCard'

// A support bundle as a file: versions, settings without secrets, the last log lines. It is sent nowhere.

function BundleButton() {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const { failure, run } = useAttempt()
  if (!canControl) return null
  const save = async (): Promise<void> => {
    const { name, text } = await backend.call('app.supportBundle', {})
    saveText(text, name, 'text/plain')
  }
  return (
    <>
      <Button
        needsContact
        title={t('ui.bundle.hint')}
        data-testid="support-bundle"
        onClick={() => run(save, 'ui.bundle.failed')}
      >
        {t('ui.bundle.save')}
      </Button>
      <Failure text={failure} />
    </>
  )
}

/** What each log tab shows: modules by the first part of their names. */
const logModules = {
  miner: ['miner', 'pool', 'sensors', 'xhash', 'history', 'control-port'],
  node: ['node', 'chain', 'p2p', 'rpc', 'query', 'solc'],
  all: [],
} as const

export function Activity({ tab }: { readonly tab: ActivityTab }) {
  const t = useText()
  const isHere = useApp(selectIsHere)
  // The audit log reveals what was requested and signed: only for those who may decide requests.
  const shown = activityTabs.filter((name) => name !== 'audit' || isHere)
  return (
    <Screen title={t('ui.nav.activity')} actions={<BundleButton />}>
      <Tabs
        label={t('ui.activity.parts')}
        active={tab}
        tabs={shown.map((name) => ({
          name,
          href: hrefOf(name === 'events' ? '/activity' : `/activity/${name}`),
          title: t(`ui.activity.tab.${name}`),
          testId: `activity-tab-${name}`,
        }))}
      />
      {tab === 'events' && <ReportCard />}
      {tab === 'events' && <Events />}
      {tab === 'audit' && <Audit />}
      {(tab === 'miner' || tab === 'node' || tab === 'all') && (
        <LogView key={tab} title={t(`ui.activity.tab.${tab}`)} modules={logModules[tab]} />
      )}
    </Screen>
  )
}

const SHOWN = 200

/** Only at the machine itself: the audit log reveals what was requested and signed. */
function Audit() {
  const isHere = useApp(selectIsHere)
  return isHere ? <Record /> : null
}

function Record() {
  const t = useText()
  const { backend } = useEnvironment()
  const audit = useAudit(null, SHOWN)
  const [verdict, setVerdict] = useState({ state: '', text: '' })
  const { failure, attempt } = useAttempt()
  const verify = async (): Promise<void> => {
    setVerdict({ state: '', text: '' })
    await attempt(async () => {
      const { isWhole, records, reason } = await backend.call('signer.auditVerify', {})
      setVerdict({
        state: isWhole ? 'whole' : 'broken',
        text: isWhole ? t('ui.audit.whole', { count: records }) : t('ui.audit.broken', { record: records, reason }),
      })
    })
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
      <Failure text={failure} />
      <AuditRows {...audit} />
    </Card>
  )
}
