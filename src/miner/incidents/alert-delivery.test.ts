// Each kind of place, with a real receiver on this computer.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type AlertSink, parseAlertSink } from '../../config/values/alert-sink'
import { type AlertMessage, type DeliveryDeps, deliver } from './alert-delivery'
import type { Incident } from './incident'

const incident: Incident = {
  id: 'device-silent 0 1',
  condition: 'device-silent 0',
  cause: 'device-silent',
  level: 'problem',
  devices: [{ index: 0, name: 'RTX 3070' }],
  pool: '',
  rig: '',
  values: { index: 0 },
  since: 1_700_000_000_000,
  lastAt: 1_700_000_000_000,
  until: null,
  hashes: 5e9,
  micro: 310_000,
  actions: [],
  acknowledgedAt: null,
  alerts: [],
}
const message: AlertMessage = {
  event: 'began',
  rig: 'rig01',
  network: 'main',
  at: 1_700_000_060_000,
  title: 'rig01: Gerät 0 antwortet nicht',
  text: 'Device 0 doesn’t respond (since …)\n第二行',
  isUrgent: true,
  incidents: [incident],
}
const deps: DeliveryDeps = { agent: 'headframe/1', environment: { PATH: process.env.PATH } }

const sinkOf = (text: string): AlertSink => {
  const outcome = parseAlertSink(text)
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome.sink
}

const faultOf = async (sink: AlertSink): Promise<string> => (await deliver(sink, message, deps)).fault

const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const step of cleanUp.splice(0)) step()
})

interface Heard {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

async function listening(server: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.push(() => server.close())
  return (server.address() as AddressInfo).port
}

async function receiver(status = 200, answer = '{"ok":true}') {
  const heard: Heard[] = []
  const port = await listening(
    createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (part: string) => {
        body += part
      })
      request.on('end', () => {
        heard.push({ path: request.url ?? '', headers: request.headers, body })
        response.writeHead(status).end(answer)
      })
    }),
  )
  return { port, heard }
}

