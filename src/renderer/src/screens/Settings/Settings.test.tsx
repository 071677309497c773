// The settings form: built from the available options, changed only on purpose, refused with reasons.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import { CATALOG } from '../../../../config/catalog'
import { createFormatter } from '../../format/formatter'
import { createLanguage } from '../../i18n/text'
import chinese from '../../i18n/texts/zh.json'
import { fill, open } from '../../testing/open-app'
import { anInfo } from '../../testing/scripted-values'
import { anOption, cpu, field, press, withOptions, written } from '../../testing/settings-form'
import { acceptedText } from './OptionField'
import { groupsOf, pages } from './option-pages'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './Settings'

afterEach(cleanup)

describe('the settings', () => {
  it('have a section for each section of options, and the file that is written', async () => {
    await open('/settings/miner', withOptions(anOption()))

    expect(await screen.findByText('/d/config.toml')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Mining', current: 'page' }).getAttribute('href')).toBe('#/settings/mining')
    const option = await field('miner.cpuThreads')
    expect(option.getByRole('textbox', { name: 'CPU mining threads' })).toBeTruthy()
    expect(option.getByText('1 to 256 · Takes effect after a restart (miner)')).toBeTruthy()
  })

  it('write changes when saved, and nothing before', async () => {
    const { backend } = await open('/settings/miner', withOptions(anOption(), cpu))
    const text = (await field('miner.cpuThreads')).getByRole('textbox')

    fireEvent.change(text, { target: { value: '4' } })
    fireEvent.click((await field('miner.cpu')).getByRole('checkbox'))
    expect(written(backend)).toEqual([])
    expect(screen.getByTestId('save-bar').textContent).toContain('2 unsaved changes')
    await press(screen.getByTestId('options-save'))

    expect(written(backend)).toEqual([
      { key: 'miner.cpuThreads', value: '4' },
      { key: 'miner.cpu', value: 'false' },
    ])
    expect(screen.getByTestId('options-saved').textContent).toContain('Saved 2 changes')
    expect(screen.queryByTestId('options-save')).toBeNull()
  })

  it('discard a change that was undone by typing or discarded', async () => {
    await open('/settings/miner', withOptions(anOption()))
    const text = (await field('miner.cpuThreads')).getByRole('textbox')

    fireEvent.change(text, { target: { value: '4' } })
    fireEvent.change(text, { target: { value: '1' } })
    expect(screen.queryByTestId('save-bar')).toBeNull()
    fireEvent.change(text, { target: { value: '4' } })
    await press(screen.getByRole('button', { name: 'Discard' }))

    expect(screen.queryByTestId('save-bar')).toBeNull()
    expect(text).toHaveProperty('value', '1')
  })

  it('keep what was refused in the form, with the reason beside it', async () => {
    const { backend } = await open('/settings/miner', withOptions(anOption(), cpu))
    backend.answer('app.setOption', ({ key }) => {
      if (key === 'miner.cpu') return { applies: 'service' }
      throw new WireError('CONTRACT_INVALID', { name: key, reason: '0 is not in 1..256' })
    })
    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '0' } })
    fireEvent.click((await field('miner.cpu')).getByRole('checkbox'))

    await press(screen.getByTestId('options-save'))

    const option = await field('miner.cpuThreads')
    expect(option.getByRole('alert').textContent).toContain('0 is not in 1..256')
    expect(option.getByRole('textbox')).toHaveProperty('value', '0')
    expect(screen.getByTestId('save-bar').textContent).toContain('1 change')
    expect(screen.getByTestId('options-saved').textContent).toContain('Saved 1 change')
  })

  it('remove an option from the file for its default', async () => {
    const inFile = anOption({ value: '3', inFile: '3', source: { kind: 'file', name: '/d/config.toml:2' } })
    const { backend } = await open('/settings/miner', withOptions(inFile))

    await press(
      (await field('miner.cpuThreads')).getByRole('button', { name: 'Reset CPU mining threads to its default' }),
    )
    await press(screen.getByTestId('options-save'))

    expect(written(backend)).toEqual([{ key: 'miner.cpuThreads', value: null }])
  })

  it('say what the next start will have', async () => {
    await open('/settings/miner', withOptions(anOption({ inFile: '5' })))

    expect((await field('miner.cpuThreads')).getByText(/After restart: 5/)).toBeTruthy()
  })

  it("show what the command line set, and don't let it be changed", async () => {
    const locked = anOption({
      locked: 'command line',
      value: '8',
      source: { kind: 'command line', name: '--cpu-threads' },
    })
    await open('/settings/miner', withOptions(locked))

    const option = await field('miner.cpuThreads')
    expect(option.getByText('Set by --cpu-threads at startup, so you can’t change it here.')).toBeTruthy()
    expect(option.queryByRole('textbox')).toBeNull()
    expect(option.getByText('8')).toBeTruthy()
  })

  it('never hold a secret, and send a new one only if one was typed', async () => {
    const key = anOption({ key: 'p2p.nodeKeyHex', flag: 'nodekeyhex', kind: 'secret', value: '***', inFile: '***' })
    const { backend } = await open('/settings/node', (to) => {
      withOptions(key)(to)
      to.answer('app.options', () => ({
        file: '/d/config.toml',
        sections: [{ name: 'p2p', title: 'Peers', options: [key, { ...cpu, key: 'p2p.noDiscover' }] }],
      }))
    })
    const input = (await field('p2p.nodeKeyHex')).getByLabelText('Node key')

    expect(input).toHaveProperty('value', '')
    expect(input).toHaveProperty('type', 'password')
    fireEvent.click((await field('p2p.noDiscover')).getByRole('checkbox'))
    await press(screen.getByTestId('options-save'))

    expect(written(backend)).toEqual([{ key: 'p2p.noDiscover', value: 'false' }])
  })

  it('are read-only without control', async () => {
    await open('/settings/miner', (backend) => {
      withOptions(anOption(), cpu)(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    expect(await screen.findByText('This connection is read-only, so you can’t change settings.')).toBeTruthy()
    expect(within(screen.getByTestId('options-miner')).queryByRole('textbox')).toBeNull()
    expect(within(screen.getByTestId('options-miner')).queryByRole('checkbox')).toBeNull()
    expect(screen.queryByTestId('save-bar')).toBeNull()
  })

  it("that can't be read can be requested again", async () => {
    const { backend } = await open('/settings/miner', fill)
    expect((await screen.findByRole('alert')).textContent).toContain('Can’t read the settings')
    withOptions(anOption())(backend)

    await press(screen.getByRole('button', { name: 'Retry' }))

    expect(await screen.findByTestId('option-miner.cpuThreads')).toBeTruthy()
  })
})

describe('a change that needs a restart', () => {
  it('names the part, says what stops, saves and restarts', async () => {
    const { backend } = await open('/settings/mining', (to) => {
      withOptions(anOption())(to)
      to.answer('app.restart', () => ({}))
    })
    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '4' } })
    expect(screen.getByTestId('restart-needed').textContent).toBe('Takes effect after a restart: miner')

    await press(screen.getByTestId('options-apply'))
    expect(backend.calls.map(({ name }) => name)).not.toContain('app.restart')
    expect(screen.getByTestId('restart-dialog').textContent).toContain('Mining stops until')
    await press(screen.getByTestId('restart-dialog-confirm'))

    const order = backend.calls.map(({ name }) => name)
    expect(order.indexOf('app.restart')).toBeGreaterThan(order.indexOf('app.setOption'))
    expect(written(backend)).toEqual([{ key: 'miner.cpuThreads', value: '4' }])
  })

  it.each([
    [true, 'it goes back to the old ones'],
    [false, 'stays closed until you fix the config file'],
  ])("says what happens to settings that don't start; without a window: %s", async (headless, text) => {
    await open('/settings/mining', (to) => {
      withOptions(anOption())(to)
      to.answer('app.info', () => anInfo({ headless }))
    })
    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '4' } })
    await press(screen.getByTestId('options-apply'))

    expect(screen.getByTestId('restart-dialog').textContent).toContain(text)
  })

  it('is over when the program has restarted', async () => {
    const { backend } = await open('/settings/mining', (to) => {
      withOptions(anOption())(to)
      to.answer('app.restart', () => ({}))
    })
    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '4' } })
    await press(screen.getByTestId('options-apply'))
    await press(screen.getByTestId('restart-dialog-confirm'))
    expect(screen.getByTestId('save-bar').textContent).toContain('Headframe is restarting')

    backend.answer('app.info', () => anInfo({ startedAt: 1_700_000_009_000 }))
    await act(async () => backend.setConnection({ kind: 'lost', since: 0, retryAt: 0, reason: '' }))
    await act(async () => backend.setConnection({ kind: 'open' }))

    expect(screen.queryByTestId('save-bar')).toBeNull()
  })

  it('that was refused restarts nothing', async () => {
    const { backend } = await open('/settings/mining', (to) => {
      withOptions(anOption())(to)
      to.answer('app.setOption', () => {
        throw new WireError('CONTRACT_INVALID', { name: 'x', reason: 'no' })
      })
    })
    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '0' } })

    await press(screen.getByTestId('options-apply'))
    await press(screen.getByTestId('restart-dialog-confirm'))

    expect(backend.calls.map(({ name }) => name)).not.toContain('app.restart')
    expect((await field('miner.cpuThreads')).getByRole('alert')).toBeTruthy()
  })

  it('waits on every page once it is saved, and a refused restart says why', async () => {
    await open('/settings/general', (to) => {
      withOptions(anOption({ inFile: '5' }))(to)
      to.answer('app.restart', () => {
        throw new WireError('CONTRACT_INVALID', { name: 'config file', reason: 'line 3 is no TOML' })
      })
    })

    expect((await screen.findByTestId('restart-needed')).textContent).toContain('Restart to apply: miner')
    await press(screen.getByTestId('options-apply'))
    await press(screen.getByTestId('restart-dialog-confirm'))

    expect(within(screen.getByTestId('save-bar')).getByRole('alert').textContent).toContain('line 3 is no TOML')
  })

  it('is tried again together with the ones that it needs', async () => {
    const { backend } = await open('/settings/mining', withOptions(anOption(), cpu))
    const taken: string[] = []
    backend.answer('app.setOption', ({ key }) => {
      if (key === 'miner.cpuThreads' && !taken.includes('miner.cpu'))
        throw new WireError('CONTRACT_INVALID', { name: key, reason: 'needs the other' })
      taken.push(key)
      return { applies: 'service' }
    })
    fireEvent.change((await field('miner.cpuThreads')).getByRole('textbox'), { target: { value: '4' } })
    fireEvent.click((await field('miner.cpu')).getByRole('checkbox'))

    await press(screen.getByTestId('options-save'))

    expect(taken).toEqual(['miner.cpu', 'miner.cpuThreads'])
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('device preferences', () => {
  it('include degrees, which every temperature follows', async () => {
    const { storage } = await open('/settings/general', withOptions())

    fireEvent.click(screen.getByRole('radio', { name: '°F' }))

    expect(storage.get('headframe.preferences')).toContain('"degrees":"fahrenheit"')
    expect(createLanguage('en', undefined, 'fahrenheit').format.text('celsius', 62)).toBe('144\u00a0°F')
    expect(createLanguage('en', undefined, 'fahrenheit').format.text('celsius', null)).toBe('–')
  })

  it('include motion, off on the page as soon as it is off here', async () => {
    await open('/settings/accessibility', withOptions())

    fireEvent.click(screen.getByRole('checkbox', { name: /Reduce motion/ }))

    expect(document.documentElement.dataset.motion).toBe('less')
  })
})

describe('pages of the settings', () => {
  it('for accessibility offers the time to decide, which the program keeps', async () => {
    const key = 'signer.approvalTimeoutSeconds'
    const option = anOption({ key, flag: 'signer.approval-timeout', value: '60', defaultValue: '60', unit: 's' })
    await open('/settings/accessibility', withOptions(option))

    expect((await field(key)).getByRole('textbox', { name: 'Approval timeout' })).toBeTruthy()
  })

  it('for notifications has a checkbox for each kind', async () => {
    const notify = anOption({
      key: 'desktop.notify',
      flag: 'desktop.notify',
      kind: 'list',
      range: null,
      applies: 'live',
      value: 'approval,heat',
      defaultValue: 'approval,heat,fault,block,pool,rig',
    })
    const { backend } = await open('/settings/notifications', withOptions(notify))

    fireEvent.click((await field('desktop.notify')).getByRole('checkbox', { name: 'A block was found' }))
    fireEvent.click((await field('desktop.notify')).getByRole('checkbox', { name: 'A GPU paused for heat' }))
    await press(screen.getByTestId('options-save'))
    expect(screen.queryByTestId('options-apply')).toBeNull()

    expect(written(backend)).toEqual([{ key: 'desktop.notify', value: 'approval,block' }])
  })

  it('for the node shows the folder and its free space', async () => {
    await open('/settings/node', (to) => {
      withOptions()(to)
      to.answer('app.place', () => ({ freeBytes: 3 * 1024 ** 3, addresses: [], isNetworkDrive: true }))
    })

    expect((await screen.findByTestId('data-folder')).textContent).toMatch(
      /\/data\/headframe.*3\.00.GiB.*network drive/,
    )
  })

  it.each(['about', 'updates'])('show the build: %s', async (page) => {
    await open(`/settings/${page}`, (to) => {
      fill(to)
      to.answer('app.build', () => ({ build: '0123456789abcdef', runtime: 'Node 20.19.0', system: 'linux x64' }))
    })

    expect(await screen.findByText('0123456789abcdef')).toBeTruthy()
  })

  it('has an option of an unknown section under General', async () => {
    await open('/settings/general', (to) => {
      withOptions()(to)
      const options = [anOption({ key: 'brew.strength', flag: 'brew.strength' })]
      to.answer('app.options', () => ({ file: '/f', sections: [{ name: 'brew', title: 'Brewing', options }] }))
    })

    expect(await screen.findByRole('heading', { name: 'Brewing' })).toBeTruthy()
    expect((await field('brew.strength')).getByRole('textbox', { name: '--brew.strength' })).toBeTruthy()
  })

  it('keeps flags, hours and units of a text in one line, with the comma after them', async () => {
    const help = 'Heats up to 60 °C (--heat=1,-1), 0 = never (mon-fri@22:00-06:00,sat@00:00-24:00).'
    await open('/settings/miner', withOptions(anOption({ help, expected: 'hours: mon@22:00-06:00, sun@00:00-24:00' })))

    const option = await field('miner.cpuThreads')
    expect(option.getByText('(mon-fri@22:00-06:00,sat@00:00-24:00).')).toBeTruthy()
    expect(option.getByText('mon@22:00-06:00,')).toBeTruthy()
    expect(option.getByText('(--heat=1,-1),')).toBeTruthy()
    expect(option.getByText(/Heats up/).textContent).toContain('60\u00a0°C (--heat=1,-1), 0\u00a0= never')
  })

  it('has a name in the language of the reader for each section, and for each unit of time', async () => {
    const sections = CATALOG.map(({ name, title, entries }) => ({
      name,
      title: `English ${title}`,
      options: entries.map(({ key }) => anOption({ key, unit: 's' })),
    }))
    for (const page of pages.filter((name) => groupsOf(name, sections).length > 0)) {
      await open(`/settings/${page}`, (to) => {
        withOptions()(to)
        to.answer('app.options', () => ({ file: '/f', sections }))
      })
      await screen.findAllByTestId(/^option-/)
      expect(screen.queryAllByRole('heading', { name: /^English / }), page).toEqual([])
      cleanup()
    }
    const { unitName } = createFormatter({ locale: 'zh-CN', words: { now: '', ago: (duration) => duration } })
    expect(['s', 'min', 'minutes', 'MiB'].map(unitName)).toEqual(['秒', '分钟', '分钟', 'MiB'])
  })

  it('says a range in words in a language that does not begin it with "in"', () => {
    const { t } = createLanguage('zh-CN', chinese)
    const words = { label: '', help: '', danger: null, expected: '范围 1..256' }

    expect(acceptedText(anOption(), words, t)).toBe('1 至 256')
    expect(acceptedText(anOption({ unit: '°C' }), words, t)).toBe('1 至 256\u00a0°C')
    expect(acceptedText(anOption({ expected: 'true or false' }), { ...words, expected: '真' }, t)).toContain('真')
  })

  it('says Chinese in its own letters once their faces are read: the system may have none', async () => {
    for (const link of document.querySelectorAll('link')) link.remove()
    const asked: string[] = []
    const load = async (...words: string[]): Promise<void> => void asked.push(...words)
    Object.assign(document, { fonts: { load } })
    await open('/settings/general', withOptions())

    await screen.findByText('Chinese')
    const [link, ...others] = document.querySelectorAll('link[rel=stylesheet]')
    expect(others).toEqual([])
    expect(screen.queryByText('简体中文')).toBeNull()
    await act(async () => void link?.dispatchEvent(new Event('load')))

    await screen.findByText('简体中文')
    expect([...new Set(asked)]).toEqual([expect.stringContaining('Noto Sans SC Variable'), '简体中文'])
    Reflect.deleteProperty(document, 'fonts')
  })

  it('has every option on exactly one page', () => {
    const sections = CATALOG.map(({ name, title, entries }) => ({
      name,
      title,
      options: entries.map(({ key }) => anOption({ key })),
    }))
    const found = pages.flatMap((page) => groupsOf(page, sections)).flatMap(({ first, more }) => [...first, ...more])

    expect(found.map(({ key }) => key).sort()).toEqual(
      CATALOG.flatMap(({ entries }) => entries.map(({ key }) => key)).sort(),
    )
  })
})
