// Options of the stratum port, which serves your node's work to your other rigs.

import { option, section } from '../schema'
import { listenAddress } from '../values/network-address'
import { networkList } from '../values/p2p-values'
import { path, token } from '../values/value-types'

export const stratumSection = section({
  name: 'stratum',
  title: 'Stratum for your rigs',
  commands: ['run', 'node'],
  options: {
    bind: option({
      flag: 'stratum-bind',
      type: listenAddress(),
      default: () => 'off',
      help: 'Address at which your other rigs mine for your node over stratum; off = none.',
      since: '0.1.0',
      applies: 'service',
    }),
    token: option({
      flag: 'stratum-token',
      type: token(),
      default: () => null,
      help: 'Password that every rig must log in with.',
      since: '0.1.0',
      applies: 'service',
      secret: true,
      danger: 'Other users of this computer can read the command line; prefer --stratum-token-file.',
    }),
    tokenFile: option({
      flag: 'stratum-token-file',
      type: path('file', 'FILE'),
      default: () => null,
      help: 'File with that password on its only line.',
      since: '0.1.0',
      applies: 'service',
    }),
    allow: option({
      flag: 'stratum-allow',
      type: networkList(),
      default: (): readonly string[] => [],
      defaultText: 'all',
      help: 'Networks whose rigs may connect, for example 192.168.1.0/24.',
      since: '0.1.0',
      applies: 'service',
    }),
    certificateFile: option({
      flag: 'stratum-cert-file',
      type: path('file', 'FILE'),
      default: () => null,
      help: 'PEM certificate: the stratum port then speaks TLS only.',
      since: '0.1.0',
      applies: 'service',
    }),
    keyFile: option({
      flag: 'stratum-key-file',
      type: path('file', 'FILE'),
      default: () => null,
      help: 'PEM private key of that certificate.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})
