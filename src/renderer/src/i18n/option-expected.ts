// Translates what an option accepts: the config's English phrases are built from few pieces, each with its phrase.

/** The pieces, more specific ones first. */
const PIECES = {
  boolean: /^true or false$/,
  path: /^a path$/,
  pathOrNone: /^a path, or empty for none$/,
  oneOf: /^one of /,
  twoTimes: /^two different times of the day such as (.+)$/,
  ipOrLocalhost: /^an IP address or localhost$/,
  hostsOrAll: /^a comma list of host names, or \*$/,
  hosts: /^a comma list of host names$/,
  address: /^an address \(0x and 40 hex digits\)$/,
  shortText: /^a text of at most (\d+) characters$/,
  alert: /^(https:.*) or command:\/FILE, with #level=problem or #escalation at the end$/,
  shortData: /^0x hex or text of at most 32 bytes$/,
  wei: /^a whole number of wei$/,
  time: /^a time in /,
  hex64: /^64 hex digits$/,
  portMapping: /^any, none, upnp, pmp, or extip:IP$/,
  networks: /^a comma list of networks such as /,
  origins: /^a comma list of origins \(http:\/\/name\), or \*$/,
  https: /^an https address$/,
  httpOrSocket: /^an http address or the path of a socket$/,
  amount: /^an amount of LAX with at most 18 decimals$/,
  addresses: /^a comma list of addresses \(0x and 40 hex digits each\)$/,
  numbers: /^a comma list of numbers in /,
  hours: /^a comma list of hours, with days in front or not: /,
  devices: /^a comma list of all, gpu, cpu, positions as headframe devices shows them, and PCI addresses \((.+)\)$/,
  pool: /^the address of a pool, or exit at the end$/,
  poolText: /^a text for all pools, or one for each in their order$/,
  poolProxy: /^socks5:.* for all pools or one for each$/,
  rig: /^\[NAME=\]HOST:PORT\[#TOKEN\] \[LABEL=VALUE \.\.\.\] with a name of (\S+) letters, digits, blanks, dots, underscores or dashes and a port in (\S+)$/,
  controlPort: /^ADDR:PORT with an IP address or localhost and a port in (\S+), ADDR:-PORT for read only, or off$/,
  listener: /^ADDR:PORT with an IP address or localhost and a port in (\S+), or off$/,
  visibleText: /^(\S+) visible ASCII characters without blanks$/,
  name: /^a name of at most (\d+) letters, digits and (.+)$/,
  decimals: /^in (\d+\.\.\d+), with a point before decimals$/,
  list: /^a comma list of /,
  range: /^in (-?\d+\.\.\d+)$/,
  rangeHex: /^in (\d+\.\.\d+), decimal or 0x and hex digits$/,
  atLeast: /^at least (\d+)$/,
  atLeastHex: /^at least (\d+), decimal or 0x and hex digits$/,
} as const

type Piece = keyof typeof PIECES
/** A language's phrase for each piece, with `$1` where the piece has a value. */
export type ExpectedWords = Readonly<Record<Piece, string>>

/** @returns null if there is no phrase for it */
export function expectedIn(words: ExpectedWords, english: string): string | null {
  for (const [piece, pattern] of Object.entries(PIECES)) {
    if (pattern.test(english)) return english.replace(pattern, words[piece as Piece])
  }
  return null
}
