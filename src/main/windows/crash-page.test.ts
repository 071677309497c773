import { describe, expect, it } from 'vitest'
import { shellWords } from '../shell/words/words'
import { crashPageUrl, RELOAD_ADDRESS } from './crash-page'

const textOf = (url: string) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').toString('utf8')

describe('the crash page', () => {
  it('explains the failure, names the log folder, and has a link to reload the window', () => {
    const page = textOf(crashPageUrl({ reason: 'oom', logsDir: '/d/logs' }, shellWords('en')))

    expect(page).toContain('Reason: oom')
    expect(page).toContain('/d/logs')
    expect(page).toContain(`href="${RELOAD_ADDRESS}"`)
  })

  it('escapes markup in paths, and runs no script', () => {
    const page = textOf(crashPageUrl({ reason: '<b>', logsDir: '/d/"><script>x</script>' }, shellWords('en')))

    expect(page).not.toMatch(/<script|<b>/)
    expect(page).toContain("default-src 'none'")
  })
})
