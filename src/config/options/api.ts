// Options of the control and monitoring port, which also serves the dashboard.

import { type DefaultContext, option, section } from '../schema'
import { type BindAddress, bindAddress } from '../values/network-address'
import { hostNames, integer, path, toggle, token } from '../values/value-types'

/** The control port's default address. */
const DEFAULT_BIND: BindAddress = { host: '127.0.0.1', port: 3333, readOnly: false }

/** A program without a window serves its UI; the practice network opens everything, so that newcomers can try it. */
function opensByDefault({ command, network, headless }: DefaultContext): boolean {
  return command === 'signer' || (command === 'run' && (headless || network === 'practice'))
}

export const apiSection = section({
  name: 'api',
  title: 'Control port',
  commands: ['run', 'node', 'miner', 'signer'],
  options: {
    bind: option({
      flag: 'api-bind',
      type: bindAddress(),
      default: (context) => (opensByDefault(context) ? DEFAULT_BIND : 'off'),
      defaultText: '127.0.0.1:3333 for run (headless, or on the practice network) and signer, else off',
      help: 'Address of the control port: dashboard, mining API, control calls and /metrics; off = none.',
    }),
    legacyPort: option({
      flag: 'api-port',
      type: integer(-65_535, 65_535, 'PORT'),
      help: 'Short for --api-bind 127.0.0.1:PORT, always read-only.',
    }),
    token: option({
      flag: 'api-token',
      aliases: [{ flag: 'api-password' }],
      type: token(),
      help: 'Token that every request to the control port must carry.',
      secret: true,
      danger: 'Other users of this computer can read the command line; prefer --api-token-file.',
    }),
    tokenFile: option({
      flag: 'api-token-file',
      type: path('file', 'FILE'),
      help: 'File with that token on its only line.',
    }),
    allowControl: toggle({
      flag: 'api-allow-control',
      help: 'Allow the control port to pause, resume and restart devices.',
      danger: 'Without a token, every program on this computer can do so.',
    }),
    hosts: option({
      flag: 'api-host',
      type: hostNames(false),
      default: (): readonly string[] => [],
      help: 'Additional host name for the control port; repeatable.',
    }),
  },
})
