// Wrong and odd calls, as people type them: each gets one line that says what was wrong and what is accepted instead.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { called } from './testing/called'

const FOLDER = mkdtempSync(join(tmpdir(), 'headframe-odd-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const FILES: Readonly<Record<string, string>> = {
  'text.txt': 'hello\n',
  empty: '',
  'unknown-key.toml': '[node]\nhttp-portt = 1\n',
  'broken.toml': '[node\n',
  'wrong-type.toml': '[node]\nhttp-port = "x"\n',
  'table-value.toml': '[miner]\ncpu-threads = [{ a = 1 }]\n',
  'short-token.toml': '[api]\ntoken = "short"\n',
  'no-chain-id.json': '{"a":1}',
  pw: 'x\n',
}
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(FOLDER, name), text)
mkdirSync(join(FOLDER, 'dir'))

/** With nobody at the keyboard. `%/` in a word is the folder. */
async function odd(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: string; err: string }> {
  const environment = { HEADFRAME_DATADIR: join(FOLDER, 'data'), ...variables }
  const surroundings = { platform: 'linux', environment, homeDir: FOLDER, workingDir: FOLDER } as const
  const { code, stdout, stderr } = await called(
    words.map((word) => word.replaceAll('%/', `${FOLDER}/`)),
    { surroundings },
  )
  return { code, out: stdout, err: stderr.replaceAll(`${FOLDER}/`, '%/') }
}

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const MISSPELLED = '0x52908400098527886e0F7030069857D2E4169EE7'
const ACCOUNT_WORDS = 'new, list, import, update, export, backup, verify, forget, device, add, watch, unsigned, signed'

