// The routes for scripts: the OpenAPI document and the reference are made from them, and a test checks the answers.
import { z } from 'zod'
import { contract } from '../../contract/contract'

export interface HttpRoute {
  readonly path: string
  /** One sentence. */
  readonly text: string
  readonly query?: Readonly<Record<string, { readonly schema: z.ZodType; readonly text: string }>>
  /** Of a POST, which needs `--api-allow-control`, and the token unless it comes from this computer; absent: a GET. */
  readonly body?: z.ZodType
  /** A body that is accepted. */
  readonly example?: unknown
  /** Null: plain text. */
  readonly answer: z.ZodType | null
}

export function methodOf({ body }: HttpRoute): 'GET' | 'POST' {
  return body === undefined ? 'GET' : 'POST'
}

const rates = z.object({ now: z.number(), '60s': z.number(), '15m': z.number() }).describe('H/s')
const shares = z.object({ accepted: z.int(), rejected: z.int(), failed: z.int() })
const gpu = z.object({
  index: z.int(),
  name: z.string(),
  pci: z.string(),
  backend: z.enum(['cpu', 'opencl', 'cuda']),
  hashrate: rates,
  shares,
  paused: z.boolean(),
  pause_reason: z.string(),
  temperature: z.object({ core: z.number(), hotspot: z.number(), memory: z.number() }).describe('Celsius; 0 = unknown'),
  fan: z.number().describe('percent'),
  power: z.number().describe('W'),
  power_limit: z.number().describe('W'),
  clocks: z.object({ core: z.number(), memory: z.number() }).describe('MHz'),
})
const summary = z.object({
  control: z.boolean().describe('whether this port takes commands'),
  miner: z.object({
    name: z.literal('headframe'),
    version: z.string(),
    algorithm: z.literal('xhash'),
    uptime: z.number().describe('s'),
  }),
  pool: z.object({
    connected: z.boolean(),
    host: z.string(),
    url: z.string().describe('without its password'),
    difficulty: z.number().describe('expected hashes per share; 0 = unknown'),
    epoch: z.int().describe('-1 = unknown'),
    block: z.int().describe('-1 = unknown'),
    switches: z.int(),
    warning: z.string().describe('empty = none'),
    diagnosis: z.object({
      trouble: z.string().describe('empty = nothing is known to be wrong'),
      seconds: z.int(),
      count: z.int(),
      answer: z.string(),
      action: z.string(),
    }),
  }),
  hashrate: rates.extend({ effective: z.number().describe('from accepted shares') }),
  shares,
  gpus: z.array(gpu),
})
const rig = z.object({
  name: z.string(),
  host: z.string().describe('HOST:PORT; empty = this computer'),
  local: z.boolean().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  online: z.boolean(),
  error: z.string(),
  age: z.int().describe('s since its last answer; -1 = none yet'),
  summary: z.record(z.string(), z.unknown()).optional().describe('what the rig reports of itself: untrusted'),
  worker: z.record(z.string(), z.unknown()).optional().describe('what the stratum port knows of it'),
})
const done = z.object({ result: z.literal(true) })
const incidents = contract.events['miner.incidents'].payload.shape.open
const period = {
  period: { schema: z.enum(['today', 'week', 'month']), text: 'instead of from and to' },
  from: { schema: z.int().min(0), text: 'UTC ms' },
  to: { schema: z.int().min(0), text: 'UTC ms; at most 400 days after from' },
} as const
const text256 = z.string().min(1).max(64)
const setting = z.number().nullable().optional().describe('null = the GPU decides')

