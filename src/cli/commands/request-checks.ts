// The window's own checks of a request, for a terminal: asked of the running program, in English sentences.
import { formatDecimal } from '../../base/units'
import type { ResultOf } from '../../base/wire/define'
import { isSharedNetwork } from '../../config/schema'
import {
  type Check,
  type CheckName,
  dataChecks,
  inWords,
  transactionChecks,
} from '../../contract/approval/approval-checks'
import type { Contract } from '../../contract/contract'
import type { RequestView } from '../../contract/signer'
import { isNodeCurrent } from '../../contract/sync-state'
import { currentOf, type RunningProgram } from '../running-program'

type Values = Readonly<Record<string, string | number>>

/** Amounts in LAX, prices in gwei. */
const SENTENCES: Readonly<Record<CheckName, (values: Values) => string>> = {
  chainId: ({ asked, own }) => `the transaction is for chain ${asked}, but this network is chain ${own}`,
  zeroAddress: () => 'the destination is the zero address: anything sent there is lost',
  lookalike: ({ address }) => `the destination looks like your account ${address} but isn't it`,
  lookalikePaid: ({ address }) =>
    `an address in it looks like ${address}, which you own, watch or paid before, but isn't it`,
  noCode: () => 'there is no contract at the destination: the data has no effect, and anything sent there may be lost',
  noContract: ({ address }) => `your node finds no contract at ${address}, which this document names as one`,
  dynamicFee: () => "this network doesn't support dynamic-fee transactions and would reject it",
  reverted: () => 'it fails when simulated on your node: the fee would be lost',
  overdraft: ({ cost, available }) => `it costs up to ${cost}, but only ${available} is available`,
  creation: () => 'it creates a contract',
  dependsOnBlock: () => 'the simulation gives another result in another block: once mined, it may do something else',
  firstPayment: () => 'first payment to this address',
  firstCall: () => 'first call of this contract',
  firstTokens: ({ address }) => `first tokens sent to ${address}`,
  maxOfBalance: () => 'it sends more than half of the available balance',
  replaces: ({ hash, amount, to }) => `it replaces your pending transaction ${hash} (${amount} to ${to})`,
  nonceGap: ({ nonce, next }) => `nonce ${nonce} leaves a gap: the next one for this account is ${next}`,
  nonceUsed: ({ nonce, next }) => `nonce ${nonce} was already used: the next one is ${next}`,
  priceHigh: ({ price, usual }) => `the gas price is ${price}, more than five times the usual ${usual}`,
  priceLow: ({ price, usual }) =>
    `the gas price is ${price}, less than half the usual ${usual}: it may wait a long time`,
  gasShort: ({ gas, estimate }) =>
    `the gas limit ${gas} is below the estimate ${estimate}: it may fail, and the fee would be lost`,
  notSynced: () => 'your node is stopped or not fully synced: balances and changes may be out of date',
  unknownCaller: () => "the caller doesn't identify itself",
  strangeOrigin: () => "a web page is named as the caller, but this program isn't a known browser",
  manyRequests: ({ count }) => `this caller sent ${count} requests in the last minute`,
  'unchecked.all': () => "earlier signatures, similar addresses, contracts and gas weren't checked: no answer",
  'unchecked.history': () =>
    "earlier signatures couldn't be looked up: first payments and similar addresses weren't checked",
  'unchecked.node': () => "your node didn't answer: contracts, gas and what this replaces weren't checked",
  'unchecked.addresses': () => "it names more addresses than are compared: the rest weren't checked",
  ownAccount: () => 'the destination is one of your accounts',
  method: ({ name }) => `it calls ${name}`,
}

/** The answer about a request's effect. */
export type Simulated = ResultOf<Contract, 'signer.simulate'>

/** What the program knows about a request beside its content. */
export interface RequestChecks {
  readonly checks: readonly Check[]
  /** Null for requests that sign nothing. */
  readonly simulated: Simulated | null
}

/** Asks the running program; what it doesn't answer is a check, too. */
export async function checksOf(program: RunningProgram, request: RequestView): Promise<RequestChecks> {
  const { id, transaction, data, caller } = request
  if (transaction === null && data === null) return { checks: [], simulated: null }
  const { client } = program
  const [simulated, asked] = await Promise.all([
    client.call('signer.simulate', { id, edits: null }),
    client.call('signer.facts', { id, edits: null }).catch(() => null),
  ])
  const facts = asked?.facts ?? null
  const isUnanswered = asked === null
  const { outcome = null, dependsOnBlock } = simulated.simulation ?? {}
  if (transaction === null) return { checks: dataChecks({ facts, isUnanswered, dependsOnBlock, caller }), simulated }
  const [info, balances, accounts, head, sync, peers] = await Promise.all([
    client.call('app.info', {}),
    currentOf(program, 'node.balances'),
    currentOf(program, 'signer.accounts'),
    currentOf(program, 'node.head'),
    currentOf(program, 'node.sync'),
    currentOf(program, 'node.peers'),
  ])
  const from = transaction.from.toLowerCase()
  // The window says these two in its status bar. What wasn't answered isn't current.
  const isFollowing = sync !== null && sync.health?.isBehind !== true && sync.health?.mayBeCutOff !== true
  const isCurrent = isNodeCurrent({ head, sync, peers }, program.clock.now(), isSharedNetwork(info.network))
  const checks = transactionChecks({
    transaction,
    caller,
    facts,
    isUnanswered,
    outcome,
    dependsOnBlock,
    chainId: info.chainId,
    balance: balances?.accounts.find(({ address }) => address.toLowerCase() === from),
    ownAddresses: accounts?.accounts.map(({ address }) => address) ?? [],
    isSynced: isCurrent && isFollowing,
  })
  return { checks, simulated }
}

/** In a sentence, without a line of the caller's. @param amount writes wei */
export function sentenceOf(check: Check, amount: (wei: bigint) => string): string {
  return SENTENCES[check.name](inWords(check, { amount, price: (wei) => `${formatDecimal(wei, 9)} gwei` }))
}