/** Calls that are wrong as such: exit code 2. `''` is an empty word. Each line is matched from its start. */
const WRONG_CALLS: readonly (readonly [call: string, line: string])[] = [
  ['--nope', 'unknown option --nope; see: headframe help'],
  ['-x', 'unknown option -x; see: headframe help'],
  ['--http-port 1', 'unknown option --http-port; did you mean --http.port?'],
  ['bench --foo', 'unknown option --foo; see: headframe help'],
  ['--htpp', 'unknown option --htpp; did you mean --http?'],
  ['run fast', 'unexpected word fast after headframe run; accepted: options only'],
  ['nodee', 'unknown command nodee; did you mean node?'],
  ["''", 'an empty word is not a command; accepted: run, node, '],
  ['-- foo', 'unknown command foo; accepted: run, node, '],
  ['--version foo', 'unknown command foo; accepted: run, node, '],
  ['headframe://nonsense', 'unknown command headframe://nonsense; accepted: run, '],
  ['help foo', 'unknown command foo; accepted: run, node, '],
  ['--headless=maybe', '--headless: maybe is not true or false'],
  ['--log.level loud', '--log.level: loud is not one of trace, debug, info, warn, error'],
  ['--datadir', '--datadir: a value is missing; accepted: a path'],
  ['miner', 'headframe miner needs a pool: give -P URL, or --monitor with --rig'],
  ['miner -P', '-P: a value is missing; accepted: the address of a pool, or exit at the end'],
  ['miner -P foo', '--pool: foo is not a pool: expected SCHEME://HOST:PORT with stratum://, '],
  ['miner -P stratum://', '--pool: stratum:// is not a pool: expected SCHEME://HOST:PORT'],
  ['miner -P http://', '--pool: http:// is not a pool: expected SCHEME://HOST:PORT'],
  ['miner -P stratum://0xADDRESS.rig1@pool.example:3334', '--pool: stratum://0xADDRESS.rig1@pool.example:3334 is not'],
  [`miner -P stratum+tls://${ADDRESS}@host:99999`, `--pool: stratum+tls://${ADDRESS}@host:99999 is not a pool: port`],
  [`miner -P stratum://${ADDRESS.slice(0, -1)}@127.0.0.1:1`, `--pool: stratum://${ADDRESS.slice(0, -1)}@127.0.0.1:1`],
  ['miner --cpu-threads -1 -P stratum://a@127.0.0.1:1', '--cpu-threads: -1 is not in 1..256'],
  ['miner --cpu-threads 1.5', '--cpu-threads: 1.5 is not in 1..256'],
  ['miner --cpu-threads=abc', '--cpu-threads: abc is not in 1..256'],
  ['miner --tstop 500', '--tstop: 500 is not in 0..100'],
  ['miner --schedule foo', '--schedule: foo is not a comma list of hours'],
  ['node --http.port 70000', '--http.port: 70000 is not in 0..65535'],
  ['node --http.port abc', '--http.port: abc is not in 0..65535'],
  ['node --ws.port=', '--ws.port: an empty value is not in 0..65535'],
  ['node --http.addr 999.1.1.1', '--http.addr: 999.1.1.1 is not an IP address or localhost'],
  ['node --port', '--port: a value is missing; accepted: in 0..65535'],
  ['node --mainnet --testnet', '--mainnet and --testnet name two networks: keep one of them'],
  ['node --network foo', '--network: foo is not one of practice, main, test, custom'],
  ['node --mine --mainnet', '--mine needs the account that block rewards go to: add --miner.coinbase 0xADDRESS'],
  ['node --miner.coinbase 0x123', '--miner.coinbase: 0x123 is not an address (0x and 40 hex digits)'],
  [`node --mainnet --mine --miner.coinbase ${MISSPELLED}`, `--miner.coinbase: the capitals of the address`],
  ['node extra words', 'unexpected word extra after headframe node; accepted: options only'],
  ['node --config %/none.toml', '--config: %/none.toml does not exist'],
  [
    'node --config %/unknown-key.toml',
    '%/unknown-key.toml:2: unknown key node.http-portt; did you mean node.http-port?',
  ],
  ['node --config %/broken.toml', '%/broken.toml:1:6: not TOML: '],
  ['node --config %/wrong-type.toml', '%/wrong-type.toml:2: node.http-port: "x" is not in 0..65535'],
  ['node --config %/table-value.toml', '%/table-value.toml:2: miner.cpu-threads: [{"a":1}] is not in 1..256'],
  ['node --config %/dir', '--config: %/dir cannot be read: it is a folder'],
  ['node --genesis %/none.json', '--genesis: %/none.json cannot be read: no such file'],
  ['node --genesis %/no-chain-id.json', '%/no-chain-id.json is not a genesis file: config.chainId: '],
  ['node --genesis %/text.txt', '%/text.txt is not a genesis file: it is not JSON'],
  ['node --bootnodes enode://abc', '--bootnodes: enode://abc is not a comma list of enode://ID@HOST:PORT'],
  ['node --nodekeyhex 12', '--nodekeyhex: *** is not 64 hex digits'],
  [`node --unlock ${ADDRESS} --mainnet`, '--unlock needs --password FILE'],
  ['node --checkpoint %/text.txt', '--checkpoint needs --checkpoint.signer ADDRESS: only a list signed by someone'],
  [`node --checkpoint %/none --checkpoint.signer ${ADDRESS}`, '--checkpoint: %/none cannot be read: no such file'],
  ['node --prl.requiredblocks foo', '--prl.requiredblocks: foo is not a comma list of NUMBER=0xHASH'],
  ['init', 'headframe init needs more words; accepted: GENESIS.json, or none with --mainnet or --testnet'],
  ['init %/text.txt', '%/text.txt is not a genesis file: it is not JSON'],
  ['init %/no-chain-id.json', '%/no-chain-id.json is not a genesis file: config.chainId: '],
  ['import', 'headframe import needs more words; accepted: FILE...'],
  ['export', 'headframe export needs more words; accepted: FILE, or FILE FIRST LAST'],
  ['export out.rlp 5', 'unexpected word 5 after headframe export; accepted: FILE, or FILE FIRST LAST'],
  ['export out.rlp 5 2', 'FIRST: 5 is not at most LAST, which is 2'],
  ['db', 'headframe db needs more words; accepted: inspect, stats, verify, compact, repair'],
  ['db foo', 'unexpected word foo after headframe db; accepted: inspect, stats, verify, compact, repair'],
  ['account', `headframe account needs more words; accepted: ${ACCOUNT_WORDS}`],
  ['account foo', `unexpected word foo after headframe account; accepted: ${ACCOUNT_WORDS}`],
  [
    'account new',
    'there is no terminal to ask for the password of the new account: give --password FILE, one password per line',
  ],
  ['account import %/none', 'account import: %/none cannot be read: no such file'],
  ['account import %/dir', 'account import: %/dir cannot be read: it is a folder'],
  ['account import %/text.txt --password %/none', '--password: %/none cannot be read: no such file'],
  ['account import %/text.txt --password %/pw', '--password: %/pw cannot be read: line 2, the password of the account'],
  ['account update 0x1', 'ADDRESS: 0x1 is not 0x and 40 hex digits'],
  [`account backup ${ADDRESS}`, 'headframe account backup needs more words; accepted: ADDRESS FILE'],
  ['account device 0', 'COUNT: 0 is not 1 to 100'],
  ['account watch 0x12', 'ADDRESS: 0x12 is not 0x and 40 hex digits'],
  ['account signed', 'headframe account signed needs more words; accepted: ID FILE'],
  [
    'signer foo',
    'unexpected word foo after headframe signer; accepted: init, attest, setpw, delpw, newaccount, gendoc, descriptors, restore',
  ],
  [`signer attest ${'ab'.repeat(32)} 1 0`, 'SIGNATURES: 0 is not a whole number from 1 to 1000000'],
  ['signer attest zz', 'SHA256: zz is not 64 hex digits'],
  ['signer setpw', 'headframe signer setpw needs more words; accepted: ADDRESS'],
  ['signer delpw 0x12', 'ADDRESS: 0x12 is not 0x and 40 hex digits'],
  ['signer --rules %/none', '--rules: %/none cannot be read: no such file'],
  ['signer --stdio-ui-test', '--stdio-ui-test tests the program that --stdio-ui talks to: add --stdio-ui'],
  [
    'signer --stdio-ui --ready-file -',
    '--stdio-ui and --ready-file - both need standard output: use --ready-file FILE',
  ],
  ['rules', 'headframe rules needs more words; accepted: attest, policies, dryrun'],
  ['rules attest', 'headframe rules attest needs more words; accepted: FILE [LAX] [SIGNATURES]'],
  ['rules attest r.js 1x', 'LAX: 1x is not an amount such as 1.5'],
  ['rules policies %/none', 'rules: %/none cannot be read: no such file'],
  ['rules policies %/text.txt --password %/pw', 'rules: %/text.txt cannot be read: not JSON'],
  ['audit', 'headframe audit needs more words; accepted: verify'],
  ['attach --exec', '--exec: a value is missing; accepted: JavaScript'],
  ['attach ws://127.0.0.1:1', 'attach: ws://127.0.0.1:1 is not http, https or the path of a socket'],
  ['tune set', 'headframe tune needs more words; accepted: set CARD KNOB=VALUE...'],
  ['tune foo', 'unexpected word foo after headframe tune; accepted: list, set, reset, keep'],
  ['verify', 'headframe verify needs more words; accepted: FILE'],
  ['bench foo', 'unexpected word foo after headframe bench; accepted: options only'],
  ['rigs', 'headframe rigs needs more words; accepted: list, pause, resume, restart, set-pool'],
  ['rigs list', 'no rigs: add --rig or --rig-file'],
  ['rigs pause nobody', 'no rigs: add --rig or --rig-file'],
  ['rigs set-pool', 'headframe rigs needs more words; accepted: set-pool URL [NAME...]'],
  ['pool', 'headframe pool needs more words; accepted: test URL'],
  ['send A B', 'headframe send needs more words; accepted: FROM TO AMOUNT'],
  [
    `send ${ADDRESS} ${ADDRESS} 1.5`,
    'AMOUNT: 1.5 is not an amount above 0 with its unit, a point before decimals and no other mark: 1.5LAX, 30gwei or 7wei',
  ],
  [`send ${ADDRESS} 0x${'0'.repeat(40)} 1LAX`, `TO: 0x${'0'.repeat(40)} is not somebody's address: nobody owns the`],
  [
    `send ${ADDRESS} ${MISSPELLED} 1LAX`,
    `TO: ${MISSPELLED} is not somebody's address: the capitals of the address ${MISSPELLED} do not match its checksum`,
  ],
  [`send ${ADDRESS} ${ADDRESS} 1LAX --password x`, '--password is not an option of headframe send; it belongs to: '],
  ['requests sign 1', 'unexpected word sign after headframe requests; accepted: list, show, approve, deny'],
  ['rigs pause --label row=1 --label row=2', '--label names two values of row, and a rig has one: give one'],
  [
    'tune set 01:00.0 power=200 fan=auto power=100',
    'unexpected word power=100 after headframe tune; accepted: each of',
  ],
  ['update --forget --from %/text.txt', '--forget and --from exclude each other: use one'],
  ['update --older', '--older is for --from FILE: what an update address announces is always newer'],
  ['status now', 'unexpected word now after headframe status; accepted: options only'],
  ['stop now', 'unexpected word now after headframe stop; accepted: options only'],
  ['stop --watch', '--watch is not an option of headframe stop; it belongs to: status'],
  ['completion', 'headframe completion needs more words; accepted: bash, zsh, fish'],
  ['completion tcsh', 'unexpected word tcsh after headframe completion; accepted: bash, zsh, fish'],
  ['version foo', 'unexpected word foo after headframe version; accepted: options only'],
  ['config foo', 'unexpected word foo after headframe config; accepted: options only'],
  ['dumpconfig x', 'unexpected word x after headframe dumpconfig; accepted: options only'],
  ['devices foo', 'unexpected word foo after headframe devices; accepted: options only'],
  ['--api-bind 1.2.3.4', '--api-bind: 1.2.3.4 is not ADDR:PORT with an IP address or localhost and a port'],
  ['--api-bind 0.0.0.0:3333 --api-allow-control', '--api-allow-control on 0.0.0.0:3333 needs --api-token or '],
  ['--api-port 99999', '--api-port: 99999 is not in -65535..65535'],
  ["--api-token ''", '--api-token: *** is not 1..512 visible ASCII characters without blanks'],
]

