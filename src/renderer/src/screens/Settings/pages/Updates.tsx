// Which version this is, and how a newer one comes here: the program asks no host by itself.
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useApp } from '../../../state/environment'
import { useBuild } from './use-build'

export function Updates() {
  const t = useText()
  const version = useApp((state) => state.info?.version ?? '')
  const build = useBuild()
  return (
    <Card title={t('ui.settings.page.updates')} testId="updates">
      <Facts>
        <Fact label={t('ui.settings.version')}>{version}</Fact>
        <Fact label={t('ui.settings.build')}>
          <code>{build === null ? t('ui.settings.notKnown') : build.build || t('ui.settings.fromSources')}</code>
        </Fact>
      </Facts>
      <p>{t('ui.settings.updatesNone')}</p>
      <p>{t('ui.settings.updatesHow')}</p>
    </Card>
  )
}
