// Options of the program as a whole.
import { LOG_LEVELS } from '../../base/logger'
import { COMMANDS, NETWORKS, option, section, XHASH_MODES } from '../schema'
import { choice, flag, httpsAddress, integer, path, toggle } from '../values/value-types'

export const updateSection = section({
  name: 'update',
  title: 'Updates',
  commands: ['run', 'node', 'miner', 'signer', 'update'],
  options: {
    check: option({
      flag: 'update.check',
      type: choice(['manual', 'daily', 'never']),
      default: () => 'manual',
      help: 'When to look for a newer version: manual = when you ask, daily = once a day, never = no network access.',
      applies: 'process',
    }),
    url: option({
      flag: 'update.url',
      type: httpsAddress(),
      help: "Address of the release's signed update.json; its packages are in the same place.",
      applies: 'process',
    }),
    keyFile: option({
      flag: 'update.key',
      type: path('file', 'FILE'),
      help: 'Public key (minisign) to trust instead of the built-in release keys.',
      applies: 'process',
      notInFile: true,
    }),
  },
})

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
      help: 'Folder for the chain, keystore, logs and config file.',
      applies: 'process',
      notInFile: true,
    }),
    configFile: option({
      flag: 'config',
      type: path('file', 'FILE'),
      default: (context) => context.join(context.dataDir, 'config.toml'),
      defaultText: 'config.toml in the data directory',
      help: 'Config file (TOML); the keys are listed in the options reference.',
      applies: 'process',
      notInFile: true,
    }),
    readyFile: option({
      flag: 'ready-file',
      type: path('file', 'FILE'),
      help: 'File to write, with all addresses, once everything is listening; - prints one line instead.',
      applies: 'process',
      notInFile: true,
    }),
    logLevel: option({
      flag: 'log.level',
      type: choice(LOG_LEVELS),
      default: () => 'info',
      help: 'Minimum log level.',
      applies: 'live',
    }),
    logJson: toggle({
      flag: 'log.json',
      help: 'Log JSON to standard error, one object per line.',
      applies: 'process',
    }),
    logFileSize: option({
      flag: 'log.filesize',
      type: integer(1, 1_000, 'MIB'),
      default: () => 10,
      unit: 'MiB',
      help: 'Log file size at which a new file is started.',
      applies: 'process',
    }),
    logFiles: option({
      flag: 'log.files',
      type: integer(1, 100),
      default: () => 3,
      help: 'Log files to keep, the current one included.',
      applies: 'process',
    }),
    headless: toggle({
      flag: 'headless',
      help: 'Run without a window; open the dashboard in a browser.',
      applies: 'process',
    }),
    welcome: option({
      flag: 'welcome',
      type: flag(),
      default: () => true,
      help: 'Offer the setup steps in the window; turned off when they are finished.',
      applies: 'live',
    }),
    network: option({
      flag: 'network',
      aliases: [
        { flag: 'practice', means: 'practice' },
        { flag: 'mainnet', means: 'main' },
        { flag: 'testnet', means: 'test' },
      ],
      type: choice(NETWORKS),
      default: (context) => context.network,
      defaultText:
        'custom with --genesis or after headframe init; main for miner, and for signer without --datadir; else practice',
      help: 'Network to use; practice is a private chain on this computer with nothing at stake.',
      applies: 'process',
    }),
    genesis: option({
      flag: 'genesis',
      type: path('file', 'FILE'),
      help: 'Genesis file (JSON) of a custom network; kept in the data folder for later starts.',
      applies: 'process',
    }),
    networkId: option({
      flag: 'networkid',
      type: integer(1, Number.MAX_SAFE_INTEGER),
      defaultText: "the network's own; of a custom one its chain id",
      help: 'Network id of a custom network.',
      applies: 'process',
    }),
    xhashMode: option({
      flag: 'xhash.mode',
      type: choice(XHASH_MODES),
      defaultText: 'full on a new custom network, later the one that it was made with',
      help: 'Proof-of-work sizes on a custom network; test uses 1,024 and 32,768 bytes in every epoch.',
      applies: 'process',
    }),
  },
})