describe('a message', () => {
  it('reaches a webhook as JSON, without what is after #', async () => {
    const { port, heard } = await receiver()
    expect(await faultOf(sinkOf(`http://127.0.0.1:${port}/hook?key=SECRET#level=problem`))).toBe('')
    expect(heard[0]?.path).toBe('/hook?key=SECRET')
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
      program: 'headframe',
      format: 1,
      event: 'incident.began',
      rig: 'rig01',
      network: 'main',
      incidents: [
        {
          cause: 'device-silent',
          kind: 'fault',
          level: 'problem',
          lax: 0.31,
          until: null,
          text: "Device 0 doesn't respond",
        },
      ],
    })
  })

  it('reaches an ntfy topic, with its token', async () => {
    const { port, heard } = await receiver()
    expect(await faultOf(sinkOf(`ntfy+http://tk_abc@127.0.0.1:${port}/my-rigs`))).toBe('')
    expect(heard[0]?.headers.authorization).toBe('Bearer tk_abc')
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
      topic: 'my-rigs',
      title: message.title,
      message: message.text,
      priority: 4,
    })
  })

  it('reaches a Telegram chat', async () => {
    const { port, heard } = await receiver()
    const sink = sinkOf(`telegram://123456:AAEabcdefghijklmnopqrstuvwx@-100200?server=http://127.0.0.1:${port}`)
    expect(await faultOf(sink)).toBe('')
    expect(heard[0]?.path).toBe('/bot123456:AAEabcdefghijklmnopqrstuvwx/sendMessage')
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
      chat_id: '-100200',
      text: `${message.title}\n${message.text}`,
    })
  })

  /** A mail server that knows no one but `me@b.example`. @returns its port, and what it hears */
  const mailServer = async (): Promise<{ port: number; lines: string[] }> => {
    const lines: string[] = []
    const port = await listening(
      createSocketServer((socket) => {
        let [rest, isData] = ['', false]
        const answer = (line: string): string | null => {
          if (isData) {
            isData = line !== '.'
            return isData ? null : '250 queued'
          }
          if (line === 'DATA') {
            isData = true
            return '354 go ahead'
          }
          if (line.startsWith('RCPT') && !line.includes('<me@b.example>')) return '550 no such user'
          return line === 'QUIT' ? '221 bye' : '250 ok'
        }
        socket.write('220 test ESMTP\r\n')
        socket.setEncoding('utf8')
        socket.on('data', (part: string) => {
          const all = (rest + part).split('\r\n')
          rest = all.pop() ?? ''
          for (const line of all) {
            lines.push(line)
            const reply = answer(line)
            if (reply !== null) socket.write(`${reply}\r\n`)
          }
        })
        socket.on('error', () => undefined)
      }),
    )
    return { port, lines }
  }

  it('reaches a mail server', async () => {
    const { port, lines } = await mailServer()
    expect(await faultOf(sinkOf(`smtp://127.0.0.1:${port}/?from=rig@a.example&to=me@b.example`))).toBe('')
    expect(lines).toContain('MAIL FROM:<rig@a.example>')
    expect(lines).toContain('RCPT TO:<me@b.example>')
    expect(lines.find((line) => line.startsWith('Subject:'))).toContain('=?UTF-8?')
  })

  it('says whom a mail server refused, though it took the mail for others', async () => {
    const { port, lines } = await mailServer()
    const sink = sinkOf(`smtp://127.0.0.1:${port}/?from=rig@a.example&to=me@b.example,she@b.example`)
    const fault = 'the mail server refused she@b.example'
    expect(await deliver(sink, message, deps)).toEqual({ fault, hasArrived: true })
    expect(lines).toContain('DATA')
  })

  it('never sends a mail password in the clear', async () => {
    const heard: string[] = []
    const port = await listening(
      createSocketServer((socket) => {
        socket.write('220 test ESMTP\r\n')
        socket.setEncoding('utf8')
        socket.on('data', (part: string) => {
          heard.push(part)
          socket.write('250-test\r\n250 AUTH PLAIN LOGIN\r\n')
        })
        socket.on('error', () => undefined)
      }),
    )
    const fault = await faultOf(sinkOf(`smtp://me:SECRET@127.0.0.1:${port}/?from=a@b.example&to=c@d.example`))
    expect(fault).not.toBe('')
    expect(heard.join('')).not.toMatch(/AUTH|U0VDUkVU|SECRET/)
  })

  it('runs a command, which reads the same JSON', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headframe-alert-'))
    cleanUp.push(() => rmSync(folder, { recursive: true }))
    const [file, out] = [join(folder, 'alert'), join(folder, 'out')]
    writeFileSync(file, `#!/bin/sh\nprintf '%s|%s|' "$1" "$2" > ${out}\ncat >> ${out}\n`, { mode: 0o700 })
    expect(await faultOf(sinkOf(`command:${file}`))).toBe('')
    const [event, text, json = ''] = readFileSync(out, 'utf8').split('|')
    expect([event, text]).toEqual(['began', message.text])
    expect(JSON.parse(json)).toMatchObject({ event: 'incident.began' })
  })
})

describe('a message that fails says why, without secrets', () => {
  it.each([
    [404, 'no such hook', 'HTTP 404: no such hook'],
    [500, `token SECRETSECRETSECRETSECRET ${'x'.repeat(9_000)}`, 'HTTP 500: token ***'],
    [302, '', 'HTTP 302:'],
  ])('status %i', async (status, answer, fault) => {
    const { port } = await receiver(status, answer)
    const sink = sinkOf(`ntfy+http://SECRETSECRETSECRETSECRET@127.0.0.1:${port}/t0pic`)
    const said = await faultOf(sink)
    expect(said.startsWith(fault.trim())).toBe(true)
    expect(said.length).toBeLessThanOrEqual(200)
  })

  it('nobody listening', async () => {
    const { port } = await receiver()
    for (const step of cleanUp.splice(0)) step()
    expect(await faultOf(sinkOf(`http://127.0.0.1:${port}/SECRET`))).toContain('ECONNREFUSED')
  })

  it('a command that fails, and one that is not there', async () => {
    expect(await faultOf(sinkOf('command:/bin/false'))).toBe('the command exited with 1')
    expect(await faultOf(sinkOf('command:/nowhere/at-all'))).toContain('ENOENT')
  })
})
