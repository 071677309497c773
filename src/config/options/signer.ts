// Options of the signer. In `headframe signer` each may be written without its prefix.

import { option, section, type ValueType } from '../schema'
import { listenHost } from '../values/network-address'
import { choice, flag, hexOrInteger, hostNames, integer, path, port, toggle } from '../values/value-types'

/** A file, or an empty text, which disables the file's purpose. */
function fileOrOff(placeholder: string): ValueType<string> {
  const file = path('file', placeholder)
  return {
    ...file,
    expected: 'a path, or empty for none',
    parse: (text) => (text === '' ? '' : file.parse(text)),
    fromToml: (value) => (value === '' ? '' : file.fromToml(value)),
  }
}

export const signerSection = section({
  name: 'signer',
  title: 'Signer',
  commands: ['run', 'signer', 'account', 'rules', 'audit'],
  unprefixedIn: ['signer', 'account', 'rules', 'audit'],
  options: {
    keystore: option({
      flag: 'signer.keystore',
      type: path('folder', 'DIR'),
      default: (context) => context.familySigner?.keystore ?? context.join(context.dataDir, 'keystore'),
      defaultText: 'keystore in the data directory; for the command signer without --datadir ~/.parallax/keystore',
      help: 'Keystore folder.',
    }),
    configDir: option({
      flag: 'signer.configdir',
      type: path('folder', 'DIR'),
      default: (context) => context.familySigner?.configDir ?? context.join(context.dataDir, 'signer'),
      defaultText: 'signer in the data directory; for the command signer without --datadir ~/.clef',
      help: 'Folder for the master seed, stored passwords, rules and local socket.',
    }),
    signerSecret: option({
      flag: 'signer.signersecret',
      type: path('file', 'FILE'),
      defaultText: 'masterseed.json in the folder of --signer.configdir',
      help: 'Encrypted master seed file; stored passwords, rules and policies depend on it.',
    }),
    rules: option({
      flag: 'signer.rules',
      type: path('file', 'FILE'),
      help: 'Rule script that may decide requests; used only after it is attested.',
      danger: 'What it approves is signed without asking you.',
    }),
    chainId: option({
      flag: 'signer.chainid',
      type: hexOrInteger(1, Number.MAX_SAFE_INTEGER),
      default: (context) => context.chainId,
      defaultText: "the network's own: 1337 practice, 2110 main, 2111 test; 2110 for the command signer alone",
      help: 'Chain id that transactions are signed for.',
    }),
    lightKdf: toggle({
      flag: 'signer.lightkdf',
      help: 'Use a weaker, faster key derivation for new keys.',
      danger: 'A stolen key file can be attacked about 64 times faster.',
    }),
    unconfined: toggle({
      flag: 'signer.unconfined',
      help: "Use stored passwords even where the key worker can't be confined.",
      danger: 'A fault in the key worker could then send out a key that was opened without you.',
    }),
    http: option({
      flag: 'signer.http',
      type: flag(),
      default: (context) => context.network === 'practice',
      defaultText: 'true on the practice network, else false',
      help: "Serve the signer's API over HTTP.",
    }),
    httpAddr: option({
      flag: 'signer.http.addr',
      type: listenHost(),
      default: () => '127.0.0.1',
      help: "Listen address of the signer's API.",
      danger: 'On a non-loopback address, anyone who can connect can send you requests.',
    }),
    httpPort: option({
      flag: 'signer.http.port',
      type: port(),
      default: () => 8550,
      help: "Port of the signer's API; 0 = any free port.",
    }),
    httpVhosts: option({
      flag: 'signer.http.vhosts',
      type: hostNames(true),
      default: (): readonly string[] => ['localhost'],
      help: "Host names the signer's API answers to, besides IP addresses; * = all.",
      danger: 'With *, any web page can send you requests through its own host name.',
    }),
    ipcDisable: option({
      flag: 'signer.ipcdisable',
      type: flag(),
      default: (context) => context.command !== 'signer',
      defaultText: 'false for the command signer, else true',
      help: "Don't serve the signer's API on a local socket.",
    }),
    ipcPath: option({
      flag: 'signer.ipcpath',
      type: { ...path('file', 'PATH'), isPath: false },
      defaultText: 'clef.ipc in the folder of --signer.configdir',
      help: 'Local socket, or the folder for clef.ipc; a bare name is placed in --signer.configdir.',
    }),
    stdioUi: toggle({
      flag: 'signer.stdio-ui',
      help: 'Ask for approvals over standard input and output, one JSON-RPC message per line.',
      applies: 'process',
      danger: 'That program approves what is signed.',
    }),
    stdioUiTest: toggle({
      flag: 'signer.stdio-ui-test',
      help: 'Send each kind of question once, to test the program on the other end.',
      applies: 'process',
    }),
    selectorsCustom: option({
      flag: 'signer.4bytedb-custom',
      type: fileOrOff('FILE'),
      default: (context) =>
        context.command === 'signer' ? '4byte-custom.json' : context.join(context.dataDir, '4byte-custom.json'),
      defaultText: '4byte-custom.json in the working folder (signer) or the data directory',
      help: 'File for method signatures supplied by callers that matched their data; empty = keep none.',
    }),
    selectorsBuiltin: option({
      flag: 'signer.4bytedb-builtin',
      type: choice(['full', 'minimal']),
      default: () => 'full',
      help: 'Built-in method signatures; minimal = transfer(address,uint256) only.',
    }),
    descriptors: option({
      flag: 'signer.descriptors',
      type: path('folder', 'DIR'),
      default: (context) =>
        context.join(context.familySigner?.configDir ?? context.join(context.dataDir, 'signer'), 'descriptors'),
      defaultText: 'descriptors beside the default of --signer.configdir',
      help: 'Folder of ERC-7730 descriptors, which add words to calls of known contracts.',
    }),
    strict: toggle({
      flag: 'signer.strict',
      aliases: [{ flag: 'signer.advanced', means: 'false' }],
      help: 'Reject requests with a WARNING or CRITICAL finding automatically.',
    }),
    usb: toggle({
      flag: 'signer.usb',
      aliases: [{ flag: 'signer.nousb', means: 'false' }],
      help: 'Use accounts of a Ledger connected by USB.',
    }),
    auditLog: option({
      flag: 'signer.auditlog',
      type: fileOrOff('FILE'),
      default: (context) => (context.command === 'signer' ? 'audit.log' : context.join(context.dataDir, 'audit.log')),
      defaultText: 'audit.log in the working folder (signer) or the data directory',
      help: 'Audit log: every request, decision and result is appended; empty = none.',
    }),
    approvalTimeoutSeconds: option({
      flag: 'signer.approval-timeout',
      type: integer(0, 86_400, 'SECONDS'),
      default: () => 0,
      unit: 's',
      help: 'Deny undecided requests after this long; 0 = never.',
    }),
  },
})
