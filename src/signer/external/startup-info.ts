// What a signer reports to its user interfaces at startup. Source: clef internal/ethapi, StartupInfo
import { bracketed } from '../../base/ip-address'
import { UI_API_VERSION } from '../ui-api/line-ui'
import { EXTERNAL_API_VERSION } from './account-calls'

type Address = { readonly host: string; readonly port: number } | null

/** The object of ui_onSignerStartup. */
export function startupInfo(http: Address, ipcPath: string | null) {
  const address = hostAndPort(http)
  return {
    extapi_http: address === null ? 'n/a' : `http://${address}/`,
    extapi_ipc: ipcPath ?? 'n/a',
    extapi_version: EXTERNAL_API_VERSION,
    intapi_version: UI_API_VERSION,
  }
}

/** `127.0.0.1:8550`, an IPv6 address in brackets; null when nothing listens. */
export function hostAndPort(address: Address): string | null {
  return address === null ? null : `${bracketed(address.host)}:${address.port}`
}
