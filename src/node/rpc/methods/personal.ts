// personal_*: signing by account, as in the node family. Passwords are ignored: the signer asks the user, and methods
// about passwords and locks belong to the signer.
import { toHex } from '../../../base/hex'
import { personalHash, recoverAddress } from '../../model/sender'
import { rpcFailed } from '../../rpc-fault'
import { addressParam, dataParam, messageParam, optional, type Param, textParam } from '../arguments/params'
import { transactionParam } from '../arguments/transaction-params'
import { method, type RpcMethod, type RpcNamespace, refusedMethods, untimed } from '../dispatch/method'
import { callOf, holderOf, sendFrom, signFrom } from '../sending/by-account'
import { listAccounts } from './eth/accounts'

/** Scripts for the family send a password; it is parsed, never used or stored. */
const unusedPassword: Param<string | null> = optional<string | null>(textParam, null)
const SIGNATURE_BYTES = 65

const send: RpcMethod = untimed([transactionParam, unusedPassword], ([args], context, caller) =>
  sendFrom(args, context, caller),
)

export const personalNamespace: RpcNamespace = {
  personal_sign: untimed([messageParam, addressParam, unusedPassword], async ([message, address], context, caller) =>
    toHex(await holderOf(address, context).signMessage(address, message, callOf(caller))),
  ),
  personal_ecRecover: method({
    params: [messageParam, dataParam],
    handler: ([message, signature]) => toHex(signerOf(message, signature)),
  }),
  personal_listAccounts: listAccounts,
  personal_sendTransaction: send,
  /** Its older name. */
  personal_signAndSendTransaction: send,
  personal_signTransaction: untimed([transactionParam, unusedPassword], ([args], context, caller) =>
    signFrom(args, context, caller),
  ),
  ...refusedMethods('accounts are created in the signer: headframe account new, or account_new', [
    'personal_newAccount',
    'personal_importRawKey',
  ]),
  ...refusedMethods('a person approves each signature; --unlock opens accounts at startup', [
    'personal_unlockAccount',
    'personal_lockAccount',
  ]),
  ...refusedMethods('hardware wallets belong to the signer', [
    'personal_openWallet',
    'personal_deriveAccount',
    'personal_initializeWallet',
    'personal_unpair',
    'personal_listWallets',
  ]),
}

/** 20 bytes. @param signature r, s and 27 or 28 @throws RpcFault RPC_FAILED */
function signerOf(message: Uint8Array, signature: Uint8Array): Uint8Array {
  if (signature.length !== SIGNATURE_BYTES) throw rpcFailed(`signature must be ${SIGNATURE_BYTES} bytes long`)
  const parity = (signature[64] ?? 0) - 27
  if (parity !== 0 && parity !== 1) throw rpcFailed('invalid Parallax signature (V is not 27 or 28)')
  const digest = { hash: personalHash(message), signature: signature.subarray(0, 64), recoveryId: parity } as const
  const address = recoverAddress(digest)
  if (address === null) throw rpcFailed('recovery failed')
  return address
}
