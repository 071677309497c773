// The methods of the external API by name. Nothing else can be called from outside.
import { SignerError } from '../errors'
import type { CallHandler, ExternalCall } from './json-rpc'

/** Semantic version of the external API, as account_version reports it. */
export const EXTERNAL_API_VERSION = '6.1.0'

interface AccountMethods {
  readonly newAccount: CallHandler
  readonly list: CallHandler
  readonly signTransaction: CallHandler
  readonly signData: CallHandler
  readonly signTypedData: CallHandler
  readonly signSafeTransaction: CallHandler
  readonly ecRecover: CallHandler
  readonly version: CallHandler
}

/** Methods answer with their result or throw a SignerError. */
export function externalMethods(account: AccountMethods): CallHandler {
  const table: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
    ['account_new', withoutArguments(account.newAccount)],
    ['account_list', withoutArguments(account.list)],
    ['account_signTransaction', account.signTransaction],
    ['account_signData', account.signData],
    ['account_signTypedData', account.signTypedData],
    ['account_signGnosisSafeTx', account.signSafeTransaction],
    ['account_ecRecover', account.ecRecover],
    ['account_version', withoutArguments(account.version)],
    ['rpc_modules', withoutArguments(() => Promise.resolve({ account: '1.0', rpc: '1.0' }))],
    ['account_subscribe', () => Promise.reject(new SignerError('SIGNER_NO_NOTIFICATIONS', undefined))],
  ])
  return (call: ExternalCall) => {
    const method = table.get(call.method)
    if (method !== undefined) return method(call)
    return Promise.reject(new SignerError('SIGNER_METHOD_UNKNOWN', { method: call.method }))
  }
}

function withoutArguments(handle: CallHandler): CallHandler {
  return (call) => {
    if (call.parameters.count === 0) return handle(call)
    return Promise.reject(new SignerError('SIGNER_ARGUMENTS_TOO_MANY', { most: 0 }))
  }
}
