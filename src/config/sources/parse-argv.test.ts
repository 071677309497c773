import { describe, expect, it } from 'vitest'
import { messageOf } from '../../base/errors'
import { parseArgv } from './parse-argv'

/** Key and text of every parsed option. */
function read(...argv: string[]): string[] {
  return parseArgv(argv).values.map(({ entry, text }) => `${entry.key}=${text}`)
}

function failure(...argv: string[]): string {
  try {
    parseArgv(argv)
  } catch (error) {
    return messageOf(error)
  }
  return 'no failure'
}

describe('the words of a command line', () => {
  it('is run without a command', () => {
    expect(parseArgv([]).command).toBe('run')
    expect(parseArgv(['--http']).command).toBe('run')
  })

  it('finds the command behind options that have values', () => {
    expect(parseArgv(['--datadir', '/d', 'node', '--http'])).toMatchObject({ command: 'node', words: [] })
  })

  it('keeps the words after the command', () => {
    expect(parseArgv(['account', 'new']).words).toEqual(['new'])
  })

  it('reads a value as the next word or after =', () => {
    expect(read('--http.port', '1', '--datadir=/a=b')).toEqual(['node.httpPort=1', 'app.dataDir=/a=b'])
  })

  it('reads a switch without taking the next word', () => {
    const parsed = parseArgv(['--http', 'node'])

    expect([parsed.command, ...parsed.values.map(({ text }) => text)]).toEqual(['node', 'true'])
  })

  it('reads a switch that is turned off', () => {
    expect(read('--http=false', '--mine=0')).toEqual(['node.http=false', 'node.mine=0'])
  })

  it('takes - and a negative number as values', () => {
    expect(read('--ready-file', '-', '--api-port', '-3333')).toEqual(['app.readyFile=-', 'api.legacyPort=-3333'])
  })

  it('takes everything after -- as words', () => {
    expect(parseArgv(['config', '--', '--http']).words).toEqual(['--http'])
  })

  it('reads an alias as its option, and one with an implied value as that value', () => {
    expect(read('--api-password', 'x', '--practice', '--miner.etherbase', '0x0')).toEqual([
      'api.token=x',
      'app.network=practice',
      'node.coinbase=0x0',
    ])
  })

  it('lets --advanced after --strict turn it off', () => {
    expect(read('signer', '--strict', '--advanced')).toEqual(['signer.strict=true', 'signer.strict=false'])
  })

  it('gives --http to the node in run and to the signer in signer', () => {
    expect([read('run', '--http'), read('signer', '--http'), read('run', '--signer.http')]).toEqual([
      ['node.http=true'],
      ['signer.http=true'],
      ['signer.http=true'],
    ])
  })

  it("maps the family's --loglevel", () => {
    expect(read('signer', '--loglevel', '4')).toEqual(['app.logLevel=debug'])
  })

  it("reads -v with a number as the miners' verbosity, never as the version", () => {
    expect([
      read('miner', '-v', '1'),
      read('miner', '-v', '2'),
      read('miner', '--verbosity=9'),
      read('-v', '4'),
      read('node', '--verbosity', '4'),
    ]).toEqual([
      ['app.logLevel=debug'],
      ['app.logLevel=info'],
      ['app.logLevel=debug'],
      ['app.logLevel=debug'],
      ['app.logLevel=debug'],
    ])
    expect(parseArgv(['miner', '-P', 'stratum://x:1', '-v', '1']).version).toBe(false)
  })

  it("takes a renamed flag's value as the option's", () => {
    expect(read('run', '--miner.threads', '3')).toEqual(['miner.cpuThreads=3'])
  })

  it("accepts the Go node's --lightkdf in node, without effect", () => {
    expect(parseArgv(['node', '--lightkdf']).notices).toHaveLength(1)
  })

  it.each([
    ['—http', '--http'],
    ['–http=true', '--http'],
    ['−P', '-P'],
    ['‐‐datadir', '--datadir'],
  ])('takes %s for a flag with a long dash, and names the right one', (typed, meant) => {
    expect(() => parseArgv(['run', typed])).toThrow(`unknown option ${typed}; did you mean ${meant}?`)
  })

  it('rejects any algorithm but xhash', () => {
    expect(() => parseArgv(['miner', '--algo', 'ETHASH'])).toThrow('--algo: ETHASH is not xhash')
  })

  it("takes the signer's unprefixed flags for accounts, rules and the audit log", () => {
    const keys = [['account'], ['rules'], ['audit'], ['signer']].map(
      (words) => parseArgv([...words, '--keystore', '/k']).values[0]?.entry.key,
    )
    expect(keys).toEqual(Array(4).fill('signer.keystore'))
  })

  it('accepts dumpconfig, as the family does', () => {
    expect(parseArgv(['dumpconfig']).command).toBe('dumpconfig')
  })

  it('accepts a familiar flag with a notice and without effect', () => {
    const { values, notices } = parseArgv(['signer', '--pcscdpath', '/run/x', '--chainid', '5'])

    expect(values.map(({ entry }) => entry.key)).toEqual(['signer.chainId'])
    expect(notices).toEqual(['--pcscdpath is accepted without effect: smart cards are not supported'])
  })

  it.each([
    [['--usb'], 'true'],
    [['--nousb'], 'false'],
    [['-nousb'], 'false'],
    [['--usb=false'], 'false'],
  ])('takes %s as the switch for hardware wallets', (words, text) => {
    const { values, notices } = parseArgv(['signer', ...words])

    expect(values.map((value) => [value.entry.key, value.text])).toEqual([['signer.usb', text]])
    expect(notices).toEqual([])
  })

  it("accepts a single dash before a full name, as the family's programs do", () => {
    const { values } = parseArgv(['signer', '-keystore', '/k', '-chainid=0x539', '-lightkdf'])
    expect(values.map(({ entry, text }) => [entry.key, text])).toEqual([
      ['signer.keystore', '/k'],
      ['signer.chainId', '0x539'],
      ['signer.lightKdf', 'true'],
    ])
    expect(parseArgv(['signer', 'setpw', '0x', '-password', '/p']).password).toBe('/p')
  })

  it('knows the short forms of help and version', () => {
    expect([parseArgv(['-h']).help, parseArgv(['node', '--help']).help, parseArgv(['-v']).version]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('keeps options for a single call apart from the configuration', () => {
    expect(parseArgv(['account', 'new', '--password', '/p'])).toMatchObject({ password: '/p', values: [] })
    expect(parseArgv(['bench', '--quick', '--json'])).toMatchObject({ quick: true, json: true, values: [] })
  })

  it.each(['false', 'FALSE', 'f', 'no', 'off', '0'])('reads --yes=%s as off', (text) => {
    expect(parseArgv(['removedb', `--yes=${text}`]).yes).toBe(false)
  })

  it('adds up lists of a single call, and takes the same value twice', () => {
    const argv = ['rigs', 'pause', '--group', 'a,b', '--group=c', '--label', 'row=1', '--json', '--json=yes']

    expect(parseArgv(argv)).toMatchObject({ group: 'a,b,c', label: 'row=1', json: true })
  })
})

describe('wrong usage', () => {
  it.each([
    [['--htpp'], 'unknown option --htpp; did you mean --http?'],
    [['--no-cpu'], 'unknown option --no-cpu; did you mean --cpu=false?'],
    [['--cpu-thread=2'], 'unknown option --cpu-thread; did you mean --cpu-threads?'],
    [['--moonbeam'], 'unknown option --moonbeam; see: headframe help'],
    [['-x'], 'unknown option -x; see: headframe help'],
    [['-Q', 'stratum://x'], 'unknown option -Q; see: headframe help'],
    [['nod'], 'unknown command nod; did you mean node?'],
    [
      ['dance'],
      'unknown command dance; accepted: run, node, miner, signer, init, import, export, db, dumpgenesis, removedb, account, rules, audit, devices, rigs, pool, tune, bench, attach, link, status, stop, logs, requests, send, doctor, config, dumpconfig, verify, update, completion, version, help',
    ],
    [['--http.port'], '--http.port: a value is missing; accepted: in 0..65535'],
    [
      ['--datadir', '--http'],
      '--datadir: a value is missing; accepted: a value that does not begin with a dash, or --datadir=--http',
    ],
    [['--practice=no'], '--practice: no is not left without a value'],
    [['signer', '--mine'], '--mine is not an option of headframe signer; it belongs to: run, node'],
    [
      ['run', '--lightkdf'],
      '--lightkdf is not an option of headframe run; it belongs to: signer, account, rules, audit',
    ],
    [
      ['run', '--json'],
      '--json is not an option of headframe run; it belongs to: account, audit, devices, rigs, pool, tune, bench, config, db, verify, update, link, status, requests, send, doctor, version',
    ],
    [['signer', '--loglevel', 'x'], '--loglevel: x is not a number from 0 to 9999'],
    [['node', '--syncmode', 'light'], '--syncmode: light is not full or snap'],
    [
      ['node', '--dev'],
      '--dev is not supported: use --practice, a private chain on this computer, or --genesis FILE --fakepow',
    ],
    [
      ['export-preimages'],
      'headframe export-preimages does not exist: preimages are not stored; the state is stored by address, see debug_dumpBlock',
    ],
    [['account', 'new', '--password'], '--password: a value is missing; accepted: a path'],
    [['account', 'new', '--password='], '--password: a value is missing; accepted: a path'],
    [['rigs', 'pause', '--all', '--group='], '--group: a value is missing; accepted: comma-separated groups'],
    [['removedb', '--yes=please'], '--yes: please is not true or false'],
    [['verify', 'f', '--older='], '--older: an empty value is not true or false'],
    [
      ['audit', 'verify', '--anchor', '1:a', '--anchor=2:b'],
      '--anchor is given twice, with different values: keep one',
    ],
    [['removedb', '--yes', '--yes=no'], '--yes is given twice, with different values: keep one'],
    [['db', 'repair', '--seals'], '--seals is not an option of headframe db repair; it belongs to: db verify'],
    [
      ['signer', '--password', 'f'],
      '--password is not an option of headframe signer; it belongs to: signer init, signer attest, signer setpw, signer delpw, signer newaccount, signer restore',
    ],
    [
      ['requests', 'approve', '1', '--json'],
      '--json is not an option of headframe requests approve; it belongs to: requests, requests list, requests show',
    ],
    [['--constructor'], 'unknown option --constructor; see: headframe help'],
    [['run', '--toString=1'], 'unknown option --toString; see: headframe help'],
    [['-constructor'], 'unknown option -constructor; see: headframe help'],
    [['--__proto__', 'x'], 'unknown option --__proto__; see: headframe help'],
  ])('%j: %s', (argv, message) => {
    expect(failure(...argv)).toBe(message)
  })
})
