// The node's log, its endpoints, which methods are called how often, and a console.
import { useText } from '../../../i18n/text'
import { useApp } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { LogView } from '../../Activity/LogView'
import { Listeners } from './Listeners'
import { RpcConsole } from './RpcConsole'
import { RpcTraffic } from './RpcTraffic'

/** Modules whose log lines count as the node's: its services and its threads. */
const NODE_MODULES: readonly string[] = ['node', 'chain', 'p2p', 'rpc', 'query', 'solc']

export function Rpc() {
  const t = useText()
  const canControl = useApp(selectCanControl)
  return (
    <>
      <Listeners />
      <RpcTraffic />
      {canControl && <RpcConsole />}
      <LogView title={t('ui.node.log')} modules={NODE_MODULES} />
    </>
  )
}
