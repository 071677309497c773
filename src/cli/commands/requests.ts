// requests: what waits for a signature, shown whole in a terminal and decided there with the account's password.
import { checksumAddress } from '../../base/checksum-address'
import { byDirection, FROM_RIGHT_ROW, visibleText } from '../../base/language/visible-text'
import { formatDecimal } from '../../base/units'
import { ConfigError, conflict } from '../../config/errors'
import { USUAL_COLUMNS } from '../../config/help/wrapped'
import type { Check } from '../../contract/approval/approval-checks'
import type { CallerView, DecisionView, MessageNode, RequestsView, RequestView } from '../../contract/signer'
import type { HoldingView, SimulationView } from '../../contract/signer-tools'
import { HostError } from '../../host/errors'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { currentOf, type RunningProgram, withProgram } from '../running-program'
import { wordsOf } from '../words'
import { checksOf, type RequestChecks, type Simulated, sentenceOf } from './request-checks'

/** Of an id, in a list. Any unique beginning names a request. */
const SHOWN_ID = 8
/** Columns of a list's last field: a caller's words don't fill the screen. */
const SHOWN_WORDS = 60

/** What should be a text and isn't. */
const NOT_TEXT = 'not text, shown as hex'

const WAITS = 'the request still waits'

const ACTIONS = { list: [], show: ['ID'], approve: ['ID'], deny: ['ID|all'] } as const

/** `list` (the default), `show`, `approve`, `deny`. Exits with 1 unless signed or denied. @throws as `withProgram` */
export async function runRequests(call: CliCall): Promise<number> {
  const { parsed } = call
  const words = parsed.words.length === 0 ? { ...parsed, words: ['list'] } : parsed
  const { action, rest } = wordsOf(words, ACTIONS)
  return withProgram(call, async (program) => {
    const requests = await currentOf(program, 'signer.requests')
    if (requests === null)
      throw new HostError('HOST_NO_ANSWER', { dir: program.dataDir, reason: 'the signer does not answer' })
    if (action === 'list') return list(call, requests)
    const id = rest[0] ?? ''
    if (action === 'deny' && id === 'all') return denyAll(call, program)
    const request = find(requests, id)
    if (action === 'show') return show(call, program, request)
    return action === 'approve' ? approve(call, program, request) : decide(call, program, rejection(request))
  })
}

function list({ parsed, world }: CliCall, { waiting }: RequestsView): number {
  const { standardOutput } = world.platform
  if (parsed.json) standardOutput(JSON.stringify(waiting))
  else if (waiting.length === 0) standardOutput('nothing waits for a signature')
  else for (const request of waiting) standardOutput(ownLines(world, listLine(request)))
  return EXIT_DONE
}

function listLine(request: RequestView): string {
  const { id, kind, caller, findings } = request
  const worst = findings[0]?.severity ?? ''
  const isUnclear = (request.notUnderstood ?? []).length > 0
  return [
    id.slice(0, SHOWN_ID),
    (worst === 'Info' ? '' : worst).padEnd(8),
    isUnclear ? 'NOT UNDERSTOOD' : '',
    summary(request) || kind,
    `from ${callerText(caller)}`,
  ]
    .filter((part) => part !== '')
    .join('  ')
}

function summary({ kind, transaction, data, accounts }: RequestView): string {
  if (transaction !== null) {
    const { to, value, call } = transaction
    const what = call === null ? '' : `, calls ${short(call.name)}`
    return `send ${lax(value)} to ${to === null ? 'a new contract' : spelled(to)}${what}`
  }
  if (data !== null) return `sign ${kind === 'signTypedData' ? 'typed data' : data.form} for ${spelled(data.address)}`
  return accounts === null ? 'create an account' : `list ${accounts.length} accounts`
}

/** @throws ConfigError CONFIG_VALUE_INVALID unless exactly one waiting request begins with `id` */
function find({ waiting }: RequestsView, id: string): RequestView {
  const found = waiting.filter((request) => request.id.startsWith(id))
  const [one] = found
  if (one !== undefined && found.length === 1) return one
  const expected = found.length === 0 ? 'the id of a waiting request: see headframe requests' : 'more digits of its id'
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'ID', value: visibleText(id), expected })
}

