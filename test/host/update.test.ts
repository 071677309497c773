// Updates over real HTTP, from a host that lies, stalls, cuts off and replays, and from a USB stick.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { updateCalls } from '../../src/host/ui/app-handlers'
import { PACKAGE_KINDS } from '../../src/host/update/own-package'
import { signer } from './release-key'
import {
  answers,
  asked,
  base,
  expectNothingKept,
  hostForEachTest,
  isLinux,
  LATER,
  lookAndFetch,
  maker,
  NAME,
  release,
  right,
  signal,
  updates,
  wrong,
} from './update-host'

hostForEachTest()

it.each([
  ['0.2.0', '0.2.0'],
  ['1.0.0-rc.1', '1.0.0~rc.1'],
])('is described for every kind of package in release %s', (version, debian) => {
  const names = [
    `headframe-${version}-linux-x64.tar.gz`,
    `headframe-server-${version}-linux-x64.tar.gz`,
    `headframe_${debian}_amd64.deb`,
    `headframe-server_${debian}_amd64.deb`,
    `headframe-${debian}-1.x86_64.rpm`,
    `headframe-server-${debian}-1.x86_64.rpm`,
    `headframe-${version}-linux-x64.AppImage`,
    `headframe-${version}-windows-x64.zip`,
    `headframe-${version}-windows-x64-setup.exe`,
  ]
  for (const name of [...names, `headframe-${version}.cdx.json`]) writeFileSync(join(base, name), 'x')
  const notice = maker.updateNotice({ version, folder: base, names, changelog: '' })
  const { files } = z
    .object({ files: z.array(z.object({ kind: z.string(), system: z.string(), name: z.string() })) })
    .parse(JSON.parse(notice))

  expect(files.map(({ kind }) => kind).sort()).toEqual([...PACKAGE_KINDS].sort())
  expect(files.map(({ name }) => name)).toEqual(names)
  for (const { system, name } of files) expect(system, name).toBe(/windows/.test(name) ? 'win32-x64' : 'linux-x64')
})