/** All of them, in the order of the reference. */
export const HTTP_API: readonly HttpRoute[] = [
  {
    path: '/api/v1/summary',
    text: 'What this miner does.',
    answer: summary,
  },
  {
    path: '/api/v1/rigs',
    text: 'This rig, and the last report of the watched and served ones.',
    query: {
      offset: { schema: z.int().min(0), text: 'first rig' },
      limit: { schema: z.int().min(1).max(1_000), text: 'how many' },
      group: { schema: z.string(), text: 'a group; repeatable: any of them' },
      label: { schema: z.string(), text: 'NAME:VALUE; repeatable: all of them' },
      online: { schema: z.boolean(), text: 'whether they answer' },
      name: { schema: z.string(), text: 'part of the name' },
    },
    answer: z.object({ mining: z.boolean(), rigs: z.array(rig), total: z.int().optional() }),
  },
  {
    path: '/api/v1/rigs/control',
    text: 'One command for the rigs named, or selected by group or labels.',
    body: z.strictObject({
      action: z.enum(['pause', 'resume', 'restart', 'set-pool']),
      gpu: z.int().min(0).optional().describe('for pause and resume'),
      pool: z.string().min(1).max(1_024).optional().describe('for set-pool: the address of a pool'),
      rigs: z.array(text256).optional(),
      groups: z.array(text256).optional(),
      labels: z.record(z.string(), z.string()).optional(),
      all: z.boolean().optional(),
    }),
    example: { action: 'pause', groups: ['cellar'] },
    answer: z.object({ results: z.array(z.object({ rig: z.string(), done: z.boolean(), error: z.string() })) }),
  },
  {
    path: '/api/v1/sd',
    text: 'The watched rigs for the HTTP service discovery of Prometheus.',
    answer: z.array(z.object({ targets: z.array(z.string()), labels: z.record(z.string(), z.string()) })),
  },
  {
    path: '/api/v1/control',
    text: 'Pauses, resumes or restarts this miner or one of its devices.',
    body: z.strictObject({
      action: z.enum(['pause', 'resume', 'restart']),
      gpu: z.int().min(0).optional().describe('index of a device; missing = all'),
    }),
    example: { action: 'pause', gpu: 0 },
    answer: done,
  },
  {
    path: '/api/v1/epochs',
    text: 'When the next epoch begins, and how long the memory of each device suffices.',
    answer: z.object({
      epoch: z.int().nullable(),
      block_seconds: z.int(),
      next: z.object({ epoch: z.int(), blocks: z.int(), at: z.int().describe('UTC s') }).nullable(),
      gpus: z.array(
        z.object({
          index: z.int(),
          name: z.string(),
          last_epoch: z.int().nullable(),
          memory_full_at: z.int().nullable().describe('UTC s'),
          change_seconds: z.int().nullable(),
        }),
      ),
    }),
  },
  {
    path: '/api/v1/tuning',
    text: 'Power limit, clocks and fan of each GPU, with their ranges.',
    answer: z.object({
      absent: z.array(z.string()).describe('PCI addresses of GPUs tuned earlier that are missing since startup'),
      cards: z.array(z.looseObject({ gpu: z.int(), pci: z.string(), name: z.string() })),
    }),
  },
  {
    path: '/api/v1/tuning',
    text: 'Sets one GPU, resets it, or starts or stops a search for its settings.',
    body: z.object({
      gpu: z.int().min(0),
      power: setting,
      core: setting,
      memory: setting,
      fan: setting,
      reset: z.literal(true).optional(),
      search: z.enum(['efficiency', 'margin']).nullable().optional().describe('null = stop it'),
    }),
    example: { gpu: 0, power: 180 },
    answer: done,
  },
  {
    path: '/api/v1/money',
    text: 'What was mined, earned and lost, as in the window; amounts in wei.',
    query: period,
    answer: contract.calls['miner.money'].result,
  },
  {
    path: '/api/v1/incidents',
    text: 'Incidents: open ones and those of the last day, or with a period all of it.',
    query: period,
    answer: z.union([
      z.object({ open: incidents, recent: incidents }),
      z.object({ incidents, total: z.int().describe('how many there are; the newest 1000 are sent') }),
    ]),
  },
  {
    path: '/api/v1/incidents',
    text: 'Acknowledges incidents by their ids.',
    body: z.object({ acknowledge: z.array(z.string().max(300)).min(1).max(1_000) }),
    example: { acknowledge: ['1'] },
    answer: done,
  },
  { path: '/metrics', text: 'Metrics in the text format of Prometheus.', answer: null },
  { path: '/getstat1', text: 'A status page of the family of miners.', answer: null },
]

const error = z.object({ error: z.string() })
const FAILURES = {
  400: 'The request is not understood; the answer says what is accepted.',
  401: 'The token is missing or wrong.',
  403: 'Not offered to this caller: another site, another host name, or no control.',
  429: 'Too many wrong tokens; Retry-After says when to try again.',
} as const

/** The OpenAPI 3.1 document. @param version of the program */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of HTTP_API) {
    paths[route.path] = { ...paths[route.path], [methodOf(route).toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headframe control port',
      version,
      description: 'Served at --api-bind; the token of --api-token-file is a Bearer token. Also answers line JSON-RPC.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:3333' }],
    paths,
    components: { responses: failures(), securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
}

function operation({ text, query = {}, body, example, answer }: HttpRoute): object {
  const refusals = Object.keys(FAILURES).map((status) => [status, { $ref: `#/components/responses/${status}` }])
  return {
    summary: text,
    // Reading needs the token only where the port is bound to more than this computer.
    security: body === undefined ? [{}, { token: [] }] : [{ token: [] }, {}],
    parameters: Object.entries(query).map(([name, { schema, text: description }]) => ({
      name,
      in: 'query',
      description,
      schema: schemaOf(schema),
    })),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body), example } } } }),
    responses: {
      200: {
        description: 'Done.',
        content: answer === null ? { 'text/plain': {} } : { 'application/json': { schema: schemaOf(answer) } },
      },
      ...Object.fromEntries(refusals),
    },
  }
}

function failures(): object {
  const content = { 'application/json': { schema: schemaOf(error) } }
  return Object.fromEntries(Object.entries(FAILURES).map(([status, description]) => [status, { description, content }]))
}

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' })
  return rest
}

/** The reference page, as a table. */
export function httpApiMarkdown(): string {
  const rows = HTTP_API.map((route) => {
    const { path, text, query, body, example } = route

    const words = Object.keys(query ?? {}).map((name) => `\`${name}\``)
    const given = example === undefined ? words.join(', ') : `\`${JSON.stringify(example)}\``
    const access = body === undefined ? 'read' : 'control'
    return `| \`${methodOf(route)} ${path}\` | ${access} | ${given} | ${text} |`
  })
  return ['| route | access | query, or a body | what it does |', '|---|---|---|---|', ...rows, ''].join('\n')
}
