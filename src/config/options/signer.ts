// Options of the signer. In `headframe signer` each may be written without its prefix.
import { listenHost } from '../network-address'
import { option, section } from '../schema'
import { flag, hostNames, integer, path, port } from '../value-types'

const CHAIN_IDS = { main: 2110, test: 2111, practice: 1337 } as const

export const signerSection = section({
  name: 'signer',
  title: 'Signer',
  commands: ['run', 'signer', 'account'],
  unprefixedIn: 'signer',
  options: {
    keystore: option({
      flag: 'signer.keystore',
      type: path('folder', 'DIR'),
      default: (context) => context.join(context.dataDir, 'keystore'),
      defaultText: 'keystore in the data directory',
      help: 'Folder of the key files.',
      since: '0.1.0',
      applies: 'service',
    }),
    chainId: option({
      flag: 'signer.chainid',
      type: integer(1, Number.MAX_SAFE_INTEGER),
      default: (context) => CHAIN_IDS[context.network],
      defaultText: "the network's own: 1337 practice, 2110 main, 2111 test",
      help: 'Chain id that transactions are signed for.',
      since: '0.1.0',
      applies: 'service',
    }),
    lightKdf: option({
      flag: 'signer.lightkdf',
      type: flag(),
      default: () => false,
      help: 'New keys with a weaker, faster key derivation.',
      since: '0.1.0',
      applies: 'service',
      danger: 'A stolen key file can be attacked about 64 times faster.',
    }),
    http: option({
      flag: 'signer.http',
      type: flag(),
      default: (context) => context.network === 'practice',
      defaultText: 'true on the practice network, else false',
      help: "Serve the signer's API over HTTP.",
      since: '0.1.0',
      applies: 'service',
    }),
    httpAddr: option({
      flag: 'signer.http.addr',
      type: listenHost(),
      default: () => '127.0.0.1',
      help: "Address that the signer's API listens on.",
      since: '0.1.0',
      applies: 'service',
      danger: 'Whoever reaches another address than a loopback one can put requests before you.',
    }),
    httpPort: option({
      flag: 'signer.http.port',
      type: port(),
      default: () => 8550,
      help: "Port of the signer's API; 0 = any free one.",
      since: '0.1.0',
      applies: 'service',
    }),
    httpVhosts: option({
      flag: 'signer.http.vhosts',
      type: hostNames(true),
      default: (): readonly string[] => ['localhost'],
      help: "Host names that the signer's API answers to besides IP addresses; * = all.",
      since: '0.1.0',
      applies: 'service',
      danger: 'With * any web page can put requests before you through a name of its own.',
    }),
    strict: option({
      flag: 'signer.strict',
      aliases: [{ flag: 'signer.advanced', means: 'false' }],
      type: flag(),
      default: () => false,
      help: 'Refuse a request with a WARNING or CRITICAL finding before you see it.',
      since: '0.1.0',
      applies: 'service',
    }),
    auditLog: option({
      flag: 'signer.auditlog',
      type: path('file', 'FILE'),
      default: (context) => context.join(context.dataDir, 'audit.log'),
      defaultText: 'audit.log in the data directory',
      help: 'File that every request, decision and result is appended to.',
      since: '0.1.0',
      applies: 'service',
    }),
    approvalTimeoutSeconds: option({
      flag: 'signer.approval-timeout',
      type: integer(0, 86_400, 'SECONDS'),
      default: () => 0,
      unit: 's',
      help: 'Time after which a request that nobody decided is denied; 0 = none.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})