describe.skipIf(!isLinux)('an update', () => {
  it('is found, downloaded and verified, and says what changed', async () => {
    release()
    const made = updates()

    const notice = await made.look(signal)

    expect(notice).toMatchObject({ version: '0.2.0', changes: ['One thing, on two lines.', 'Another.'] })
    expect(await lookAndFetch(made)).toBe('0.2.0')
    expect(made.waiting).toMatchObject({ version: '0.2.0', file: NAME, older: false })
    expect(made.failure).toBe('')
  })

  it('is found, downloaded and discarded from the window, and only a start installs it', async () => {
    release()
    const made = updates()
    const calls = updateCalls(made, { control: true, approve: false, canSignIn: false, isHere: true })
    expect(() => calls['app.updateFetch']({}, signal)).toThrow('check for updates first')

    const looked = await calls['app.updateLook']({}, signal)
    expect(looked).toMatchObject({ running: '0.1.0', found: { version: '0.2.0' }, waiting: null, work: null })
    void calls['app.updateFetch']({}, signal)
    expect(await calls['app.updates']({}, signal)).toMatchObject({ work: { kind: 'fetch' } })
    await expect.poll(() => made.work, { timeout: 240_000 }).toBeNull()

    expect(await calls['app.updates']({}, signal)).toMatchObject({
      waiting: { version: '0.2.0' },
      isAutomatic: true,
      failure: '',
    })
    void calls['app.updateForget']({}, signal)
    expect(await calls['app.updates']({}, signal)).toMatchObject({ waiting: null })
    expect(
      updateCalls(made, { control: true, approve: false, canSignIn: false })['app.updates']({}, signal),
    ).toMatchObject({
      folder: null,
    })
    await made.stop()
  })

  it("says in the window why it wasn't downloaded", async () => {
    release()
    const made = updates()
    const calls = updateCalls(made, { control: true, approve: false, canSignIn: false })
    await calls['app.updateLook']({}, signal)
    answers[NAME] = Buffer.from('something else')

    void calls['app.updateFetch']({}, signal)
    await expect.poll(() => made.work, { timeout: 240_000 }).toBeNull()

    const { failure, waiting } = await calls['app.updates']({}, signal)
    expect(waiting).toBeNull()
    expect(failure).toContain(NAME)
    await made.stop()
  })

  it("isn't searched for if that is switched off, or no address is known", async () => {
    release()
    await expect(updates({ check: 'never' }).look(signal)).rejects.toMatchObject({ code: 'HOST_UPDATE_OFF' })
    await expect(updates({ url: null }).look(signal)).rejects.toMatchObject({ code: 'HOST_UPDATE_NO_ADDRESS' })
    for (const check of ['never', 'manual'] as const) {
      const made = updates({ check })
      await made.start()
      await made.stop()
    }
    expect(asked).toEqual([])
  })

  it('is searched for once a day if requested, whatever the clock does', async () => {
    release()
    const clock = new FakeClock()
    const made = updates({ check: 'daily' }, clock)
    const looks = () => asked.filter((name) => name === 'update.json').length

    await made.start()
    await expect.poll(() => made.found?.version, { timeout: 240_000 }).toBe('0.2.0')
    clock.advance(23 * 3_600_000)
    expect(looks()).toBe(1)
    clock.advance(2 * 3_600_000)
    await expect.poll(looks, { timeout: 240_000 }).toBe(2)
    await made.stop()
  })

  it("of the same or an older version doesn't count", async () => {
    for (const version of ['0.1.0', '0.0.9']) {
      release(version, { seconds: LATER + 1 })
      expect(await lookAndFetch()).toBe('nothing newer')
    }
    expectNothingKept()
  })

  it('replayed by a host that withholds newer ones is rejected, also after a restart', async () => {
    release('0.3.0', { seconds: LATER + 100 })
    await updates().look(signal)
    release('0.2.0')
    await expect(updates().look(signal)).rejects.toMatchObject({ code: 'HOST_UPDATE_REPLAYED' })
  })

  it.each([
    ['cut off', (file: string) => truncateSync(file, 5)],
    [
      'a folder',
      (file: string) => {
        rmSync(file)
        mkdirSync(file)
      },
    ],
  ])('replayed after its record was lost is rejected until someone deletes the record: %s', async (_what, damage) => {
    const file = join(base, 'data', 'update.json')
    release('0.3.0', { seconds: LATER + 100 })
    await updates().look(signal)
    damage(file)
    release('0.2.0')
    const made = updates({ check: 'daily' }, new FakeClock())
    asked.length = 0

    await made.start()
    await expect.poll(() => made.failure, { timeout: 240_000 }).toContain(`${file} can't be used`)
    await made.stop()
    expect(made.lookedAt).toBe(0)
    await expect(updates().look(signal)).rejects.toMatchObject({ code: 'HOST_UPDATE_RECORD' })
    expect(asked).toEqual([])
    rmSync(file, { recursive: true })
    expect(await lookAndFetch()).toBe('0.2.0')
  })

  const notFound = (answer: ServerResponse): void => void answer.writeHead(500).end()
  const half = (whole: Buffer) => (answer: ServerResponse) => {
    answer.writeHead(200, { 'content-length': whole.length })
    answer.write(whole.subarray(0, whole.length / 2), () => answer.destroy())
  }
  const endless = (answer: ServerResponse): void => {
    answer.writeHead(200)
    const more = (): void => void answer.write(Buffer.alloc(65_536), (error) => error ?? setImmediate(more))
    more()
  }
  const part = (name: string): Buffer => answers[name] as Buffer
  it.each<[string, () => void, string | RegExp]>([
    ['has no description', () => delete answers['update.json'], 'it answered 404'],
    ['has no signature', () => delete answers['update.json.minisig'], 'it answered 404'],
    ['fails', () => (answers['update.json'] = notFound), 'it answered 500'],
    ['is signed by another key of the same id', () => release('0.2.0', { key: wrong }), /changed after key/],
    ['was changed', () => (answers['update.json'] = Buffer.from(`${part('update.json')} `)), /changed after key/],
    [
      'describes itself by another signed file',
      () => {
        answers['update.json'] = part('SHA256SUMS')
        answers['update.json.minisig'] = part('SHA256SUMS.minisig')
      },
      'another file was signed',
    ],
    ['is cut off in its description', () => (answers['update.json'] = half(part('update.json'))), 'cut off'],
    ['has an endless description', () => (answers['update.json'] = endless), 'more than the 65536 bytes'],
    ['has an endless signature', () => (answers['update.json.minisig'] = endless), 'more than the 1024 bytes'],
    ['is cut off in its package', () => (answers[NAME] = half(part(NAME))), 'cut off'],
    ['has an endless package', () => (answers[NAME] = endless), 'bytes that were announced'],
    [
      'has another package of the same length',
      () => (answers[NAME] = Buffer.alloc(part(NAME).length, 7)),
      'not the file that was released',
    ],
    ['has a shorter package', () => (answers[NAME] = part(NAME).subarray(1)), 'not the file that was released'],
    ['has no sums', () => delete answers.SHA256SUMS, 'it answered 404'],
    [
      'redirects for ever',
      () => (answers['update.json'] = (answer) => void answer.writeHead(302, { location: '/update.json' }).end()),
      'redirected more than 3 times',
    ],
    [
      'redirects into a file',
      () => (answers['update.json'] = (answer) => void answer.writeHead(302, { location: 'file:///etc/passwd' }).end()),
      'not encrypted',
    ],
  ])('from a host that %s is rejected, and nothing is left of it', async (_what, spoil, reason) => {
    release()
    spoil()
    await expect(lookAndFetch()).rejects.toThrow(reason)
    expectNothingKept()
  })

  it('of another version than announced is rejected', async () => {
    release('0.2.5')
    const package25 = { ...answers }
    release('0.3.0')
    for (const name of [NAME, 'SHA256SUMS', 'SHA256SUMS.minisig']) answers[name] = package25[name] as Buffer
    const notice = JSON.parse((answers['update.json'] as Buffer).toString('utf8')) as { files: { bytes: number }[] }
    for (const file of notice.files) file.bytes = (answers[NAME] as Buffer).length
    const bytes = Buffer.from(JSON.stringify(notice))
    answers['update.json'] = bytes
    answers['update.json.minisig'] = Buffer.from(
      signer.signatureText(bytes, { key: right, comment: maker.updateComment(LATER) }),
    )
    await expect(lookAndFetch()).rejects.toMatchObject({ code: 'HOST_UPDATE_OTHER_VERSION' })
    expectNothingKept()
  })

  it('from a host that goes silent, or trickles, is aborted', async () => {
    release()
    const clock = new FakeClock()
    let heard: () => void = () => undefined
    const reached = new Promise<void>((done) => (heard = done))
    answers['update.json'] = (answer) => {
      answer.writeHead(200)
      answer.write('{', () => heard())
    }
    const silent = updates({}, clock).look(signal)
    const refused = expect(silent).rejects.toThrow(/nothing for 30 s|not complete within/)
    await reached
    // Until it has aborted: the answer's first byte may still be on its way when the clock advances.
    const turn = setInterval(() => clock.advance(31_000), 20)
    await refused
    clearInterval(turn)
    expectNothingKept()
  })

  it('ends with the program', async () => {
    release()
    const end = new AbortController()
    answers['update.json'] = () => end.abort(new Error('the program ends'))
    await expect(updates().look(end.signal)).rejects.toThrow('the program ends')
  })
})

