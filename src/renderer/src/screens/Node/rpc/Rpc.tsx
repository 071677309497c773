// What the node says of itself, and who asks it what: its log, the ways in, how often which method is asked for, a console.
import { useText } from '../../../i18n/text'
import { useApp } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { LogView } from '../../Activity/LogView'
import { Listeners } from './Listeners'
import { RpcConsole } from './RpcConsole'
import { RpcTraffic } from './RpcTraffic'

/** Whose lines are the node's: its services and its threads. */
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
