// Requests that give something away, each with the severity that it must always have.
import { encodeFunctionData, maxUint160, maxUint256, parseAbiItem } from 'viem'
import { bytesOfHex } from '../../../src/base/hex'

export const SPENDER = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
export const OWNER = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
export const TOKEN = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const SIGNATURE = `0x${'11'.repeat(65)}` as const
const HASH = `0x${'22'.repeat(32)}` as const
const SPARE = 2n ** 48n - 1n

export interface CallDanger {
  readonly title: string
  readonly severity: 'CRITICAL' | 'WARNING'
  readonly data: Uint8Array
  /** Head words that contain addresses: their upper 12 bytes mean nothing. */
  readonly addressWords: readonly number[]
}

function call(severity: CallDanger['severity'], signature: string, ...args: readonly unknown[]): CallDanger {
  const item = parseAbiItem(`function ${signature}`)
  if (item.type !== 'function') throw new Error(`${signature} is no function`)
  const data = encodeFunctionData({ abi: [item], args: [...args] })
  const isStatic = item.inputs.every(({ type }) => !/^(bytes|string|tuple)|\[/.test(type) || /^bytes\d+$/.test(type))
  const addressWords = isStatic ? item.inputs.flatMap(({ type }, index) => (type === 'address' ? [index] : [])) : []
  return { title: signature, severity, data: bytesOfHex(data), addressWords }
}

const details = { token: TOKEN, amount: maxUint160, expiration: Number(SPARE), nonce: 0 }
const DETAILS = '(address token,uint160 amount,uint48 expiration,uint48 nonce)'

export const callDangers: readonly CallDanger[] = [
  call('CRITICAL', 'approve(address,uint256)', SPENDER, maxUint256),
  call('CRITICAL', 'approve(address,uint256)', SPENDER, 2n ** 96n - 1n),
  call('WARNING', 'approve(address,uint256)', SPENDER, 5n),
  call('CRITICAL', 'increaseAllowance(address,uint256)', SPENDER, maxUint256),
  call('CRITICAL', 'increaseApproval(address,uint256)', SPENDER, maxUint256),
  call('CRITICAL', 'approveAndCall(address,uint256,bytes)', SPENDER, maxUint256, '0x1234'),
  call('CRITICAL', 'setApprovalForAll(address,bool)', SPENDER, true),
  call('CRITICAL', 'authorizeOperator(address)', SPENDER),
  call(
    'CRITICAL',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    ...[OWNER, SPENDER, maxUint256, SPARE, 27, HASH, HASH],
  ),
  call(
    'CRITICAL',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    ...[OWNER, SPENDER, 0n, 0n, true, 27, HASH, HASH],
  ),
  call('CRITICAL', 'approve(address,address,uint160,uint48)', TOKEN, SPENDER, maxUint160, Number(SPARE)),
  call(
    'CRITICAL',
    `permit(address owner,(${DETAILS} details,address spender,uint256 sigDeadline) permitSingle,bytes signature)`,
    ...[OWNER, { details, spender: SPENDER, sigDeadline: SPARE }, SIGNATURE],
  ),
  call(
    'CRITICAL',
    `permit(address owner,(${DETAILS}[] details,address spender,uint256 sigDeadline) permitBatch,bytes signature)`,
    ...[OWNER, { details: [details, details], spender: SPENDER, sigDeadline: SPARE }, SIGNATURE],
  ),
  call('CRITICAL', 'transferOwnership(address)', SPENDER),
  call('CRITICAL', 'renounceOwnership()'),
  call('CRITICAL', 'grantRole(bytes32,address)', HASH, SPENDER),
  call('CRITICAL', 'upgradeTo(address)', SPENDER),
  call('CRITICAL', 'upgradeToAndCall(address,bytes)', SPENDER, '0x'),
  call('CRITICAL', 'changeAdmin(address)', SPENDER),
  call('CRITICAL', 'enableModule(address)', SPENDER),
  call('CRITICAL', 'addOwnerWithThreshold(address,uint256)', SPENDER, 1n),
  call('WARNING', 'delegate(address)', SPENDER),
  call(
    'CRITICAL',
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    ...[SPENDER, 0n, '0x', 1, 0n, 0n, 0n, OWNER, OWNER, SIGNATURE],
  ),
]

export interface TypedDanger {
  readonly title: string
  readonly severity: 'CRITICAL' | 'WARNING'
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

function members(text: string): readonly { readonly name: string; readonly type: string }[] {
  return text.split(',').map((member) => {
    const [type = '', name = ''] = member.trim().split(' ')
    return { name, type }
  })
}

const PERMIT = members('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline')
const permit = { owner: OWNER, spender: SPENDER, value: `${maxUint256}`, nonce: '0', deadline: '9999999999' }
const PERMIT_DETAILS = members('address token,uint160 amount,uint48 expiration,uint48 nonce')
const permitDetails = { token: TOKEN, amount: `${maxUint160}`, expiration: '281474976710655', nonce: '0' }
const SAFE = members(
  'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
)
const safe = {
  to: TOKEN,
  value: '0',
  data: '0x',
  operation: '0',
  safeTxGas: '0',
  baseGas: '0',
  gasPrice: '0',
  gasToken: OWNER,
  refundReceiver: OWNER,
  nonce: '0',
}
const approveMax = `0x095ea7b3${'0'.repeat(24)}${SPENDER.slice(2)}${'f'.repeat(64)}`
const ITEM = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const ORDER = {
  OrderComponents: members(
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  ),
  OfferItem: members(ITEM),
  ConsiderationItem: members(`${ITEM},address recipient`),
}
const item = (price: string) => ({
  itemType: '0',
  token: TOKEN,
  identifierOrCriteria: '0',
  startAmount: price,
  endAmount: price,
})
const order = (price: string) => ({
  offerer: OWNER,
  zone: TOKEN,
  offer: [{ ...item('1'), itemType: '2' }],
  consideration: [{ ...item(price), recipient: OWNER }],
  orderType: '0',
  startTime: '0',
  endTime: '9999999999',
  zoneHash: HASH,
  salt: '0',
  conduitKey: HASH,
  counter: '0',
})

export const typedDangers: readonly TypedDanger[] = [
  { title: 'ERC-2612 permit', severity: 'CRITICAL', types: { Permit: PERMIT }, primaryType: 'Permit', message: permit },
  {
    title: 'ERC-2612 permit of an amount',
    severity: 'WARNING',
    types: { Permit: PERMIT },
    primaryType: 'Permit',
    message: { ...permit, value: '5' },
  },
  {
    title: "DAI's permit",
    severity: 'CRITICAL',
    types: { Permit: members('address holder,address spender,uint256 nonce,uint256 expiry,bool allowed') },
    primaryType: 'Permit',
    message: { holder: OWNER, spender: SPENDER, nonce: '0', expiry: '0', allowed: true },
  },
  {
    title: 'Permit2 single',
    severity: 'CRITICAL',
    types: {
      PermitSingle: members('PermitDetails details,address spender,uint256 sigDeadline'),
      PermitDetails: PERMIT_DETAILS,
    },
    primaryType: 'PermitSingle',
    message: { details: permitDetails, spender: SPENDER, sigDeadline: '9999999999' },
  },
  {
    title: 'Permit2 batch',
    severity: 'CRITICAL',
    types: {
      PermitBatch: members('PermitDetails[] details,address spender,uint256 sigDeadline'),
      PermitDetails: PERMIT_DETAILS,
    },
    primaryType: 'PermitBatch',
    message: {
      details: [{ ...permitDetails, amount: '1' }, permitDetails],
      spender: SPENDER,
      sigDeadline: '9999999999',
    },
  },
  {
    title: 'Permit2 transfer',
    severity: 'CRITICAL',
    types: {
      PermitTransferFrom: members('TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline'),
      TokenPermissions: members('address token,uint256 amount'),
    },
    primaryType: 'PermitTransferFrom',
    message: {
      permitted: { token: TOKEN, amount: `${maxUint256}` },
      spender: SPENDER,
      nonce: '0',
      deadline: '9999999999',
    },
  },
  {
    title: 'ERC-3009 transfer',
    severity: 'CRITICAL',
    types: {
      TransferWithAuthorization: members(
        'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
      ),
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      from: OWNER,
      to: SPENDER,
      value: `${maxUint256}`,
      validAfter: '0',
      validBefore: '9999999999',
      nonce: HASH,
    },
  },
  {
    title: 'Safe transaction with a delegatecall',
    severity: 'CRITICAL',
    types: { SafeTx: SAFE },
    primaryType: 'SafeTx',
    message: { ...safe, operation: '1' },
  },
  {
    title: 'Safe transaction with an approval',
    severity: 'CRITICAL',
    types: { SafeTx: SAFE },
    primaryType: 'SafeTx',
    message: { ...safe, data: approveMax },
  },
  {
    title: 'Safe transaction that pays a refund',
    severity: 'CRITICAL',
    types: { SafeTx: SAFE },
    primaryType: 'SafeTx',
    message: { ...safe, gasPrice: '1' },
  },
  {
    title: 'forwarded call with an approval',
    severity: 'CRITICAL',
    types: { ForwardRequest: members('address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data') },
    primaryType: 'ForwardRequest',
    message: { from: OWNER, to: TOKEN, value: '0', gas: '1', nonce: '0', data: approveMax },
  },
  {
    title: 'Seaport order for nothing',
    severity: 'CRITICAL',
    types: ORDER,
    primaryType: 'OrderComponents',
    message: order('1'),
  },
  {
    title: 'Seaport order at a price',
    severity: 'WARNING',
    types: ORDER,
    primaryType: 'OrderComponents',
    message: order('1000000000000000000'),
  },
]