async function show({ parsed, world }: CliCall, program: RunningProgram, request: RequestView): Promise<number> {
  const known = await checksOf(program, request)
  if (parsed.json) world.platform.standardOutput(JSON.stringify({ ...request, checks: known.checks.map(findingOf) }))
  else for (const line of described(request, known)) world.platform.standardOutput(ownLines(world, line))
  return EXIT_DONE
}

/**
 * Shows all of it first; a critical or unclear request also needs its id typed. What a caller made long has by then
 * pushed the first lines off the screen, so that the question begins with what is signed.
 * @param otherwise what becomes of it when it isn't signed
 */
export async function approve(
  call: CliCall,
  program: RunningProgram,
  request: RequestView,
  otherwise = WAITS,
): Promise<number> {
  const { askSecret, platform } = call.world
  const refused = (): number => {
    platform.standardError(`not approved: nothing was signed, and ${otherwise}`)
    return EXIT_FAILED
  }
  const known = await checksOf(program, request)
  for (const line of described(request, known)) platform.standardError(ownLines(call.world, line))
  platform.standardError(ownLines(call.world, `approve?   ${questionOf(request, known)}`))
  const isGrave = [...request.findings, ...known.checks].some(({ severity }) => severity === 'CRITICAL')
  if (isGrave || (request.notUnderstood ?? []).length > 0) {
    const wanted = request.id.slice(0, SHOWN_ID)
    const typed = await askSecret(`This is dangerous. To go on, type ${wanted}: `)
    if (typed !== wanted) return refused()
  }
  if (request.device?.kind === 'airgap')
    throw conflict('an offline device signs by QR code: approve this in the window')
  const password = await passwordFor(call, request)
  if (password === null) return refused()
  const accounts = request.accounts?.map(({ address }) => address) ?? null
  return decide(call, program, { ...decisionOf(request), decision: 'approve', ...password, accounts }, otherwise)
}

function ownLines({ terminal }: CliCall['world'], line: string): string {
  return wrapped(line, terminal?.columns() ?? Number.POSITIVE_INFINITY).join('\n')
}

/** Begins what a long line continues on. */
const CONTINUED = '  | '
/** From here on a character may be two columns wide. */
const FIRST_WIDE = 0x300

/**
 * A line in rows of a terminal: what a caller made long begins none, where it would look like ours. Letters written right to
 * left get rows of their own: they would also move digits and signs. @param columns 0 if the terminal doesn't say
 */
export function wrapped(line: string, columns: number): readonly string[] {
  const rows: string[] = []
  for (const [at, piece] of byDirection(line).entries()) {
    const start = at % 2 === 1 ? FROM_RIGHT_ROW : at === 0 ? '' : CONTINUED
    if (piece !== '') rows.push(...filled(piece, start, columns))
  }
  return rows.length === 0 ? [''] : rows
}