/** Calls that are right as such and can't be carried out: exit code 1. */
const FAILING_CALLS: readonly (readonly [call: string, line: string])[] = [
  ['account list --signer.keystore %/text.txt', 'keystore %/text.txt cannot be used: '],
  [
    `account export ${ADDRESS} --password %/pw`,
    `there is no account ${ADDRESS} in this keystore: see headframe account`,
  ],
  [`account forget ${ADDRESS}`, `there is no account ${ADDRESS} in this keystore: see headframe account list`],
  [
    'account add foo',
    `derivation path foo cannot be used: "foo" isn't an index of 0 to 2^31-1; accepted: a path such as m/`,
  ],
  ['audit verify %/none', '%/none: no such file or folder'],
  ['attach', 'no node is running at %/data/headframe.ipc: start one, or name another: http://HOST:PORT or '],
  ['attach foo', 'no node is running at %/foo: start one, or name another: http://HOST:PORT or the path of its socket'],
  ['verify %/none', '%/none cannot be read: no such file or folder'],
  ['verify %/empty', '%/empty cannot be read: it is empty'],
  ['verify %/text.txt', 'this build has no release key yet: pass the public key you trust with --key FILE'],
  ['update', 'no update address: set one with --update.url URL'],
  ['update --from %/none', '%/none cannot be read: no such file or folder'],
  ['db verify --mainnet', 'there is no chain of the main network in %/data yet: run headframe once, or name another '],
  ['import %/none.rlp', '%/none.rlp cannot be read: no such file or '],
  ['link', 'Headframe is not running with data directory %/data: pass the right one with --datadir DIR'],
  ['status', 'Headframe is not running with data directory %/data: pass the right one with --datadir DIR'],
  ['stop', 'Headframe is not running with data directory %/data: pass the right one with --datadir DIR'],
  ['logs', 'Headframe is not running with data directory %/data: pass the right one with --datadir DIR'],
  ['requests', 'Headframe is not running with data directory %/data: pass the right one with --datadir DIR'],
]

