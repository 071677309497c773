// The settings: a page for each part of the program, in the order in which users look for them.
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { EmptyState } from '../../widgets/facts/States'
import { Screen } from '../Screen'
import { OptionPage } from './OptionPage'
import { type PageName, pageOf, pages } from './option-pages'
import { About } from './pages/About'
import { Accessibility } from './pages/Accessibility'
import { Appearance } from './pages/Appearance'
import { DataFolder } from './pages/DataFolder'
import { Tariff } from './pages/Tariff'
import { Updates } from './pages/Updates'
import styles from './Settings.module.css'
import { RemoteApprovals } from './sharing/RemoteApprovals'
import { Sharing } from './sharing/Sharing'
import { type Options, useOptions } from './use-options'

export function Settings({ section }: { readonly section: string }) {
  const t = useText()
  const options = useOptions()
  const [typed, setTyped] = useState('')
  const search = typed.trim()
  const page = pageOf(section)
  return (
    <Screen title={t('ui.nav.settings')}>
      <div className={styles.layout}>
        <div className={styles.side}>
          <input
            type="search"
            className={styles.search}
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
      {page === 'mining' && <Tariff />}
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
