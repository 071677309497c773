// What an option accepts, in German: the config's own words are English and few, and made of the same pieces.

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^true or false$/, 'true oder false'],
  [/^a path$/, 'ein Pfad'],
  [/^a path, or empty for none$/, 'ein Pfad, oder leer für keinen'],
  [/^one of /, 'eines von '],
  [/^two different times of the day such as (.+)$/, 'zwei verschiedene Tageszeiten wie $1'],
  [/^an IP address or localhost$/, 'eine IP-Adresse oder localhost'],
  [/^a comma list of host names, or \*$/, 'eine Liste von Hostnamen mit Kommas, oder *'],
  [/^a comma list of host names$/, 'eine Liste von Hostnamen mit Kommas'],
  [/^an address \(0x and 40 hex digits\)$/, 'eine Adresse (0x und 40 Hexziffern)'],
  [/^0x hex or text of at most 32 bytes$/, '0x und Hexziffern, oder Text von höchstens 32 Bytes'],
  [/^a whole number of wei$/, 'eine ganze Zahl von wei'],
  [/^a time in /, 'eine Zeit in '],
  [/^64 hex digits$/, '64 Hexziffern'],
  [/^any, none, upnp, pmp, or extip:IP$/, 'any, none, upnp, pmp oder extip:IP'],
  [/^a comma list of networks such as /, 'eine Liste von Netzen mit Kommas wie '],
  [/^a comma list of origins \(http:\/\/name\), or \*$/, 'eine Liste von Herkünften mit Kommas (http://name), oder *'],
  [/^an http address or the path of a socket$/, 'eine HTTP-Adresse oder der Pfad eines Sockets'],
  [/^an amount of LAX with at most 18 decimals$/, 'ein Betrag in LAX mit höchstens 18 Nachkommastellen'],
  [
    /^a comma list of addresses \(0x and 40 hex digits each\)$/,
    'eine Liste von Adressen mit Kommas (je 0x und 40 Hexziffern)',
  ],
  [/^a comma list of numbers in /, 'eine Liste von Zahlen mit Kommas in '],
  [
    /^a comma list of hours, with days in front or not: /,
    'eine Liste von Stunden mit Kommas, mit Tagen davor oder ohne: ',
  ],
  [
    /^a comma list of all, gpu, cpu, positions as headframe devices shows them, and PCI addresses \((.+)\)$/,
    'eine Liste mit Kommas aus all, gpu, cpu, Plätzen, wie headframe devices sie zeigt, und PCI-Adressen ($1)',
  ],
  [/^the address of a pool, or exit at the end$/, 'die Adresse eines Pools, oder exit am Ende'],
  [
    /^\[NAME=\]HOST:PORT\[#TOKEN\] \[LABEL=VALUE \.\.\.\] with a name of (\S+) letters, digits, blanks, dots, underscores or dashes and a port in (\S+)$/,
    '[NAME=]HOST:PORT[#TOKEN] [LABEL=WERT ...] mit einem Namen von $1 Buchstaben, Ziffern, Leerzeichen, Punkten, Unter- oder Bindestrichen und einem Port in $2',
  ],
  [
    /^ADDR:PORT with an IP address or localhost and a port in (\S+), ADDR:-PORT for read only, or off$/,
    'ADDR:PORT mit einer IP-Adresse oder localhost und einem Port in $1, ADDR:-PORT nur zum Lesen, oder off',
  ],
  [/^(\S+) visible ASCII characters without blanks$/, '$1 sichtbare ASCII-Zeichen ohne Leerzeichen'],
  [/^a comma list of /, 'eine Liste mit Kommas aus '],
  [/^in (-?\d+\.\.\d+)$/, 'in $1'],
  [/^in (\d+\.\.\d+), decimal or 0x and hex digits$/, 'in $1, dezimal oder 0x und Hexziffern'],
]

/** Null where there are no words for it. */
export function germanExpected(english: string): string | null {
  const found = WORDS.find(([pattern]) => pattern.test(english))
  return found === undefined ? null : english.replace(found[0], found[1])
}
