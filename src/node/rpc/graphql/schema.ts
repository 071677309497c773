// The GraphQL schema of the node family, type for type. Source: prlx graphql/schema.go; EIP-1767
import { buildSchema, GraphQLError, type GraphQLScalarType, type GraphQLSchema, Kind, type ValueNode } from 'graphql'
import { fromQuantity } from '../../../base/quantity'
import { fail, ok, type Result } from '../../codec/result'
import { addressParam, dataParam, hashParam } from '../arguments/params'

const SCHEMA = `
  "32 bytes, as 0x and 64 hex digits."
  scalar Bytes32
  "20 bytes, as 0x and 40 hex digits."
  scalar Address
  "Bytes, as 0x and an even number of hex digits."
  scalar Bytes
  "A whole number: 0x and hex digits; decimal digits are taken, too."
  scalar BigInt
  "A whole number of 64 bits."
  scalar Long

  "An account in the state of one block."
  type Account {
    address: Address!
    "wei"
    balance: BigInt!
    "The nonce; where the state is the pending one, with what waits in the pool."
    transactionCount: Long!
    code: Bytes!
    storage(slot: Bytes32!): Bytes32!
  }

  type Log {
    "Its place in the block."
    index: Int!
    account(block: Long): Account!
    topics: [Bytes32!]!
    data: Bytes!
    transaction: Transaction!
  }

  type AccessTuple {
    address: Address!
    storageKeys: [Bytes32!]!
  }

  "What only a block gives (index, status, gas, logs, contract) is null while it waits."
  type Transaction {
    hash: Bytes32!
    nonce: Long!
    index: Int
    from(block: Long): Account!
    "Null for a creation."
    to(block: Long): Account
    "wei"
    value: BigInt!
    "wei per gas"
    gasPrice: BigInt!
    maxFeePerGas: BigInt
    maxPriorityFeePerGas: BigInt
    effectiveTip: BigInt
    gas: Long!
    inputData: Bytes!
    block: Block
    "1 = it succeeded, 0 = it failed."
    status: Long
    gasUsed: Long
    cumulativeGasUsed: Long
    effectiveGasPrice: BigInt
    createdContract(block: Long): Account
    logs: [Log!]
    r: BigInt!
    s: BigInt!
    v: BigInt!
    type: Int
    accessList: [AccessTuple!]
    raw: Bytes!
    rawReceipt: Bytes!
  }

  "Logs of one block; an empty list means any."
  input BlockFilterCriteria {
    addresses: [Address!]
    "By position, any of these."
    topics: [[Bytes32!]!]
  }

  type Block {
    number: Long!
    hash: Bytes32!
    parent: Block
    nonce: Bytes!
    transactionsRoot: Bytes32!
    transactionCount: Int
    stateRoot: Bytes32!
    receiptsRoot: Bytes32!
    miner(block: Long): Account!
    extraData: Bytes!
    gasLimit: Long!
    gasUsed: Long!
    baseFeePerGas: BigInt
    nextBaseFeePerGas: BigInt
    timestamp: Long!
    logsBloom: Bytes!
    mixHash: Bytes32!
    difficulty: BigInt!
    totalDifficulty: BigInt!
    "No block has uncles."
    ommerCount: Int
    ommers: [Block]
    ommerAt(index: Int!): Block
    "32 zero bytes: headers have no such field."
    ommerHash: Bytes32!
    transactions: [Transaction!]
    transactionAt(index: Int!): Transaction
    logs(filter: BlockFilterCriteria!): [Log!]!
    account(address: Address!): Account!
    call(data: CallData!): CallResult
    estimateGas(data: CallData!): Long!
    rawHeader: Bytes!
    raw: Bytes!
  }

  input CallData {
    from: Address
    to: Address
    gas: Long
    gasPrice: BigInt
    maxFeePerGas: BigInt
    maxPriorityFeePerGas: BigInt
    value: BigInt
    data: Bytes
  }

  type CallResult {
    data: Bytes!
    "After refunds."
    gasUsed: Long!
    "1 = it succeeded, 0 = it failed."
    status: Long!
  }

  "Logs of a range, ends included; the head where an end is left out."
  input FilterCriteria {
    fromBlock: Long
    toBlock: Long
    addresses: [Address!]
    topics: [[Bytes32!]!]
  }

  type SyncState {
    startingBlock: Long!
    currentBlock: Long!
    highestBlock: Long!
  }

  "What waits for a block."
  type Pending {
    transactionCount: Int!
    transactions: [Transaction!]
    account(address: Address!): Account!
    call(data: CallData!): CallResult
    estimateGas(data: CallData!): Long!
  }

  type Query {
    "By height or hash; the head where neither is given."
    block(number: Long, hash: Bytes32): Block
    "Ends included; up to the head where \`to\` is left out."
    blocks(from: Long, to: Long): [Block!]!
    pending: Pending!
    transaction(hash: Bytes32!): Transaction
    logs(filter: FilterCriteria!): [Log!]!
    "wei per gas"
    gasPrice: BigInt!
    maxPriorityFeePerGas: BigInt!
    "Null when the node is level with its peers."
    syncing: SyncState
    chainID: BigInt!
  }

  type Mutation {
    sendRawTransaction(data: Bytes!): Bytes32!
  }
`

const INT64 = 2n ** 63n
const INT256 = 2n ** 256n

/** 0x and hex digits, decimal digits, or a JSON number. */
function wholeNumber(value: unknown): Result<bigint> {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? ok(BigInt(value)) : fail('not a whole number')
  if (typeof value !== 'string') return fail('not a number')
  if (/^-?[0-9]{1,78}$/.test(value)) return ok(BigInt(value))
  const quantity = fromQuantity(value)
  return quantity === null ? fail('not a number: want decimal digits, or 0x and hex digits') : ok(quantity)
}

function within(read: Result<bigint>, least: bigint, bound: bigint): Result<bigint> {
  return read.ok && (read.value < least || read.value >= bound) ? fail('out of range') : read
}

function scalar(name: string, read: (value: unknown) => Result<unknown>) {
  const taken = (value: unknown, given: unknown): unknown => {
    const result = read(value)
    if (!result.ok) throw new GraphQLError(`${name}: ${result.error}, got ${String(given).slice(0, 80)}`)
    return result.value
  }
  const parseLiteral = (node: ValueNode): unknown => {
    if (node.kind === Kind.STRING) return taken(node.value, JSON.stringify(node.value))
    if (node.kind === Kind.INT)
      return taken(/^-?[0-9]{1,15}$/.test(node.value) ? Number(node.value) : node.value, node.value)
    return taken(undefined, node.kind)
  }
  return { name, parseValue: (value: unknown) => taken(value, JSON.stringify(value)), parseLiteral }
}

const SCALARS = [
  scalar('Bytes32', hashParam.read),
  scalar('Address', addressParam.read),
  scalar('Bytes', dataParam.read),
  scalar('BigInt', (value) => within(wholeNumber(value), 0n, INT256)),
  scalar('Long', (value) => within(wholeNumber(value), -INT64, INT64)),
]

/** Built once per front; fields are members of the source object with the same name. */
export function graphqlSchema(): GraphQLSchema {
  const schema = buildSchema(SCHEMA)
  // Answers are made by the views; a scalar passes them through.
  for (const { name, ...parsers } of SCALARS) Object.assign(schema.getType(name) as GraphQLScalarType, parsers)
  return schema
}