describe.skipIf(!isLinux)('a package on a USB stick', () => {
  const stick = (): string => join(base, 'stick')
  const file = (): string => join(stick(), NAME)
  beforeEach(() => {
    release()
    mkdirSync(stick())
    for (const name of [NAME, 'SHA256SUMS', 'SHA256SUMS.minisig'])
      writeFileSync(join(stick(), name), answers[name] as Buffer)
  })

  it('is installed without a network, even if updates are switched off', async () => {
    expect(await updates({ check: 'never', url: null }).takeFrom(file(), false)).toMatchObject({ version: '0.2.0' })
    expect(asked).toEqual([])
  })

  it("that isn't newer needs confirmation", async () => {
    const newer = updates({ running: '0.2.0' })
    await expect(newer.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_UPDATE_NOT_NEWER' })
    const newest = updates({ running: '0.3.0' })
    await expect(newest.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_RELEASE_OLD' })
    expectNothingKept()
    expect(await newest.takeFrom(file(), true)).toMatchObject({ version: '0.2.0', older: true })
  })

  it('that was changed, or lacks its sums, is rejected; a waiting one remains', async () => {
    const made = updates()
    await made.takeFrom(file(), false)
    writeFileSync(file(), 'another one')
    await expect(made.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_RELEASE_CHANGED' })
    rmSync(join(stick(), 'SHA256SUMS'))
    await expect(made.takeFrom(file(), false)).rejects.toMatchObject({ code: 'HOST_RELEASE_FILE' })
    expect(made.waiting?.version).toBe('0.2.0')
    made.forget()
    expectNothingKept()
  })

  it("that waits and can't be read is said, not taken for none", async () => {
    const made = updates()
    await made.takeFrom(file(), false)
    writeFileSync(join(made.folder, 'waiting.json'), '{')

    expect(() => made.waiting).toThrow('headframe update --forget')
    expect(
      updateCalls(made, { control: true, approve: false, canSignIn: false })['app.updates']({}, signal),
    ).toMatchObject({ waiting: null, failure: expect.stringContaining('cannot be read') })
    made.forget()
    expect(made.waiting).toBeNull()
  })

  it.each<[string, () => void, RegExp]>([
    ['a link', () => symlinkSync('/dev/zero', emptied(file())), /link: name the file itself/],
    ['a pipe that nobody writes to', () => spawnSync('mkfifo', [emptied(file())]), /not a file/],
    ['larger than any package', () => truncateTo(file(), 2 ** 30 + 1), /more than the 1073741824/],
    ['beside sums without end', () => truncateTo(join(stick(), 'SHA256SUMS'), 2 ** 40), /more than the 65536/],
  ])("that is %s isn't copied", async (_what, place, reason) => {
    place()
    await expect(updates().takeFrom(file(), false)).rejects.toMatchObject({
      code: 'HOST_RELEASE_FILE',
      message: expect.stringMatching(reason),
    })
    expectNothingKept()
  })
})

/** A path where nothing exists anymore. */
function emptied(path: string): string {
  rmSync(path)
  return path
}

/** A sparse file. */
function truncateTo(path: string, bytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, bytes)
}
