// GraphQL over HTTP: each request is answered from the same reads as JSON-RPC, limited in size, depth, cost and time.
// Source: prlx graphql/service.go (statuses)
import { defaultFieldResolver, type ExecutionResult, execute, GraphQLError, type GraphQLFieldResolver } from 'graphql'
import { z } from 'zod'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { BlockArgument } from '../../model/block-argument'
import { MAX_TRANSACTIONS } from '../../worker/wire/read-wire'
import type { OutcomeInfo } from '../../worker/wire/shapes'
import { isPending } from '../arguments/block-argument'
import { withTimeLimit } from '../dispatch/dispatch'
import { rpcErrorOf } from '../dispatch/error-map'
import type { CallScope, RpcContext } from '../dispatch/method'
import { blockView } from './block-view'
import { Budget } from './budget'
import { checkedDocument } from './documents'
import type { Graph } from './graph'
import { rootView } from './root-view'
import { graphqlSchema } from './schema'
import { logTextView, transactionView } from './transaction-view'

/** JSON; 400 when it contains errors, as in prlx. */
interface GraphqlAnswer {
  readonly status: 200 | 400
  readonly text: string
}

const TIME_LIMIT_MS = 30_000
/** Logged once per request: a field that fails in each entry of a list would otherwise be logged as often. */
const MAX_ERRORS = 100

const requestSchema = z.object({
  query: z.string().nullish(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
})

/** Executes GraphQL requests. */
export class GraphqlEndpoint {
  readonly #schema = graphqlSchema()

  constructor(private readonly context: RpcContext) {}

  /** @param body JSON of `query`, `operationName`, `variables`. Rejects only when the client is gone. */
  async answer(body: string, scope: CallScope): Promise<GraphqlAnswer> {
    const request = readRequest(body)
    if (request === null) return refusal('want a JSON object with query, operationName and variables')
    const checked = checkedDocument(this.#schema, request.query ?? '')
    if (checked.faults !== null) return answerOf({ errors: checked.faults })
    const budget = new Budget(scope)
    const result = Promise.resolve(
      execute({
        schema: this.#schema,
        document: checked.document,
        rootValue: rootView(createGraph(this.context, scope, budget)),
        contextValue: budget,
        variableValues: request.variables ?? {},
        operationName: request.operationName === '' ? null : (request.operationName ?? null),
        fieldResolver: counted,
      }),
    )
    try {
      const { clock } = this.context
      const done = Promise.race([result, budget.ended])
      return answerOf(await withTimeLimit(done, { limitMs: TIME_LIMIT_MS, clock, scope }))
    } catch (error: unknown) {
      return refusal(rpcErrorOf(error).message)
    }
  }
}

/**
 * Resolves view members and counts each with its text. After a limit nothing continues: a field that never resolves
 * costs less than one that fails, and is dropped with the request.
 */
const counted: GraphQLFieldResolver<unknown, Budget> = (source, args, budget, info) => {
  if (budget.isOver) return new Promise(() => undefined)
  budget.spend(1)
  const value: unknown = defaultFieldResolver(source, args, budget, info)
  const weigh = (given: unknown): unknown => {
    if (typeof given === 'string') budget.spend(0, given.length)
    return given
  }
  return value instanceof Promise ? value.then(weigh) : weigh(value)
}

function createGraph(rpc: RpcContext, caller: CallScope, budget: Budget): Graph {
  const outcomes = new Map<string, Promise<readonly OutcomeInfo[] | null>>()
  const graph: Graph = {
    rpc,
    caller,
    budget,
    ask: (request) => budget.read(async () => JSON.parse(await rpc.node.queries.ask(request, caller)) as unknown),
    outcome: async ({ blockHash, index }) => {
      const from = index - (index % MAX_TRANSACTIONS)
      const name = `${toHex(blockHash)} ${from}`
      const part = outcomes.get(name) ?? budget.read(() => rpc.node.reader.outcomes(blockHash, from, MAX_TRANSACTIONS))
      outcomes.set(name, part)
      return (await part)?.[index - from] ?? null
    },
    receipt: (hash) => budget.read(() => rpc.node.reader.receipt(hash)),
    account: (address, at) => accountView(graph, address, at),
    block: (detail) => blockView(graph, detail),
    transaction: (tx) => transactionView(graph, tx),
    log: (text) => logTextView(graph, text),
  }
  return graph
}

/** The view of `Account`: an address in a block's state. */
function accountView(graph: Graph, address: Uint8Array, at: BlockArgument): object {
  return {
    address: toHex(address),
    balance: () => graph.ask({ kind: 'balance', address, at }),
    transactionCount: () =>
      isPending(at)
        ? graph.budget.read(async () => toQuantity(await graph.rpc.node.reader.poolNonce(address)))
        : graph.ask({ kind: 'nonce', address, at }),
    code: () => graph.ask({ kind: 'code', address, at }),
    storage: ({ slot }: { readonly slot: Uint8Array }) => graph.ask({ kind: 'storage', address, slot, at }),
  }
}

function readRequest(body: string) {
  try {
    return requestSchema.parse(JSON.parse(body))
  } catch {
    return null
  }
}

function answerOf({ data, errors }: Pick<ExecutionResult, 'data' | 'errors'>): GraphqlAnswer {
  const told = (errors ?? []).slice(0, MAX_ERRORS).map(shownError)
  const text = JSON.stringify({
    ...(told.length === 0 ? {} : { errors: told }),
    ...(data === undefined ? {} : { data }),
  })
  return { status: told.length === 0 ? 200 : 400, text }
}

/** Errors from below are reported as in JSON-RPC. */
function shownError(error: GraphQLError): object {
  const { originalError: cause } = error
  const told = error.toJSON()
  if (cause === undefined || cause === null || cause instanceof GraphQLError) return told
  return { ...told, message: rpcErrorOf(cause).message }
}

function refusal(message: string): GraphqlAnswer {
  return { status: 400, text: JSON.stringify({ errors: [{ message }] }) }
}
