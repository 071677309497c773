// The settings: a page for each part of the program, in the order in which users look for them.
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import type { AppInfoView } from '../../../../contract/app'
import { Choice } from '../../components/forms/Choice'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { usePlace } from '../../state/answers/use-place'
import { useApp, useEnvironment, useNow, usePreference } from '../../state/environment'
import { LanguageChoices } from '../../widgets/controls/LanguageChoices'
import { ThemeChoices } from '../../widgets/controls/ThemeChoices'
import { FolderChooser } from '../../widgets/data-folder/FolderChooser'
import { StatePill } from '../../widgets/facts/StatePill'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { Screen } from '../Screen'
import { OptionPage } from './OptionPage'
import { type PageName, pageOf, pages } from './option-pages'
import { Updates } from './pages/Updates'
import { useBuild } from './pages/use-build'
import { Setting, Switch } from './Setting'
import styles from './Settings.module.css'
import { RemoteApprovals } from './sharing/RemoteApprovals'
import { TokenCard } from './sharing/TokenCard'
import { ViewLinks } from './sharing/ViewLinks'
import { type Options, useOptions } from './use-options'

// How this device is used: keys, holding, motion. The time to decide belongs to the program and is further down.

export function Accessibility() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const letterKeys = usePreference((state) => state.letterKeys)
  const noTimedHolds = usePreference((state) => state.noTimedHolds)
  const lessMotion = usePreference((state) => state.lessMotion)
  return (
    <>
      <Card title={t('ui.settings.thisDevice')}>
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
        <Switch
          label={t('ui.settings.lessMotion')}
          isOn={lessMotion}
          onChange={(isOn) => preferences.setState({ lessMotion: isOn })}
        />
      </Card>
      <p className={styles.reason}>{t('ui.settings.tenMinutes')}</p>
    </>
  )
}

// Where chain, keys and logs are stored, and how much space is left there.

function DataFolder() {
  const t = useText()
  const format = useFormat()
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const place = usePlace()
  return (
    <Card title={t('ui.settings.dataDir')} testId="data-folder">
      <Facts>
        <Fact label={t('ui.settings.folder')}>
          <code>{dataDir}</code>
        </Fact>
        <Fact label={t('ui.settings.freeRoom')}>{format.text('bytes', place?.freeBytes ?? null)}</Fact>
      </Facts>
      {place?.isNetworkDrive === true && <p className={styles.danger}>{t('ui.settings.networkDrive')}</p>}
      <FolderChooser />
    </Card>
  )
}

// Who can reach this program from elsewhere: its address, its token, and view-only links.

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

export function Settings({ section }: { readonly section: string }) {
  const t = useText()
  const options = useOptions()
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const page = pageOf(section)
  return (
    <Screen title={t('ui.nav.settings')} isForm>
      <div className={styles.layout}>
        <div className={styles.side}>
          <input
            type="search"
            className={styles.input}
            data-testid="settings-search"
            aria-label={t('ui.settings.search')}
            placeholder={t('ui.settings.search')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <nav className={styles.sections} aria-label={t('ui.settings.sections')}>
            {pages.map((name) => (
              <a
                key={name}
                href={hrefOf(`/settings/${name}`)}
                aria-current={name === page && search === '' ? 'page' : undefined}
                onClick={() => setTyped('')}
              >
                {t(`ui.settings.page.${name}`)}
              </a>
            ))}
          </nav>
        </div>
        <Found page={page} options={options} search={search} />
      </div>
    </Screen>
  )
}

interface FoundProps {
  /** Null: the address names no page. */
  readonly page: PageName | null
  readonly options: Options
  readonly search: string
}

function Found({ page, options, search }: FoundProps) {
  const t = useText()
  if (search !== '') return <OptionPage key="search" page={page ?? 'general'} options={options} search={search} />
  if (page === null) return <EmptyState icon={SearchX} title={t('ui.shell.unknownPage')} />
  return <Page key={page} page={page} options={options} />
}

function Page({ page, options }: { readonly page: PageName; readonly options: Options }) {
  if (page === 'about') return <About />
  return (
    <OptionPage page={page} options={options} also={page === 'accessibility' ? ['signer.approvalTimeoutSeconds'] : []}>
      {page === 'general' && <Appearance />}
      {page === 'pools' && <PoolLinks />}
      {page === 'signer' && <RemoteApprovals />}
      {page === 'node' && <DataFolder />}
      {page === 'api' && <Sharing options={options} />}
      {page === 'updates' && <Updates />}
      {page === 'accessibility' && <Accessibility />}
    </OptionPage>
  )
}

/** Pools and rigs are edited on their own screens; this page has the options about them. */
function PoolLinks() {
  const t = useText()
  return (
    <p className={styles.links}>
      <a href={hrefOf('/pools')}>{t('ui.settings.toPools')}</a>
      <a href={hrefOf('/rigs')}>{t('ui.settings.toRigs')}</a>
    </p>
  )
}

const degrees = ['celsius', 'fahrenheit'] as const

function Appearance() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const chosen = usePreference((state) => state.degrees)
  return (
    <Card title={t('ui.settings.appearance')}>
      <Setting label={t('ui.settings.theme')} text={t('ui.settings.themeText')}>
        <ThemeChoices />
      </Setting>
      <Setting label={t('ui.settings.language')} text={t('ui.settings.languageText')}>
        <LanguageChoices />
      </Setting>
      <Setting label={t('ui.settings.degrees')} text={t('ui.settings.degreesText')}>
        <Choice
          label={t('ui.settings.degrees')}
          value={chosen}
          options={degrees.map((value) => ({ value, label: t(`ui.settings.degrees.${value}`) }))}
          onChange={(value) => preferences.setState({ degrees: value })}
        />
      </Setting>
    </Card>
  )
}

function About() {
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
