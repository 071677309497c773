// Die Optionen von Knoten, Netz, JSON-RPC und Transaktionspool auf Deutsch.
import { optionTexts } from './option-text'

const OPEN_RPC =
  'Wer eine andere als die lokale Adresse erreicht, kann die Kette lesen, Transaktionen senden und Arbeit abholen.'
const STRONG_API = 'admin und miner ändern, was dieser Knoten tut, debug kostet viel Zeit: nur für vertraute Aufrufer.'
const ORIGIN = 'Eine Seite dieser Herkunft kann alles, was JSON-RPC bietet.'

export const germanNodeOptions = optionTexts({
  'chain.gcMode': ['Alte Zustände', 'full behält die der neuesten Blöcke, archive alle.'],
  'node.http': ['JSON-RPC über HTTP', 'JSON-RPC über HTTP anbieten.'],
  'node.httpAddr': ['Adresse von JSON-RPC', 'Adresse, an der JSON-RPC lauscht.', OPEN_RPC],
  'node.httpPort': ['Port von JSON-RPC', 'Port von JSON-RPC; 0 = irgendein freier.'],
  'node.httpVhosts': [
    'Hostnamen von JSON-RPC',
    'Hostnamen, auf die JSON-RPC außer auf IP-Adressen antwortet; * = alle.',
    'Mit * kann jede Webseite JSON-RPC über einen eigenen Namen erreichen.',
  ],
  'node.getworkHeight': [
    'Blocknummer in eth_getWork',
    'Die Blocknummer an die Antwort von eth_getWork hängen, für Pool-Software, die sie liest.',
  ],
  'node.mine': ['Arbeit zum Schürfen erzeugen', 'Blockvorlagen erzeugen: Arbeit für den Miner und für eth_getWork.'],
  'node.coinbase': ['Konto für Belohnungen', 'Konto, dem die Subventionen gefundener Blöcke gehören.'],
  'node.extraData': ['Text in gefundenen Blöcken', 'Bis zu 32 Bytes im Kopf gefundener Blöcke.'],
  'node.gasLimit': ['Gaslimit gefundener Blöcke', 'Gaslimit, auf das sich gefundene Blöcke zubewegen.'],
  'node.gasPrice': [
    'Kleinster Gaspreis in gefundenen Blöcken',
    'Kleinster Gaspreis von Transaktionen anderer, die ein gefundener Block aufnimmt.',
  ],
  'node.recommitMs': ['Vorlage erneuern alle', 'Zeit, nach der eine Blockvorlage neu erzeugt wird.'],
  'p2p.port': ['Port für Peers', 'Port, mit dem sich Peers verbinden, TCP und UDP; 0 = irgendein freier.'],
  'p2p.addr': ['Adresse für Peers', 'Adresse, mit der sich Peers verbinden.'],
  'p2p.maxPeers': ['Meiste Peers', 'Höchstzahl der Peers, ein Drittel davon wählen wir an; 0 = kein Netz.'],
  'p2p.nodeKeyFile': [
    'Datei des Knotenschlüssels',
    'Datei mit dem Schlüssel, an dem andere diesen Knoten erkennen, 64 Hexziffern; entsteht, wenn sie fehlt.',
  ],
  'p2p.nodeKeyHex': ['Knotenschlüssel', 'Dieser Schlüssel selbst.'],
  'p2p.bootnodes': [
    'Zuerst gefragte Knoten',
    'Knoten, mit denen die Suche nach anderen beginnt; eine leere Liste: keine.',
  ],
  'p2p.noDiscover': ['Nicht über UDP suchen', 'Nicht über UDP nach anderen Knoten suchen.'],
  'p2p.dnsTrees': ['Knotenlisten im DNS', 'Signierte Knotenlisten im DNS, aus denen Knoten genommen werden.'],
  'p2p.nat': [
    'Weg durch den Router',
    'Wie der Router gebeten wird, Peers hereinzulassen: upnp, pmp, any für eines von beiden, none, oder extip:IP, wo er es schon tut.',
  ],
  'p2p.netRestrict': ['Nur diese Netze', 'Nur mit Knoten in diesen Netzen sprechen.'],
  'rpc.httpApi': ['Module über HTTP', 'Module, die über HTTP angeboten werden.', STRONG_API],
  'rpc.httpCors': [
    'Erlaubte Webseiten über HTTP',
    'Herkünfte von Webseiten, die Antworten über HTTP lesen dürfen; * = alle.',
    ORIGIN,
  ],
  'rpc.ws': ['JSON-RPC über WebSocket', 'JSON-RPC über WebSocket anbieten.'],
  'rpc.wsAddr': ['Adresse von WebSocket', 'Adresse, an der WebSocket lauscht.', OPEN_RPC],
  'rpc.wsPort': [
    'Port von WebSocket',
    'Port von WebSocket; 0 = irgendein freier. Derselbe wie --http.port an derselben Adresse: ein Zugang für beide.',
  ],
  'rpc.wsApi': ['Module über WebSocket', 'Module, die über WebSocket angeboten werden.', STRONG_API],
  'rpc.wsOrigins': [
    'Erlaubte Webseiten über WebSocket',
    'Herkünfte von Webseiten, die einen WebSocket öffnen dürfen; * = alle.',
    ORIGIN,
  ],
  'rpc.ipcPath': [
    'Lokaler Socket',
    'Socket (unter Windows: Name der Pipe), auf dem Programme dieses Benutzers jedes Modul erreichen.',
  ],
  'rpc.ipcDisable': ['Kein lokaler Socket', 'JSON-RPC auf keinem lokalen Socket anbieten.'],
  'rpc.gasCap': ['Meistes Gas eines Aufrufs', 'Höchstes Gas eines Aufrufs von JSON-RPC; 0 = keine Grenze.'],
  'rpc.callTimeoutMs': ['Längster Aufruf', 'Längste Zeit, die ein Aufruf von JSON-RPC laufen darf; 0 = keine Grenze.'],
  'rpc.bodyLimitBytes': ['Größte Anfrage', 'Größter Inhalt einer Anfrage an JSON-RPC.'],
  'rpc.batchLimit': ['Meiste Aufrufe im Bündel', 'Höchstzahl der Aufrufe in einem Bündel von JSON-RPC.'],
  'accounts.signer': [
    'Signierer anderswo',
    'Signierer in einem anderen Prozess, der die Konten hält: seine HTTP-Adresse oder der Pfad seines Sockets.',
  ],
  'accounts.passwordFile': [
    'Datei der Passwörter',
    'Datei mit den Passwörtern von --unlock, je Zeile eines in dessen Reihenfolge; das letzte gilt für den Rest.',
  ],
  'accounts.feeCap': [
    'Höchste Gebühr über JSON-RPC',
    'Was das Gas einer über JSON-RPC gesendeten Transaktion höchstens kosten darf, in LAX; 0 = keine Grenze.',
  ],
  'accounts.allowUnprotected': [
    'Transaktionen jeder Kette',
    'Transaktionen annehmen, die keine Kette nennen und auf jeder gültig sind.',
  ],
  'txpool.locals': [
    'Als eigene behandelte Konten',
    'Konten, deren Transaktionen als eigene gelten: sie überdauern Neustarts und sind frei von Preisregeln.',
  ],
  'txpool.noLocals': [
    'Keine als eigene behandeln',
    'Hier gesendete Transaktionen wie die anderer behandeln; sie überdauern auch keinen Neustart.',
  ],
  'txpool.journal': ['Journal eigener Transaktionen', 'Datei, die eigene Transaktionen über Neustarts hinweg behält.'],
  'txpool.rejournalMs': ['Journal neu schreiben alle', 'Zeit, nach der diese Datei neu geschrieben wird.'],
  'txpool.priceLimit': [
    'Kleinster Gaspreis',
    'Kleinster Gaspreis von Transaktionen anderer; beim Schürfen --miner.gasprice, wo er höher ist.',
  ],
  'txpool.priceBump': [
    'Preisschritt beim Ersetzen',
    'Wie viel mehr eine Transaktion bieten muss, um eine andere mit derselben Nonce zu ersetzen, in Prozent.',
  ],
  'txpool.accountSlots': ['Sichere Plätze eines Kontos', 'Ausführbare Transaktionen, die ein Konto immer haben darf.'],
  'txpool.globalSlots': ['Plätze aller Konten', 'Höchstzahl ausführbarer Transaktionen aller Konten.'],
  'txpool.accountQueue': [
    'Warteplätze eines Kontos',
    'Höchstzahl der Transaktionen eines Kontos, die auf eine frühere Nonce warten.',
  ],
  'txpool.globalQueue': [
    'Warteplätze aller Konten',
    'Höchstzahl der Transaktionen aller Konten, die auf eine frühere Nonce warten.',
  ],
  'txpool.lifetimeMs': ['Längste Wartezeit', 'Wie lange Transaktionen anderer auf eine frühere Nonce warten dürfen.'],
})
