import { describe, expect, it } from 'vitest'
import { autostartEntry, autostartFile } from './autostart-entry'

const execOf = (command: readonly string[]) => /^Exec=(.*)$/m.exec(autostartEntry(command))?.[1]

describe('the autostart entry', () => {
  it('calls the program with its arguments', () => {
    expect(execOf(['/opt/Headframe/headframe', '--start-in-tray'])).toBe('/opt/Headframe/headframe --start-in-tray')
  })

  it('quotes what a desktop would split', () => {
    expect(execOf(['/apps/a b/headframe', '--datadir', '/data/100% "x"'])).toBe(
      '"/apps/a b/headframe" --datadir "/data/100%% \\\\"x\\\\""',
    )
  })

  it('lets no path add a line', () => {
    expect(
      autostartEntry(['/a\nExec=/bin/evil'])
        .split('\n')
        .filter((line) => line.startsWith('Exec=')),
    ).toHaveLength(1)
  })

  it('is in the folder that the environment names, if it is absolute', () => {
    expect(autostartFile({ XDG_CONFIG_HOME: '/c' }, '/h')).toBe('/c/autostart/headframe.desktop')
    expect(autostartFile({ XDG_CONFIG_HOME: 'c' }, '/h')).toBe('/h/.config/autostart/headframe.desktop')
    expect(autostartFile({}, '/h')).toBe('/h/.config/autostart/headframe.desktop')
  })
})
