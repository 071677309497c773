// Options of the accounts that JSON-RPC sends and signs with, and of what it lets through.
import { WEI_PER_LAX } from '../../base/units'
import { option, section } from '../schema'
import { addresses, coins, flag, path, signerAddress } from '../value-types'

export const accountsSection = section({
  name: 'accounts',
  title: 'Accounts of JSON-RPC',
  commands: ['run', 'node'],
  options: {
    signer: option({
      flag: 'signer',
      type: signerAddress(),
      default: () => null,
      defaultText: 'the own signer, in node the key files',
      help: 'Signer in another process that holds the accounts: its http address, or the path of its socket.',
      since: '0.2.0',
      applies: 'service',
    }),
    unlock: option({
      flag: 'unlock',
      type: addresses(),
      default: (): readonly string[] => [],
      defaultText: 'none',
      help: 'Accounts that sign what JSON-RPC asks for without a question.',
      since: '0.2.0',
      applies: 'service',
      danger: 'Whoever reaches JSON-RPC can spend what these accounts hold; refused on main and test.',
      notInFile: true,
    }),
    passwordFile: option({
      flag: 'password',
      type: path('file', 'FILE'),
      default: () => null,
      defaultText: 'none',
      help: 'File with the passwords of --unlock, one a line in its order; the last one serves the rest.',
      since: '0.2.0',
      applies: 'service',
    }),
    allowInsecureUnlock: option({
      flag: 'allow-insecure-unlock',
      type: flag(),
      default: () => false,
      help: 'Allow --unlock on main and test.',
      since: '0.2.0',
      applies: 'service',
      danger: 'Real money is then spent by whoever reaches JSON-RPC.',
      notInFile: true,
    }),
    feeCap: option({
      flag: 'rpc.txfeecap',
      type: coins(),
      default: () => WEI_PER_LAX,
      defaultText: '1',
      help: 'Most that the gas of a transaction sent over JSON-RPC may cost, in LAX; 0 = no limit.',
      since: '0.2.0',
      applies: 'service',
    }),
    allowUnprotected: option({
      flag: 'rpc.allow-unprotected-txs',
      type: flag(),
      default: () => false,
      help: 'Take transactions that name no chain and are valid on every one.',
      since: '0.2.0',
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
      help: 'Folder of the key files.',
      since: '0.2.0',
      applies: 'service',
    }),
  },
})
