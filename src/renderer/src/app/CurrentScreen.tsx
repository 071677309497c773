// Which screen a route means. All but the first are loaded when they are first visited.
import { Compass } from 'lucide-react'
import { lazy, type ReactNode } from 'react'
import { EmptyState } from '../components/States'
import { useText } from '../i18n/text'
import { Overview } from '../screens/Overview/Overview'
import type { Route } from './routes'

const Gpus = lazy(async () => ({ default: (await import('../screens/Gpus/Gpus')).Gpus }))
const GpuDetail = lazy(async () => ({ default: (await import('../screens/Gpus/GpuDetail')).GpuDetail }))
const Pools = lazy(async () => ({ default: (await import('../screens/Pools/Pools')).Pools }))
const Rigs = lazy(async () => ({ default: (await import('../screens/Rigs/Rigs')).Rigs }))
const RigDetail = lazy(async () => ({ default: (await import('../screens/Rigs/RigDetail')).RigDetail }))
const Address = lazy(async () => ({ default: (await import('../screens/Node/Address')).Address }))
const Node = lazy(async () => ({ default: (await import('../screens/Node/Node')).Node }))
const Block = lazy(async () => ({ default: (await import('../screens/Node/Block')).Block }))
const Transaction = lazy(async () => ({ default: (await import('../screens/Node/Transaction')).Transaction }))
const Accounts = lazy(async () => ({ default: (await import('../screens/Accounts/Accounts')).Accounts }))
const Account = lazy(async () => ({ default: (await import('../screens/Accounts/Account')).Account }))
const Rules = lazy(async () => ({ default: (await import('../screens/Accounts/Rules')).Rules }))
const ActivityScreen = lazy(async () => ({ default: (await import('../screens/Activity/Activity')).Activity }))
const Welcome = lazy(async () => ({ default: (await import('../screens/Welcome/Welcome')).Welcome }))
const Settings = lazy(async () => ({ default: (await import('../screens/Settings/Settings')).Settings }))

export function CurrentScreen({ route }: { readonly route: Route }): ReactNode {
  const t = useText()
  switch (route.screen) {
    case 'overview':
      return <Overview />
    case 'gpus':
      return route.index === null ? <Gpus /> : <GpuDetail key={route.index} index={route.index} />
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
    default:
      return <EmptyState icon={Compass} title={t('ui.shell.unknownPage')} />
  }
}