function filled(piece: string, start: string, columns: number): readonly string[] {
  const mark = start === '' ? CONTINUED : start
  const most = Math.max(columns || USUAL_COLUMNS, mark.length + 2)
  const rows: string[] = []
  let [row, width] = [start, start.length]
  for (const character of piece) {
    const more = (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2
    if (width + more > most) {
      rows.push(row)
      ;[row, width] = [mark, mark.length]
    }
    row += character
    width += more
  }
  return [...rows, row]
}

/** What isn't understood and no finding names: strict mode has none about it. */
function unsaid({ findings, notUnderstood = [] }: RequestView): readonly string[] {
  return notUnderstood.filter((part) => !findings.some(({ message }) => message.includes(part)))
}

/** Who signs what, how many warnings stand above; no words of the caller. */
function questionOf(request: RequestView, { checks }: RequestChecks): string {
  const { transaction, data } = request
  const findings = [...request.findings, ...checks]
  const account = transaction?.from ?? data?.address
  const grave = findings.filter(({ severity }) => severity !== 'Info').length + unsaid(request).length
  return [
    summary(request),
    ...(account === undefined ? [] : [`with ${spelled(account)}`]),
    ...(transaction === null ? [] : [`up to ${lax(transaction.maximumTotal)} in all`]),
    ...(grave === 0 ? [] : [`${grave} ${grave === 1 ? 'warning' : 'warnings'} above`]),
  ].join(', ')
}

/** Null: none was typed, or the two differ. Stored ones are for rules: an empty one is a wrong one. */
async function passwordFor(
  { world: { askSecret, platform } }: CliCall,
  { kind, device }: RequestView,
): Promise<Pick<DecisionView, 'password'> | null> {
  if (kind === 'listing' || device !== undefined) return { password: null }
  const isNew = kind === 'newAccount'
  const typed = await askSecret(isNew ? 'Password of the new account: ' : 'Password of the account: ')
  if (typed === null) return null
  if (isNew && typed !== (await askSecret('The same again: '))) {
    platform.standardError('the two passwords differ')
    return null
  }
  return { password: typed === '' ? null : Buffer.from(typed, 'utf8').toString('base64') }
}

export function rejection(request: RequestView): DecisionView {
  return { ...decisionOf(request), decision: 'reject', password: null, accounts: null }
}

async function denyAll({ world }: CliCall, { client }: RunningProgram): Promise<number> {
  const { rejected } = await client.call('signer.rejectAll', {})
  world.platform.standardOutput(`denied: ${rejected}`)
  return EXIT_DONE
}

/** Of the request as it was shown: another content is refused. */
function decisionOf({ id, nonce, contentHash }: RequestView): Pick<DecisionView, 'id' | 'nonce' | 'contentHash'> {
  return { id, nonce, contentHash }
}

/** @returns the exit code: 1 unless it was signed, or denied */
async function decide(
  { world }: CliCall,
  { client }: RunningProgram,
  decision: DecisionView,
  otherwise = WAITS,
): Promise<number> {
  const { state, error } = await client.call('signer.decide', decision)
  const why = error === '' ? '' : `: ${visibleText(error)}`
  if (state === 'waiting') world.platform.standardError(`not signed${why}; ${otherwise}`)
  else world.platform.standardOutput(`${state}${why}`)
  const wanted = decision.decision === 'reject' ? ['rejected'] : ['approved', 'signed']
  return wanted.includes(state) ? EXIT_DONE : EXIT_FAILED
}

const RANK = { CRITICAL: 0, WARNING: 1, Info: 2 } as const

function findingOf(check: Check): RequestView['findings'][number] {
  return { severity: check.severity, message: sentenceOf(check, (wei) => lax(String(wei))) }
}

/** Everything that the window shows, worst first; whole, however long. */
function described(request: RequestView, { checks, simulated }: RequestChecks): readonly string[] {
  const { id, caller, findings, transaction, data, accounts, device } = request
  return [
    `request    ${id}`,
    `caller     ${callerText(caller)}`,
    `action     ${summary(request)}`,
    ...(device === undefined ? [] : [`key        in a ${device.kind} device, ${visibleText(device.path)}`]),
    ...[...findings, ...checks.map(findingOf)]
      .sort((one, other) => RANK[one.severity] - RANK[other.severity])
      .map(({ severity, message }) => `${severity.padEnd(11)}${visibleText(message)}`),
    ...unsaid(request).map((part) => `NOT UNDERSTOOD  ${visibleText(part)}`),
    ...(transaction === null ? [] : transactionLines(transaction)),
    ...(data === null ? [] : dataLines(data)),
    ...(accounts ?? []).map(({ address }) => `account    ${spelled(address)}`),
    ...(simulated === null ? [] : changeLines(simulated)),
  ]
}

function transactionLines(transaction: NonNullable<RequestView['transaction']>): readonly string[] {
  const { from, to, value, gas, nonce, data, chainId, call, maximumFee, maximumTotal, accessList } = transaction
  return [
    `from       ${spelled(from)}`,
    `to         ${to === null ? 'a new contract' : spelled(to)}`,
    `value      ${lax(value)} (${value} wei)`,
    `fee        at most ${lax(maximumFee)}, gas ${gas}; together ${lax(maximumTotal)}`,
    `nonce      ${nonce}, chain ${chainId}`,
    ...(call === null
      ? []
      : [
          `call       ${visibleText(call.signature)}${call.namedBy === 'database' ? '' : ` (named by: ${call.namedBy})`}`,
          ...call.arguments.map(
            ({ type, value: given, isNotText = false }) =>
              `  ${visibleText(type)}  ${visibleText(given)}${isNotText ? ` (${NOT_TEXT})` : ''}`,
          ),
        ]),
    ...(data === '0x' ? [] : [`data       ${visibleText(data)}`]),
    ...(accessList ?? []).map(({ address, storageKeys }) => `access     ${address} ${storageKeys.join(' ')}`),
  ]
}

function dataLines({
  address,
  form,
  contentType,
  hash,
  text,
  messages,
}: NonNullable<RequestView['data']>): readonly string[] {
  return [
    `account    ${spelled(address)}`,
    `form       ${visibleText(contentType)}`,
    `hash       ${hash}`,
    ...(text === null
      ? form === 'text'
        ? [`text       ${NOT_TEXT}`]
        : []
      : [
          'text',
          ...visibleText(text, true)
            .split('\n')
            .map((line) => `  | ${line}`),
        ]),
    ...messages.flatMap((node) => treeLines(node, '  ')),
  ]
}

function treeLines({ name, value, type }: MessageNode, indent: string): readonly string[] {
  const head = `${indent}${visibleText(name)} [${visibleText(type)}]`
  if (typeof value === 'string') return [`${head}: ${visibleText(value)}`]
  return [head, ...value.flatMap((node) => treeLines(node, `${indent}  `))]
}

/** What our node says would happen. */
function changeLines({ simulation, lack }: Simulated): readonly string[] {
  if (simulation === null || simulation === undefined)
    return [
      `effect     unknown: ${lack === 'use' ? 'what others do with this signature is not known' : `no ${lack ?? 'answer'}`}`,
    ]
  const { outcome, reason, balances } = simulation
  return [
    `effect     ${outcome}${reason === '' ? '' : `: ${visibleText(reason)}`} (estimate)`,
    ...balances.map(({ address, change }) => `  ${spelled(address)}  ${signedLax(change)}`),
    ...(simulation.holdings === undefined ? tokenLines(simulation) : simulation.holdings.map(holdingLine)),
    ...((simulation.holdingsLeftOut ?? 0) > 0 ? [`  ${simulation.holdingsLeftOut} holdings were not compared`] : []),
  ]
}

/** Before and after, as the contracts answered. */
function holdingLine(holding: HoldingView): string {
  const { kind, before, after } = holding
  const what = [
    'account' in holding ? spelled(holding.account) : '',
    kind,
    'contract' in holding ? spelled(holding.contract) : '',
    'number' in holding && holding.number !== undefined ? `#${holding.number}` : '',
    'spender' in holding ? `for ${spelled(holding.spender)}` : '',
  ]
  const told = (value: string | boolean | null): string =>
    value === null ? '?' : kind === 'lax' ? lax(String(value)) : String(value)
  return `  ${what.filter((part) => part !== '').join(' ')}: ${told(before)} -> ${told(after)}`
}

function tokenLines({ tokens, moreTokens, grants, moreGrants, otherLogs }: SimulationView): readonly string[] {
  return [
    ...tokens.map((move) => `  token  ${visibleText(JSON.stringify(move))}`),
    ...(moreTokens > 0 ? [`  ${moreTokens} more token transfers`] : []),
    ...grants.map((grant) => `  allowance  ${visibleText(JSON.stringify(grant))}`),
    ...(moreGrants > 0 ? [`  ${moreGrants} more allowances`] : []),
    ...(otherLogs > 0 ? [`  ${otherLogs} other events`] : []),
  ]
}

function callerText({ transport, remote, userAgent, origin, process }: CallerView): string {
  const program = process === null ? userAgent : process.name
  return [transport, remote, program, origin]
    .filter((part) => part !== '')
    .map(short)
    .join(' ')
}

function short(text: string): string {
  const shown = visibleText(text)
  return shown.length <= SHOWN_WORDS ? shown : `${shown.slice(0, SHOWN_WORDS - 1)}…`
}

/** With its checksum; as sent when it is no address. */
function spelled(address: string): string {
  return /^0x[0-9a-fA-F]{40}$/.test(address) ? checksumAddress(address) : visibleText(address)
}

function lax(wei: string): string {
  return `${formatDecimal(BigInt(wei))} LAX`
}

function signedLax(wei: string): string {
  return wei.startsWith('-') ? lax(wei) : `+${lax(wei)}`
}
