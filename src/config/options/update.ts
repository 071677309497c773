// Options of updates. No host is contacted unless the user configured where and how often.
import { option, section } from '../schema'
import { choice, httpsAddress, path } from '../values/value-types'

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
      since: '0.1.0',
      applies: 'process',
    }),
    url: option({
      flag: 'update.url',
      type: httpsAddress(),
      default: () => null,
      help: "Address of the release's signed update.json; its packages are in the same place.",
      since: '0.1.0',
      applies: 'process',
    }),
    keyFile: option({
      flag: 'update.key',
      type: path('file', 'FILE'),
      default: () => null,
      help: 'Public key (minisign) to trust instead of the built-in release keys.',
      since: '0.1.0',
      applies: 'process',
      notInFile: true,
    }),
  },
})
