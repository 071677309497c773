// Clients that run as programs, as readers of a chain that is reorganized: each run reads the same things again, and
// polls the log filter that its first run created.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peerProgram } from '../../peer-programs'
import { clientProgram, foundryProgram, type Hardhat, hardhat2, hardhat3, inProject, lastLine } from './client-programs'

const HERE = join(import.meta.dirname, 'reorg')
const READER = 'reorg/hardhat-reader.mjs'

/** What is read. */
export interface Question {
  /** First block. */
  readonly from: number
  /** Hashes whose receipts to read. */
  readonly transactions: readonly string[]
  /** Of the first run; null: it is created now. */
  readonly filter: string | null
}

/** A log as its block, transaction, index and whether it was removed. */
type SeenLog = readonly [block: string, transaction: string, index: number | string, removed: boolean]

export interface Reading {
  readonly filter: string
  readonly last: number
  /** In the client's form; a text if it can't read one. */
  readonly blocks: readonly unknown[]
  /** Null, or a text, if there is none. */
  readonly receipts: readonly unknown[]
  readonly logs: readonly SeenLog[]
  readonly changes: readonly SeenLog[]
}

export interface Reader {
  readonly name: string
  /** What is missing; null = it can run. */
  readonly missing: string | null
  /** Why it can't read blocks of prlx. */
  readonly referenceFault?: RegExp
  /** @param folder empty, used by this run only */
  readonly read: (http: string, question: Question, folder: string) => Promise<unknown>
}

/** @param what file of CLIENT_PROGRAMS that it needs */
function reader(
  name: string,
  what: readonly string[],
  read: (program: string, ...run: Parameters<Reader['read']>) => Promise<unknown>,
): Reader {
  const program = clientProgram(...what)
  const missing = program === null ? `CLIENT_PROGRAMS has no ${what.join('/')}` : null
  return { name, missing, read: (...run) => read(program ?? '', ...run) }
}

function hardhat(name: string, from: string, make: (from: string, files: Hardhat['files']) => Hardhat): Reader {
  return reader(name, [from], (packages, http, question, folder) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'question.json'), JSON.stringify(question))
    return inProject(make(packages, [READER]), { http, key: `0x${'11'.repeat(32)}`, folder })
  })
}

export const READERS: readonly Reader[] = [
  reader('web3.py', ['python', 'venv', 'bin', 'python'], (python, http, question) =>
    lastLine(python, [join(HERE, 'web3py_reader.py'), http, JSON.stringify(question)]),
  ),
  {
    ...reader('cast', ['foundry'], (from, http, question) =>
      lastLine(process.execPath, [
        join(HERE, 'cast-reader.mjs'),
        http,
        JSON.stringify(question),
        foundryProgram(from, 'cast'),
      ]),
    ),
    referenceFault: /sha3Uncles/,
  },
  {
    // A program built before it could do this lacks the file.
    ...reader("go-ethereum's ethclient", ['ethclient', 'reorg.go'], (file, http, question) =>
      lastLine(join(file, '..', 'ethclient'), ['reorg', http, JSON.stringify(question)]),
    ),
    referenceFault: /missing required field 'sha3Uncles'/,
  },
  hardhat('hardhat 2', 'hardhat-2', hardhat2),
  hardhat('hardhat 3', 'hardhat-3', hardhat3),
  {
    name: 'prlx attach',
    missing: peerProgram('prlx') === null ? 'PEER_PROGRAMS has no prlx' : null,
    read: (http, question, folder) =>
      lastLine(process.execPath, [
        join(HERE, 'attach-reader.mjs'),
        http,
        JSON.stringify(question),
        peerProgram('prlx') ?? '',
        folder,
      ]),
  },
]
