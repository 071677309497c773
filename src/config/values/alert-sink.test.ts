import { expect, it } from 'vitest'
import { alertList, parseAlertSink } from './alert-sink'

const TOKEN = '123456:AAEabcdefghijklmnopqrstuvwx'

it.each([
  [
    'https://hooks.example/x?y=SECRET',
    { kind: 'webhook', name: 'hooks.example', level: 'attention', isEscalation: false },
  ],
  ['http://127.0.0.1:9/x#level=problem', { kind: 'webhook', name: '127.0.0.1:9', level: 'problem' }],
  ['https://hooks.example/#escalation,level=problem', { isEscalation: true, level: 'problem' }],
  ['ntfy://ntfy.example/rigs', { kind: 'ntfy', server: 'https://ntfy.example', authorization: null }],
  [
    'NTFY://tk_SECRET@ntfy.example:8443/rigs',
    { kind: 'ntfy', server: 'https://ntfy.example:8443', name: 'ntfy.example:8443' },
  ],
  [`telegram://${TOKEN}@-100200`, { kind: 'telegram', chat: '-100200', server: 'https://api.telegram.org' }],
  [`telegram://${TOKEN}@my_channel`, { kind: 'telegram', chat: '@my_channel' }],
  [
    'smtps://u%40x:p%3A@mail.example/?from=a@b.c&to=d@e.f,g@h.i',
    { kind: 'email', port: 465, secure: true, user: 'u@x', to: 'd@e.f,g@h.i' },
  ],
  [
    'smtp://mail.example:2525/?from=a@b.c&to=d@e.f',
    { kind: 'email', port: 2525, secure: false, user: '', password: null },
  ],
  ['smtp://mail.example/?from=a@b.c&to=d@e.f&to=g@h.i', { kind: 'email', to: 'd@e.f,g@h.i' }],
  ['smtp://[::1]/?from=a@b.c&to=d@e.f', { kind: 'email', host: '::1', port: 587 }],
  ['command:/usr/local/bin/alert', { kind: 'command', file: '/usr/local/bin/alert', name: 'alert' }],
  ['command:C:\\tools\\alert.exe', { kind: 'command', name: 'alert.exe' }],
])('reads %s', (text, want) => {
  expect(parseAlertSink(text)).toMatchObject({ sink: want })
})

it.each([
  'hooks.example',
  'ftp://x.example/',
  'constructor:x',
  'https://',
  'https://x.example/#level=low',
  'https://x.example/#loud',
  'ntfy://ntfy.example/',
  'ntfy://ntfy.example/a/b',
  'ntfy://ntfy.example/a?priority=SECRET',
  'telegram://@chat',
  `telegram://${TOKEN}`,
  'smtp://mail.example/',
  'smtp://mail.example/?from=a@b.c&to=nobody',
  'smtp://mail.example/?from=a@b.c&to=d@e.f&starttls=required',
  'smtp://mail.example/?from=a@b.c&from=x@y.z&to=d@e.f',
  'smtp://SECRET:SECRET@/?from=a@b.c&to=d@e.f',
  'command:alert.sh',
  `https://x.example/${'SECRET'.repeat(400)}`,
])('refuses %s, and repeats nothing of it', (text) => {
  const outcome = parseAlertSink(text)
  expect('fault' in outcome && outcome.fault !== '' && !outcome.fault.includes('SECRET')).toBe(true)
})

it('shows addresses without their secrets', () => {
  const type = alertList()
  const list = type.parse(`https://hooks.example/SECRET ntfy://SECRET@n.example/SECRET telegram://${TOKEN}@-1002003`)
  expect(list).not.toBeNull()
  expect(type.format(list ?? [])).toBe('webhook hooks.example ntfy n.example telegram -1002003')
  expect(JSON.stringify(list)).not.toContain('SECRET')
  expect(type.parse('https://ok.example/ nonsense')).toBeNull()
})