const wordsOf = (text: string): readonly string[] => text.split(' ').map((word) => (word === "''" ? '' : word))

describe.skipIf(process.platform === 'win32')('an odd call', () => {
  it.each(WRONG_CALLS)('%s exits with 2: %s', async (call, line) => {
    const { code, out, err } = await odd(wordsOf(call))

    expect([code, out, err.split('\n').length]).toEqual([2, '', 2])
    expect(err.slice(0, `headframe: ${line}`.length)).toBe(`headframe: ${line}`)
  })

  it.each(FAILING_CALLS)('%s exits with 1: %s', async (call, line) => {
    const { code, out, err } = await odd(wordsOf(call))
    const last = err.trimEnd().split('\n').at(-1) ?? ''

    expect([code, out]).toEqual([1, ''])
    expect(last.slice(0, `headframe: ${line}`.length)).toBe(`headframe: ${line}`)
  })

  it.each([
    ['account list', 'HEADFRAME_DATADIRR', 1, 'in the environment names no option; did you mean HEADFRAME_DATADIR?'],
    [
      'account list --keystore %/a --keystore %/b',
      '',
      1,
      '--keystore is given more than once: only the last one counts',
    ],
    ['account list --pcscdpath x', '', 1, '--pcscdpath is accepted without effect: '],
    ['dumpgenesis --practice --log.level warn --log.level error', '', 1, '--log.level is given more than once: only'],
    ['status', 'HEADFRAME_DATADIRR', 1, 'HEADFRAME_DATADIRR in the environment names no option; did you mean'],
    ['rigs list --rig a=127.0.0.1:1#tokentoken', '', 1, 'tokens in --rig can be read by other users of this computer'],
    ['account list --config %/short-token.toml', '', 0, 'the token of the control port is shorter'],
    ['dumpconfig --config %/short-token.toml', '', 1, 'the token of the control port is shorter'],
  ])('says what %s with %s accepts without effect', async (call, variable, times, line) => {
    const { err } = await odd(wordsOf(call), variable === '' ? {} : { [variable]: '/elsewhere' })

    expect(err.split('\n').filter((each) => each.startsWith('headframe: note: ') && each.includes(line))).toHaveLength(
      times,
    )
  })

  it.each([
    ['account list --nope', { HEADFRAME_LOG_JSON: 'true' }, true],
    ['account list --nope --log.json=yes', {}, true],
    ['account list --nope --log.json=false', { HEADFRAME_LOG_JSON: '1' }, false],
    ['account list', { HEADFRAME_LOG_JSON: 'on' }, true],
    ['status --bogus', { HEADFRAME_LOG_JSON: 'maybe' }, false],
  ])('%s with %j has lines of JSON: %s', async (call, variables, isJson) => {
    const { err } = await odd(wordsOf(call), variables)

    expect(
      err
        .trimEnd()
        .split('\n')
        .map((line) => line.startsWith('{')),
    ).toEqual([isJson])
  })

  it('has at least the 120 calls that were once tried by hand', () => {
    expect(WRONG_CALLS.length + FAILING_CALLS.length).toBeGreaterThanOrEqual(120)
  })

  it.each(['\u001b[2J', '\u202efdp.exe', 'a\u0007b\u009b31m', 'two\nlines'])(
    'with %j in it has a line without commands to the terminal',
    async (word) => {
      const { code, err } = await odd([word])

      expect(code).toBe(2)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be missing
      expect(err.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(err).toMatch(/^headframe: unknown command /)
    },
  )
})
