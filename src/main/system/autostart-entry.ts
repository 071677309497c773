// The autostart entry of a Linux desktop, as text. Source: Desktop Entry Specification 1.5, "The Exec key"

/** First line of ours, so that a foreign file is never removed. */
export const AUTOSTART_MARK = '# Written by Headframe; switched off in its settings.'

/** @param command executable and arguments, unquoted */
export function autostartEntry(command: readonly string[]): string {
  return [
    AUTOSTART_MARK,
    '[Desktop Entry]',
    'Type=Application',
    'Name=Headframe',
    `Exec=${command.map(quoted).join(' ')}`,
    'Icon=headframe',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** The file's path: `$XDG_CONFIG_HOME/autostart`, with the specification's default. */
export function autostartFile(environment: Readonly<Record<string, string | undefined>>, homeDir: string): string {
  const given = environment.XDG_CONFIG_HOME ?? ''
  const config = given.startsWith('/') ? given : `${homeDir}/.config`
  return `${config}/autostart/headframe.desktop`
}

/** Double quotes with their four special characters escaped, then the escapes of a string value; `%` is a field code. */
function quoted(argument: string): string {
  const bare = /^[A-Za-z0-9_@+=:,./-]+$/.test(argument)
  const text = bare ? argument : `"${argument.replace(/["`$\\]/g, '\\$&')}"`
  return text.replace(/\\/g, '\\\\').replace(/%/g, '%%').replace(/\n/g, '\\n')
}
