// Looks and habits of this device, and what this program is.
import { hrefOf } from '../../app/router'
import { Card, Fact, Facts } from '../../components/Card'
import { LanguageChoices } from '../../components/LanguageChoices'
import { StatePill } from '../../components/StatePill'
import { Skeleton } from '../../components/States'
import { ThemeChoices } from '../../components/ThemeChoices'
import { useFormat, useText } from '../../i18n/text'
import { useApp, useEnvironment, useNow, usePreference } from '../../state/environment'
import { Screen } from '../Screen'
import { OptionPage } from './OptionPage'
import styles from './Settings.module.css'
import { Switch } from './Switch'
import { Tariff } from './Tariff'
import { useOptions } from './use-options'

const ownSections = ['appearance', 'money', 'about'] as const

export function Settings({ section }: { readonly section: string }) {
  const t = useText()
  const options = useOptions()
  const own = ownSections.find((name) => name === section)
  return (
    <Screen title={t('ui.nav.settings')}>
      <div className={styles.layout}>
        <nav className={styles.sections} aria-label={t('ui.settings.sections')}>
          {ownSections.map((name) => (
            <SectionLink key={name} name={name} title={t(`ui.settings.${name}`)} active={section} />
          ))}
          {options.answer.kind === 'ready' && (
            <>
              <span className={styles.group}>{t('ui.settings.options')}</span>
              {options.answer.value.sections.map(({ name, title }) => (
                <SectionLink key={name} name={name} title={title} active={section} />
              ))}
            </>
          )}
        </nav>
        {own === 'appearance' && <Appearance />}
        {own === 'money' && <Tariff />}
        {own === 'about' && <About />}
        {own === undefined && <OptionPage key={section} section={section} options={options} />}
      </div>
    </Screen>
  )
}

interface SectionLinkProps {
  readonly name: string
  readonly title: string
  readonly active: string
}

function SectionLink({ name, title, active }: SectionLinkProps) {
  return (
    <a href={hrefOf(`/settings/${name}`)} aria-current={name === active ? 'page' : undefined}>
      {title}
    </a>
  )
}

function Appearance() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const letterKeys = usePreference((state) => state.letterKeys)
  const noTimedHolds = usePreference((state) => state.noTimedHolds)
  return (
    <div className={styles.cards}>
      <Card title={t('ui.settings.theme')}>
        <div className={styles.row}>
          <p>{t('ui.settings.themeText')}</p>
          <ThemeChoices />
        </div>
      </Card>
      <Card title={t('ui.settings.language')}>
        <div className={styles.row}>
          <p>{t('ui.settings.languageText')}</p>
          <LanguageChoices />
        </div>
      </Card>
      <Card title={t('ui.settings.accessibility')}>
        <Switch
          label={t('ui.settings.letterKeys')}
          isOn={letterKeys}
          onChange={(isOn) => preferences.setState({ letterKeys: isOn })}
        />
        <Switch
          label={t('ui.settings.noTimedHolds')}
          isOn={noTimedHolds}
          onChange={(isOn) => preferences.setState({ noTimedHolds: isOn })}
        />
      </Card>
    </div>
  )
}

function About() {
  const t = useText()
  const format = useFormat()
  const info = useApp((state) => state.info)
  const now = useNow()
  if (info === null) return <Skeleton lines={6} />
  const engine = t(`ui.engine.${info.engine.kind}`)
  const off = t('ui.common.off')
  return (
    <div className={styles.cards}>
      <Card title={t('ui.settings.about')} testId="about">
        <Facts>
          <Fact label={t('ui.settings.version')}>{info.version}</Fact>
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
          <Fact label={t('ui.settings.licence')}>{t('ui.settings.licenceName')}</Fact>
        </Facts>
      </Card>
      <Services />
    </div>
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
