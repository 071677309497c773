// About this program: version, build, network, where it listens, its license, its services.
import type { AppInfoView } from '../../../../../contract/app'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { useApp, useNow } from '../../../state/environment'
import { StatePill } from '../../../widgets/facts/StatePill'
import { Skeleton } from '../../../widgets/facts/States'
import styles from '../Settings.module.css'
import { useBuild } from './use-build'

export function About() {
  const t = useText()
  const format = useFormat()
  const info = useApp((state) => state.info)
  const now = useNow()
  const build = useBuild()
  if (info === null) return <Skeleton lines={6} />
  const engine = t(`ui.engine.${info.engine.kind}`)
  return (
    <div className={styles.cards}>
      <Card title={t('ui.settings.page.about')} testId="about">
        <Facts>
          <Fact label={t('ui.settings.version')}>{info.version}</Fact>
          <Fact label={t('ui.settings.build')}>
            <code>{build === null ? t('ui.settings.notKnown') : build.build || t('ui.settings.fromSources')}</code>
          </Fact>
          <Fact label={t('ui.settings.runsOn')}>
            {build === null ? t('ui.settings.notKnown') : `${build.runtime}, ${build.system}`}
          </Fact>
          <Fact label={t('ui.settings.network')}>
            {t('ui.settings.networkIds', {
              name: t(`ui.network.${info.network}`),
              chainId: info.chainId,
              networkId: info.networkId,
            })}
          </Fact>
          <Fact label={t('ui.settings.engine')}>
            {[engine, info.engine.simd].filter((part) => part !== '').join(', ')}
          </Fact>
          <Fact label={t('ui.settings.uptime')}>{format.text('duration', (now - info.startedAt) / 1000)}</Fact>
          {(info.link ?? null) === null && <Whereabouts info={info} />}
          <Fact label={t('ui.settings.licence')}>{t('ui.settings.licenceName')}</Fact>
        </Facts>
        <p className={styles.reason}>{t('ui.settings.licenceOthers')}</p>
      </Card>
      <Services />
    </div>
  )
}

/** Its folders and addresses; hidden from visitors of a link. */
function Whereabouts({ info }: { readonly info: AppInfoView }) {
  const t = useText()
  const off = t('ui.common.off')
  return (
    <>
      <Fact label={t('ui.settings.dataDir')}>
        <code>{info.dataDir}</code>
      </Fact>
      <Fact label={t('ui.settings.api')}>
        <code>{info.endpoints.api ?? off}</code>
      </Fact>
      <Fact label={t('ui.settings.rpc')}>
        <code>{info.endpoints.rpc ?? off}</code>
      </Fact>
      <Fact label={t('ui.settings.signer')}>
        <code>{info.endpoints.signer ?? off}</code>
      </Fact>
    </>
  )
}

const tones = { off: 'neutral', starting: 'info', running: 'ok', failed: 'danger' } as const
const marks = { off: 'waiting', starting: 'waiting', running: 'ok', failed: 'error' } as const

function Services() {
  const t = useText()
  const services = useApp((state) => state.status?.services ?? null)
  if (services === null) return null
  return (
    <Card title={t('ui.settings.services')}>
      <Facts>
        {services.map(({ name, state, reason }) => (
          <Fact key={name} label={name}>
            <StatePill tone={tones[state]} mark={marks[state]}>
              {t(`ui.service.${state}`)}
            </StatePill>
            {reason !== '' && <p className={styles.reason}>{reason}</p>}
          </Fact>
        ))}
      </Facts>
    </Card>
  )
}
