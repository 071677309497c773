// Arguments of the program in a chaos run, and what its log has to look like after a week.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MADE_CHAIN_ID } from '../node/made-blocks'

/** For the log in a week: each file's size, and how many are kept. */
const LOG_MIB = 1
const LOG_FILES = 2
const MEBIBYTE = 1_048_576
/** How much a few minutes write; a week starts with the log that full. */
const LOG_ROOM = 40_000
const OLD_LINE = 'a line of the weeks before\n'
/** A line more than the limit. */
const LOG_SLACK = 65_536
const LOG_OF_WEEK = ['--log.level', 'trace', '--log.filesize', String(LOG_MIB), '--log.files', String(LOG_FILES)]

interface Places {
  readonly datadir: string
  readonly genesis: string
  readonly tokenFile: string
  readonly poolUrl: string
}

/** The program's arguments in a run. @param isWeek its log starts over soon, and is verbose */
export function programArguments({ datadir, genesis, tokenFile, poolUrl }: Places, isWeek: boolean): readonly string[] {
  return [
    ...['run', '--headless', '--datadir', datadir, '--api-bind', '127.0.0.1:0', '--api-token-file', tokenFile],
    ...['--genesis', genesis, '--networkid', String(MADE_CHAIN_ID), '--xhash.mode', 'practice'],
    ...['--maxpeers', '5', '--p2p.addr', '127.0.0.1', '--port', '0'],
    ...['--nodiscover', '--nat', 'none', '--bootnodes', ''],
    ...['--http', '--http.port', '0', '--http.api', 'eth,net,web3,admin,txpool'],
    ...['--signer.http', '--signer.http.port', '0', '--signer.lightkdf', '--signer.chainid', String(MADE_CHAIN_ID)],
    ...['-P', poolUrl, '--retry-max', '0'],
    ...(isWeek ? LOG_OF_WEEK : []),
  ]
}

/**
 * The log after months of use: every file exists, and the current one is nearly full. @param datadir before its first
 * start
 */
export function fillLog(datadir: string): void {
  const folder = join(datadir, 'logs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lines = Math.floor((LOG_MIB * MEBIBYTE - LOG_ROOM) / OLD_LINE.length)
  for (let index = 0; index < LOG_FILES; index++)
    writeFileSync(join(folder, index === 0 ? 'headframe.log' : `headframe.${index}.log`), OLD_LINE.repeat(lines))
}

/**
 * Its files, the current one included.
 * @param fault null: any number and size is right; else the log has to have been begun again, and to be within its bounds
 */
export function logOf(datadir: string, fault: ((text: string) => void) | null): { files: number; bytes: number } {
  const folder = join(datadir, 'logs')
  const names = readdirSync(folder).filter((name) => /^headframe(?:\.\d+)?\.log$/.test(name))
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  if (readFileSync(join(folder, 'headframe.log'), 'utf8').startsWith(OLD_LINE)) fault?.('the log was never begun again')
  if (names.length > LOG_FILES) fault?.(`${names.length} log files are kept, ${LOG_FILES} were asked for`)
  if (bytes > LOG_FILES * LOG_MIB * MEBIBYTE + LOG_SLACK) fault?.(`the log has ${bytes} bytes`)
  return { files: names.length, bytes }
}
