// Options of the program as a whole.
import { LOG_LEVELS } from '../../base/logger'
import { COMMANDS, NETWORKS, option, section } from '../schema'
import { choice, flag, path } from '../value-types'

export const appSection = section({
  name: 'app',
  title: 'Common options',
  commands: COMMANDS,
  options: {
    dataDir: option({
      flag: 'datadir',
      type: path('folder', 'DIR'),
      default: (context) => context.dataDir,
      defaultText: "the platform's application-data folder + headframe",
      help: 'Folder of the chain, the keystore, the logs and the config file.',
      since: '0.1.0',
      applies: 'process',
      notInFile: true,
    }),
    configFile: option({
      flag: 'config',
      type: path('file', 'FILE'),
      default: (context) => context.join(context.dataDir, 'config.toml'),
      defaultText: 'config.toml in the data directory',
      help: 'Config file in TOML; the keys are those of the reference page.',
      since: '0.1.0',
      applies: 'process',
      notInFile: true,
    }),
    readyFile: option({
      flag: 'ready-file',
      type: path('file', 'FILE'),
      default: () => null,
      help: 'File that is written once everything listens and tells where; - prints it as one line instead.',
      since: '0.1.0',
      applies: 'process',
      notInFile: true,
    }),
    logLevel: option({
      flag: 'log.level',
      type: choice(LOG_LEVELS),
      default: () => 'info',
      help: 'Least important lines that are still logged.',
      since: '0.1.0',
      applies: 'process',
    }),
    logJson: option({
      flag: 'log.json',
      type: flag(),
      default: () => false,
      help: 'Log one JSON object a line to standard error.',
      since: '0.1.0',
      applies: 'process',
    }),
    headless: option({
      flag: 'headless',
      type: flag(),
      default: () => false,
      help: 'No window; the dashboard is served to the browser.',
      since: '0.1.0',
      applies: 'process',
    }),
    network: option({
      flag: 'network',
      aliases: [
        { flag: 'practice', means: 'practice' },
        { flag: 'mainnet', means: 'main' },
        { flag: 'testnet', means: 'test' },
      ],
      type: choice(NETWORKS),
      default: () => 'practice',
      help: 'The chain: practice is a private one of this computer, where nothing is at stake.',
      since: '0.1.0',
      applies: 'process',
    }),
  },
})
