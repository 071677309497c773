// The questions of `npm run bench -- --rpc`, asked of a node with the vector chain.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NUMBER_OF_REQUEST } from './rpc-load.mjs'

/** Token.balanceOf(address), Token.transfer(address,uint256) */
const BALANCE_OF = '0x70a08231'
const TRANSFER = '0xa9059cbb'
/** Transfer(address,address,uint256) */
const TRANSFER_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** Counts 50,000 down to zero: five instructions a turn, 1.8 Mgas. It begins with the request's number, which it drops. */
const LOOP = `0x67${NUMBER_OF_REQUEST}5061c3505b6001900380600d5700`

/**
 * @typedef {object} Workload
 * @property {string} name
 * @property {number | null} reference requests a second of prlx on one core of another machine, where known
 * @property {readonly (readonly [method: string, params: readonly unknown[]])[]} calls asked in turn; where one holds
 * NUMBER_OF_REQUEST, each request is a new question
 */

/** @param {string} vectors folder of the vector chain @returns {readonly Workload[]} */
export function workloads(vectors) {
  const chain = JSON.parse(readFileSync(join(vectors, 'chain.json'), 'utf8'))
  return [...repeated(chain), ...different(chain), ...traces(chain)]
}

/** The same question again and again: answers may come from a cache. */
function repeated(chain) {
  const full = chain.blocks.find((block) => block.txs === 60) ?? chain.blocks.at(-1)
  const accounts = accountsOf(chain)
  const wholeChain = { fromBlock: '0x0', toBlock: 'latest' }
  const balanceOf = (account) => ({ to: chain.contracts.Token, data: BALANCE_OF + word(account) })
  return [
    row('eth_blockNumber', ['eth_blockNumber', []], 8_745),
    row('eth_chainId', ['eth_chainId', []]),
    row('eth_gasPrice', ['eth_gasPrice', []]),
    rows(
      'eth_getBalance',
      accounts.map((account) => ['eth_getBalance', [account, 'latest']]),
      5_872,
    ),
    row(
      'eth_getBlockByNumber, 60 transactions',
      ['eth_getBlockByNumber', [`0x${full.number.toString(16)}`, true]],
      1_442,
    ),
    rows(
      'eth_call balanceOf',
      accounts.map((account) => ['eth_call', [balanceOf(account), 'latest']]),
      6_373,
    ),
    row('eth_getLogs, whole chain', ['eth_getLogs', [wholeChain]], 682),
    row('eth_getLogs, one topic', ['eth_getLogs', [{ ...wholeChain, topics: [TRANSFER_TOPIC] }]]),
  ]
}

/** A new question each time. */
function different(chain) {
  const [from] = accountsOf(chain)
  const { Token, Store } = chain.contracts
  const account = `0x${NUMBER_OF_REQUEST.padStart(40, '1')}`
  const transfer = { from, to: Token, data: `${TRANSFER}${word(account)}${'1'.padStart(64, '0')}` }
  return [
    row('different eth_getBalance', ['eth_getBalance', [account, 'latest']]),
    row('different eth_call balanceOf', ['eth_call', [{ to: Token, data: BALANCE_OF + word(account) }, 'latest']]),
    row('different eth_call, loop', ['eth_call', [{ data: LOOP, gas: '0x989680' }, 'latest']]),
    row('different eth_getProof', ['eth_getProof', [Store, [`0x${word(account)}`], 'latest']]),
    row('different eth_estimateGas', ['eth_estimateGas', [transfer]]),
  ]
}

function traces({ transactions }) {
  const small = Object.entries(transactions).flatMap(([name, hash]) => (isSmall(name) ? [hash] : []))
  const callTracer = (hash) => ['debug_traceTransaction', [hash, { tracer: 'callTracer' }]]
  return [
    rows('debug_traceTransaction, callTracer', small.map(callTracer)),
    row('debug_traceTransaction, struct logs', ['debug_traceTransaction', [transactions.loop]]),
  ]
}

/** The blocks of the tails aren't imported. */
function isSmall(name) {
  return name !== 'loop' && !name.startsWith('tail')
}

function row(name, call, reference = null) {
  return rows(name, [call], reference)
}

function rows(name, calls, reference = null) {
  return { name, reference, calls }
}

function accountsOf(chain) {
  return chain.accounts.slice(0, 16).map((account) => account.address)
}

/** An address as an argument: 32 bytes, without 0x. */
function word(address) {
  return address.slice(2).toLowerCase().padStart(64, '0')
}
