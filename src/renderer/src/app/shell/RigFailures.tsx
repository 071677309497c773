// Other rigs that failed a command sent to all.
import { ServerOff } from 'lucide-react'
import { useStore } from 'zustand'
import { Banner } from '../../components/layout/Banner'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useEnvironment } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'

export function RigFailures() {
  const t = useText()
  const { pauseAll } = useEnvironment().stores
  const failures = useStore(pauseAll.store, (state) => state.failures)
  if (failures.length === 0) return null
  return (
    <Banner
      tone="danger"
      icon={ServerOff}
      role="alert"
      testId="rig-failures"
      action={
        <Button size="small" onClick={pauseAll.forgetFailures}>
          {t('ui.common.close')}
        </Button>
      }
    >
      <ForeignText text={failures.map(({ rig, error }) => `${rig}: ${error}`).join(' · ')} />
    </Banner>
  )
}
