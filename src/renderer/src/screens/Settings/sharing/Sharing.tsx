// Who can reach this program from elsewhere: its address, its token, and view-only links.
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useApp } from '../../../state/environment'
import styles from '../Settings.module.css'
import type { Options } from '../use-options'
import { TokenCard } from './TokenCard'
import { ViewLinks } from './ViewLinks'

export function Sharing({ options: { answer, ask } }: { readonly options: Options }) {
  const t = useText()
  const api = useApp((state) => state.info?.endpoints.api ?? null)
  const all = answer.kind === 'ready' ? answer.value.sections.flatMap(({ options }) => options) : []
  const token = all.find(({ key }) => key === 'api.token')
  return (
    <>
      <Card title={t('ui.settings.reach')} testId="reach">
        <Facts>
          <Fact label={t('ui.settings.api')}>
            <code>{api ?? t('ui.common.off')}</code>
          </Fact>
        </Facts>
        <p className={api !== null && !isLocal(api) ? styles.danger : styles.reason}>
          {t(api === null ? 'ui.settings.reachOff' : isLocal(api) ? 'ui.settings.reachLocal' : 'ui.settings.reachOpen')}
        </p>
      </Card>
      {token !== undefined && <TokenCard option={token} onMade={() => void ask()} />}
      <ViewLinks />
    </>
  )
}

function isLocal(address: string): boolean {
  return /^(127\.|localhost:|\[::1\])/.test(address)
}
