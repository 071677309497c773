// Maps a route to its screen. All screens but the first are loaded on their first visit.

import { Compass, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AppInfoView } from '../../../contract/app'
import { lazyPart } from '../components/lazy-part'
import { useText } from '../i18n/text'
import { hrefOf } from '../navigation/router'
import type { Route } from '../navigation/routes'
import { Overview } from '../screens/Overview/Overview'
import { useApp } from '../state/environment'
import { EmptyState } from '../widgets/facts/States'

// What is hidden from link visitors: the program sends nothing for it, so the screen says so immediately.

type Link = NonNullable<AppInfoView['link']>

/** Pages about this device's own preferences and about the program. */
const OPEN_SETTINGS: readonly string[] = ['general', 'accessibility', 'about', 'appearance']

export function isWithheld(route: Route, { hides }: Pick<Link, 'hides'>): boolean {
  switch (route.screen) {
    case 'rules':
    case 'approval':
    case 'activity':
    case 'welcome':
      return true
    case 'accounts':
    case 'account':
    case 'address':
    case 'transaction':
      return hides
    case 'node':
      return route.tab === 'rpc' || (hides && (route.tab === 'peers' || route.tab === 'mempool'))
    case 'settings':
      return !OPEN_SETTINGS.includes(route.section)
    default:
      return false
  }
}

const Gpus = lazyPart(async () => (await import('../screens/Gpus/Gpus')).Gpus)
const GpuDetail = lazyPart(async () => (await import('../screens/Gpus/GpuDetail')).GpuDetail)
const Pools = lazyPart(async () => (await import('../screens/Pools/Pools')).Pools)
const Rigs = lazyPart(async () => (await import('../screens/Rigs/Rigs')).Rigs)
const RigDetail = lazyPart(async () => (await import('../screens/Rigs/detail/RigDetail')).RigDetail)
const Address = lazyPart(async () => (await import('../screens/Node/blocks/Address')).Address)
const Node = lazyPart(async () => (await import('../screens/Node/Node')).Node)
const Block = lazyPart(async () => (await import('../screens/Node/blocks/Block')).Block)
const Transaction = lazyPart(async () => (await import('../screens/Node/blocks/Transaction')).Transaction)
const Accounts = lazyPart(async () => (await import('../screens/Accounts/Accounts')).Accounts)
const Account = lazyPart(async () => (await import('../screens/Accounts/Account')).Account)
const Rules = lazyPart(async () => (await import('../screens/Accounts/Rules')).Rules)
const ActivityScreen = lazyPart(async () => (await import('../screens/Activity/Activity')).Activity)
const Welcome = lazyPart(async () => (await import('../screens/Welcome/Welcome')).Welcome)
const Settings = lazyPart(async () => (await import('../screens/Settings/Settings')).Settings)

export function CurrentScreen({ route }: { readonly route: Route }): ReactNode {
  const t = useText()
  const link = useApp((state) => state.info?.link ?? null)
  if (link !== null && isWithheld(route, link))
    return (
      <EmptyState icon={EyeOff} title={t('ui.settings.withheld')}>
        {t('ui.settings.withheldText')}
      </EmptyState>
    )
  switch (route.screen) {
    case 'overview':
      return <Overview />
    case 'gpus':
      return route.index === null ? <Gpus /> : <GpuDetail key={route.index} index={route.index} tab={route.tab} />
    case 'pools':
      return <Pools proposed={route.proposed} />
    case 'rigs':
      return route.name === null ? <Rigs /> : <RigDetail key={route.name} name={route.name} />
    case 'node':
      return <Node tab={route.tab} />
    case 'address':
      return <Address key={route.address} address={route.address} />
    case 'block':
      return <Block key={route.id} id={route.id} />
    case 'transaction':
      return <Transaction key={route.hash} hash={route.hash} />
    case 'accounts':
    case 'approval':
      return <Accounts />
    case 'account':
      return <Account key={route.address} address={route.address} />
    case 'rules':
      return <Rules />
    case 'activity':
      return <ActivityScreen tab={route.tab} />
    case 'welcome':
      return <Welcome />
    case 'settings':
      return <Settings section={route.section} />
    case 'sign-in': // the app shows it in place of any screen
    case 'unknown':
      return (
        <EmptyState
          icon={Compass}
          title={t('ui.shell.unknownPage')}
          action={<a href={hrefOf('/')}>{t('ui.shell.backToOverview')}</a>}
        />
      )
    default:
      return route satisfies never
  }
}
