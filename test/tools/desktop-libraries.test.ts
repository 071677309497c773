import { describe, expect, it } from 'vitest'
import { lackText, missingLibraries, notFoundIn, packagesOf } from '../../tools/lib/desktop-libraries.mjs'

const LISTING = `
	linux-vdso.so.1 (0x00007ffd)
	libffmpeg.so => /opt/electron/libffmpeg.so (0x00007f1d)
	libgtk-3.so.0 => not found
	libnss3.so => not found
	libatk-1.0.so.0 => not found
	libown.so.7 => not found
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f1c)
`

describe('libraries of the desktop', () => {
  it('that are missing are read from the loader, with the packages that have them', () => {
    const missing = notFoundIn(LISTING)

    expect(missing).toEqual(['libgtk-3.so.0', 'libnss3.so', 'libatk-1.0.so.0', 'libown.so.7'])
    expect(packagesOf(missing)).toEqual(['libgtk-3-0', 'libnss3'])
    expect(lackText(missing)).toBe(
      'Electron needs libgtk-3.so.0, libnss3.so, libatk-1.0.so.0, libown.so.7 (Debian: apt-get install libgtk-3-0 libnss3)',
    )
  })

  it('are none for a program that runs, and nothing is said then', () => {
    expect(missingLibraries(process.execPath)).toEqual([])
    expect(lackText([])).toBe('')
  })

  it('of other systems have no package named', () => {
    expect(lackText(['libown.so.7'])).toBe('Electron needs libown.so.7')
  })
})
