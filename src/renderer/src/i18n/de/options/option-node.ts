// Die Optionen von Knoten, Netz, JSON-RPC und Transaktionspool auf Deutsch.
import { optionTexts } from '../../option-text'

const OPEN_RPC =
  'An einer nicht lokalen Adresse kann jeder, der sie erreicht, die Chain lesen, Transaktionen senden und Arbeit abholen.'
const STRONG_API =
  'admin und miner ändern, was dieser Knoten tut; debug und trace kosten viel Rechenzeit. Nur für vertrauenswürdige Aufrufer.'
const ORIGIN = 'Eine Seite dieser Herkunft kann JSON-RPC vollständig nutzen.'

export const germanNodeOptions = optionTexts({
  'chain.gcMode': ['Alte Zustände', 'Wie viele alte Zustände bleiben: full = neueste Blöcke, archive = alle.'],
  'chain.history': [
    'Zustandsverlauf',
    'Zahl der letzten Blöcke, deren Konten und Speicherplätze ein Knoten mit full nachschlagen kann, mindestens 8192. 0 = alle.',
  ],
  'node.http': ['JSON-RPC über HTTP', 'JSON-RPC über HTTP anbieten.'],
  'node.httpAddr': ['JSON-RPC-Adresse', 'Adresse, an der JSON-RPC lauscht.', OPEN_RPC],
  'node.httpPort': ['JSON-RPC-Port', 'JSON-RPC-Port; 0 = ein freier Port.'],
  'node.httpVhosts': [
    'JSON-RPC-Hostnamen',
    'Hostnamen, auf die JSON-RPC neben IP-Adressen antwortet; * = alle.',
    'Mit * kann jede Webseite JSON-RPC über einen eigenen Namen erreichen.',
  ],
  'node.graphql': [
    'GraphQL über HTTP',
    'GraphQL unter /graphql am Port von JSON-RPC beantworten, für dieselben Rechnernamen und Herkünfte.',
  ],
  'node.getworkHeight': [
    'Blocknummer in eth_getWork',
    'Blocknummer an Antworten von eth_getWork anhängen, für Pool-Software, die sie braucht.',
  ],
  'node.mine': ['Blockvorlagen erzeugen', 'Blockvorlagen für den Miner und eth_getWork erzeugen.'],
  'node.coinbase': ['Belohnungskonto', 'Konto für Blockbelohnungen.'],
  'node.extraData': ['Text in gefundenen Blöcken', 'Bis zu 32 Bytes im Header gefundener Blöcke.'],
  'node.gasLimit': ['Gaslimit gefundener Blöcke', 'Gaslimit, dem sich gefundene Blöcke annähern.'],
  'node.beside': [
    'Mit anderer Node vergleichen',
    'JSON-RPC einer anderen Node (http-Adresse oder lokaler Socket), die Block für Block mit dieser verglichen wird: Header, Belege, Logs, Guthaben.',
  ],
  'node.gasPrice': [
    'Mindest-Gaspreis gefundener Blöcke',
    'Mindest-Gaspreis für fremde Transaktionen in gefundenen Blöcken.',
  ],
  'node.recommitMs': ['Vorlage erneuern', 'Wie oft eine Blockvorlage neu erzeugt wird.'],
  'p2p.port': ['P2P-Port', 'Port für Peers, TCP und UDP; 0 = ein freier Port.'],
  'p2p.addr': ['P2P-Adresse', 'Adresse, an der Peers sich verbinden.'],
  'p2p.maxPeers': ['Max. Peers', 'Höchstzahl der Peers, ein Drittel davon ausgehend; 0 = kein Netz.'],
  'p2p.nodeKeyFile': [
    'Knotenschlüssel-Datei',
    'Datei mit dem Schlüssel dieses Knotens, 64 Hexziffern; wird angelegt, wenn sie fehlt.',
  ],
  'p2p.nodeKeyHex': [
    'Knotenschlüssel',
    'P2P-Schlüssel, 64 Hexziffern.',
    'Andere Benutzer dieses Rechners können Befehlszeilen lesen; nehmen Sie besser --nodekey.',
  ],
  'p2p.bootnodes': ['Bootnodes', 'Knoten, bei denen die Suche nach Peers beginnt; leer = keine.'],
  'p2p.noDiscover': ['Keine Knotensuche', 'Nicht über UDP nach anderen Knoten suchen.'],
  'p2p.dnsTrees': ['DNS-Knotenlisten', 'Signierte Knotenlisten im DNS, aus denen Peers kommen.'],
  'p2p.minesBehind': [
    'Minen, während ein Peer voraus ist',
    'Auch Arbeit ausgeben, wenn ein Peer seit 30 s eine schwerere, geprüfte Chain hat.',
  ],
  'p2p.requiredBlocks': [
    'Verlangte Blöcke',
    'Blöcke, die Peers haben müssen: Wer auf dieser Höhe einen anderen hat, wird getrennt.',
  ],
  'p2p.checkpoint': ['Checkpoint-Datei', 'Signierte Liste solcher Blöcke; braucht --checkpoint.signer.'],
  'p2p.checkpointSigner': ['Konto des Checkpoints', 'Konto, dessen Signatur der Checkpoint-Datei gilt.'],
  'p2p.nat': [
    'NAT',
    'Portfreigabe im Router: upnp, pmp, any (eines von beiden), none oder extip:IP, wenn sie schon besteht.',
  ],
  'p2p.netRestrict': ['Nur diese IP-Netze', 'Nur mit Knoten in diesen IP-Netzen verbinden.'],
  'rpc.httpApi': ['Module über HTTP', 'Über HTTP angebotene Module.', STRONG_API],
  'rpc.httpCors': [
    'Erlaubte Webseiten über HTTP',
    'Herkünfte von Webseiten, die Antworten über HTTP lesen dürfen; * = alle.',
    ORIGIN,
  ],
  'rpc.ws': ['JSON-RPC über WebSocket', 'JSON-RPC über WebSocket anbieten.'],
  'rpc.wsAddr': ['WebSocket-Adresse', 'Adresse, an der WebSocket lauscht.', OPEN_RPC],
  'rpc.wsPort': [
    'WebSocket-Port',
    'WebSocket-Port; 0 = ein freier Port. Mit Adresse und Port von HTTP teilen sich beide einen Port.',
  ],
  'rpc.wsApi': ['Module über WebSocket', 'Über WebSocket angebotene Module.', STRONG_API],
  'rpc.wsOrigins': [
    'Erlaubte Webseiten über WebSocket',
    'Herkünfte von Webseiten, die einen WebSocket öffnen dürfen; * = alle.',
    ORIGIN,
  ],
  'rpc.ipcPath': [
    'Lokaler Socket',
    'Socket (unter Windows: Pipe-Name), über den Programme dieses Benutzers alle Module erreichen; ein bloßer Name liegt im Datenverzeichnis.',
  ],
  'rpc.ipcDisable': ['Kein lokaler Socket', 'JSON-RPC nicht über einen lokalen Socket anbieten.'],
  'rpc.gasCap': ['Max. Gas pro Aufruf', 'Höchstes Gas eines JSON-RPC-Aufrufs; 0 = unbegrenzt.'],
  'rpc.callTimeoutMs': ['Zeitlimit pro Aufruf', 'Höchste Laufzeit eines JSON-RPC-Aufrufs; 0 = unbegrenzt.'],
  'rpc.bodyLimitBytes': ['Max. Anfragegröße', 'Höchste Größe einer JSON-RPC-Anfrage.'],
  'rpc.batchLimit': ['Max. Aufrufe pro Batch', 'Höchstzahl der Aufrufe in einem JSON-RPC-Batch.'],
  'accounts.signer': [
    'Externer Signierer',
    'Signierer in einem anderen Prozess, der die Konten verwaltet: HTTP-Adresse oder Socket-Pfad.',
  ],
  'accounts.passwordFile': [
    'Passwort-Datei',
    'Passwörter für --unlock, eines pro Zeile in derselben Reihenfolge; das letzte gilt für alle weiteren.',
  ],
  'accounts.feeCap': [
    'Max. Gebühr über JSON-RPC',
    'Höchste Gasgebühr einer über JSON-RPC gesendeten Transaktion in LAX; 0 = unbegrenzt.',
  ],
  'accounts.allowUnprotected': [
    'Transaktionen ohne Chain-ID',
    'Transaktionen ohne Chain-ID annehmen; sie gelten auf jeder Chain.',
  ],
  'txpool.locals': [
    'Eigene Konten',
    'Konten, deren Transaktionen als eigene gelten: Sie überdauern Neustarts und umgehen Preisregeln.',
  ],
  'txpool.noLocals': [
    'Keine eigenen Transaktionen',
    'Hier gesendete Transaktionen wie fremde behandeln; sie überdauern keinen Neustart.',
  ],
  'txpool.journal': ['Journal eigener Transaktionen', 'Datei, die eigene Transaktionen über Neustarts hinweg sichert.'],
  'txpool.rejournalMs': ['Journal neu schreiben', 'Wie oft das Journal neu geschrieben wird.'],
  'txpool.priceLimit': [
    'Mindest-Gaspreis',
    'Mindest-Gaspreis fremder Transaktionen; beim Minen --miner.gasprice, wenn höher.',
  ],
  'txpool.priceTarget': [
    'Gaspreis-Vorschlag für, Blöcke',
    'Schlägt den Gaspreis vor, zu dem 85 % der Transaktionen in so vielen Blöcken bestätigt werden; recent = der übliche Preis der letzten 20 Blöcke, auch solange zu wenige Transaktionen beobachtet wurden.',
  ],
  'txpool.priceBump': [
    'Aufschlag beim Ersetzen',
    'Aufschlag in Prozent, mit dem eine Transaktion eine andere mit derselben Nonce ersetzt.',
  ],
  'txpool.accountSlots': ['Garantierte Plätze pro Konto', 'Ausführbare Transaktionen, die ein Konto immer haben darf.'],
  'txpool.globalSlots': ['Plätze aller Konten', 'Höchstzahl ausführbarer Transaktionen aller Konten.'],
  'txpool.accountQueue': [
    'Warteplätze pro Konto',
    'Höchstzahl wartender Transaktionen pro Konto, denen eine frühere Nonce fehlt.',
  ],
  'txpool.globalQueue': [
    'Warteplätze aller Konten',
    'Höchstzahl wartender Transaktionen aller Konten, denen eine frühere Nonce fehlt.',
  ],
  'txpool.lifetimeMs': ['Max. Wartezeit', 'Wie lange fremde Transaktionen auf eine frühere Nonce warten dürfen.'],
})
