// Options of alerts: who is told about incidents while nobody looks at a page.

import { option, section } from '../schema'
import { alertList } from '../values/alert-sink'
import { quietHours } from '../values/quiet-hours'
import { integer } from '../values/value-types'

export const alertsSection = section({
  name: 'alerts',
  title: 'Alerts',
  commands: ['run', 'node', 'miner'],
  options: {
    to: option({
      flag: 'alert',
      type: alertList(),
      default: () => [],
      defaultText: 'none',
      help: 'Where incidents are reported: https:// (webhook), ntfy://, telegram://, smtps:// or command:/FILE; repeatable.',
      since: '0.1.0',
      applies: 'service',
      danger:
        'Other users of this computer can read the command line; prefer the config file for tokens and passwords.',
    }),
    quietHours: option({
      flag: 'alert-quiet-hours',
      type: quietHours(),
      default: () => null,
      help: 'Quiet hours of alerts, local time: only problems are sent.',
      since: '0.1.0',
      applies: 'service',
    }),
    repeatMinutes: option({
      flag: 'alert-repeat',
      type: integer(0, 10_080, 'MINUTES'),
      default: () => 240,
      unit: 'min',
      help: 'Send an incident again after this long while nobody acknowledges it; 0 = never.',
      since: '0.1.0',
      applies: 'service',
    }),
    escalateMinutes: option({
      flag: 'alert-escalate',
      type: integer(0, 10_080, 'MINUTES'),
      default: () => 30,
      unit: 'min',
      help: 'Send a problem to every address, those with #escalation too, once nobody acknowledged it for this long; 0 = never.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})
