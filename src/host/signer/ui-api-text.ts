// The UI API by example: every object exchanged between the signer and the deciding program, made by the code that
// sends and parses them.
import { bytesOfHex } from '../../base/hex'
import { textData } from '../../signer/data/sign-data'
import type { Caller } from '../../signer/model/request'
import type { SpelledAddress, TransactionRequest } from '../../signer/model/transaction'
import type { Question } from '../../signer/ports'
import { accountObjects, dataQuestion, listingQuestion, transactionQuestion } from '../../signer/requests/request-kinds'
import { assembleSigned, describeSigned } from '../../signer/transactions/encode'
import { readDecision, readInput } from '../../signer/ui-api/line-ui'

interface Example {
  /** clef's name, for readers who know it. */
  readonly title: string
  readonly text: string
  readonly example: unknown
}

const address = (text: string): SpelledAddress => ({ text, bytes: bytesOfHex(text) })
const ACCOUNT = address('0xDEADbEeF000000000000000000000000DeaDbeEf')
const CHAIN_ID = 2110n
/** r, s and parity of an arbitrary signature. */
const SIGNATURE = bytesOfHex(`${'716bd905'.repeat(8)}${'4e8a4ebf'.repeat(8)}00`)
const CALLER: Caller = {
  transport: 'http',
  remote: '127.0.0.1:54286',
  local: '127.0.0.1:8550',
  userAgent: 'shop/1.0',
  origin: 'https://shop.example',
}
const KEYS = ['deadbeef000000000000000000000000deadbeef', '1111111122222222222233333333334444444444'].map((digits) => ({
  address: `0x${digits}`,
  file: `UTC--2026-01-01T00-00-00.000000000Z--${digits}`,
}))
const TRANSACTION: TransactionRequest = {
  from: ACCOUNT,
  to: address('0x52908400098527886E0F7030069857D2E4169EE7'),
  gas: 21_000n,
  gasPrice: 1_000_000_000n,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  value: 6n,
  nonce: 1n,
  data: bytesOfHex('01020304'),
  input: null,
  accessList: null,
  chainId: null,
  methodSignature: null,
}

/** Markdown. @throws SignerError SIGNER_UI_MALFORMED when an example answer is invalid */
export function uiApiText(): string {
  const head = [
    '## UI API of the signer',
    '',
    'With `--stdio-ui` the signer writes one JSON-RPC message a line to standard output and reads answers from standard input. These',
    'are the objects in `params` and `result`. Whatever is not plainly an approval denies.',
    '',
  ]
  return [...head, ...examples().map(section)].join('\n')
}

function section({ title, text, example }: Example): string {
  return `### ${title}\n\n${text}\n\nExample:\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
}

function examples(): readonly Example[] {
  return [...dataExamples(), ...transactionExamples(), ...inputExamples(), ...listingExamples()]
}

function dataExamples(): readonly Example[] {
  const question = dataQuestion(ACCOUNT, textData('text/plain', Buffer.from('hello world')), [], CALLER)
  return [
    {
      title: 'SignDataRequest',
      text: '`ui_approveSignData`: a caller wants data signed. `raw_data` (Base64) is what is hashed, prefix included, and `hash` its\nhash. `messages` is what a person reads; a value may be a list of further entries. All of `meta` is told by the caller.',
      example: question.body,
    },
    {
      title: 'SignDataResponse - approve',
      text: 'The data is signed; the password is asked for next.',
      example: answer(question, { approved: true }),
    },
    {
      title: 'SignDataResponse - deny',
      text: 'Nothing is signed, and the caller is told so.',
      example: answer(question, { approved: false }),
    },
  ]
}

function transactionExamples(): readonly Example[] {
  const findings = [
    { severity: 'WARNING', message: 'To be shown as a warning' },
    { severity: 'Info', message: 'To be shown too' },
  ] as const
  const question = transactionQuestion(TRANSACTION, findings, CALLER)
  const changed = transactionQuestion({ ...TRANSACTION, nonce: 4n }, [], CALLER).body.transaction
  const signed = describeSigned(TRANSACTION, CHAIN_ID, assembleSigned(TRANSACTION, CHAIN_ID, SIGNATURE))
  return [
    {
      title: 'SignTxRequest',
      text: '`ui_approveTx`: a caller wants a transaction signed. `call_info` is what the checks found (`CRITICAL`, `WARNING`, `Info`), null\nwithout findings. Call data is always in `data`, whichever of `data` and `input` the caller used.',
      example: question.body,
    },
    {
      title: 'SignTxResponse - approve',
      text: 'The transaction of the answer is signed as a whole: an approver may change it, and must send it back.',
      example: answer(question, { transaction: changed, approved: true }),
    },
    {
      title: 'SignTxResponse - deny',
      text: 'Nothing is signed. The transaction may be left out.',
      example: answer(question, { transaction: null, approved: false }),
    },
    {
      title: 'OnApproved - SignTransactionResult',
      text: '`ui_onApprovedTx`, a notification: this transaction was signed, and its caller gets it next. There is no answer. Rules count\nwith it what they let through; whoever can put back an older copy of the vault can put back these counts too.',
      example: signed,
    },
  ]
}

function inputExamples(): readonly Example[] {
  const reply = { text: 'what was typed' }
  readInput(reply)
  return [
    {
      title: 'UserInputRequest',
      text: '`ui_onInputRequired`: a text is wanted of the person. Where `isPassword` is true it must not be shown while it is typed.',
      example: { title: 'Account password', prompt: 'Please enter the password for account 0x…', isPassword: true },
    },
    { title: 'UserInputResponse', text: 'The text as it was typed.', example: reply },
  ]
}

function listingExamples(): readonly Example[] {
  const question = listingQuestion(accountObjects(KEYS, '/path/to/keystore'), CALLER)
  const [first] = KEYS
  const accounts = [{ address: first?.address ?? '', url: '' }]
  return [
    {
      title: 'ListRequest',
      text: '`ui_approveListing`: a caller wants to know the accounts. The paths are for the approver only; callers get addresses.',
      example: question.body,
    },
    {
      title: 'ListResponse',
      text: 'The addresses that the caller gets, in this order. `url` may be left out. Null denies.',
      example: answer(question, { accounts }),
    },
  ]
}

function answer(question: Question, result: unknown): unknown {
  readDecision(question.method, result)
  return result
}
