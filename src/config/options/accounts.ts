// Options of the accounts that JSON-RPC sends and signs with, and of what it permits.
import { WEI_PER_LAX } from '../../base/units'
import { option, section } from '../schema'
import { addresses, coins, flag, path, signerAddress } from '../values/value-types'

export const accountsSection = section({
  name: 'accounts',
  title: 'Accounts of JSON-RPC',
  commands: ['run', 'node'],
  options: {
    signer: option({
      flag: 'signer',
      type: signerAddress(),
      default: () => null,
      defaultText: 'the built-in signer; in headframe node, the key files',
      help: 'Use the signer of another process: its HTTP address or the path of its socket.',
      since: '0.1.0',
      applies: 'service',
    }),
    unlock: option({
      flag: 'unlock',
      type: addresses(),
      default: (): readonly string[] => [],
      defaultText: 'none',
      help: 'Accounts to unlock: JSON-RPC can sign with them without asking.',
      since: '0.1.0',
      applies: 'service',
      danger: 'Anyone who can reach JSON-RPC can spend from these accounts; refused on main and test.',
      notInFile: true,
    }),
    passwordFile: option({
      flag: 'password',
      type: path('file', 'FILE'),
      default: () => null,
      defaultText: 'none',
      help: 'File with the passwords for --unlock, one per line in the same order; the last line is used for the remaining accounts.',
      since: '0.1.0',
      applies: 'service',
    }),
    allowInsecureUnlock: option({
      flag: 'allow-insecure-unlock',
      type: flag(),
      default: () => false,
      help: 'Allow --unlock on main and test.',
      since: '0.1.0',
      applies: 'service',
      danger: 'Anyone who can reach JSON-RPC can then spend real money.',
      notInFile: true,
    }),
    feeCap: option({
      flag: 'rpc.txfeecap',
      type: coins(),
      default: () => WEI_PER_LAX,
      defaultText: '1',
      help: 'Maximum gas cost of a transaction sent over JSON-RPC, in LAX; 0 = no limit.',
      since: '0.1.0',
      applies: 'service',
    }),
    allowUnprotected: option({
      flag: 'rpc.allow-unprotected-txs',
      type: flag(),
      default: () => false,
      help: 'Accept transactions without a chain id, which are valid on every chain.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})

export const keystoreSection = section({
  name: 'keystore',
  title: 'Key files of a node alone',
  commands: ['node'],
  options: {
    folder: option({
      flag: 'keystore',
      type: path('folder', 'DIR'),
      default: (context) => context.join(context.dataDir, 'keystore'),
      defaultText: 'keystore in the data directory',
      help: 'Keystore folder.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})
