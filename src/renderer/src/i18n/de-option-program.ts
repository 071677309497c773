// Die Optionen des Programms, des Fensters, des Steuer-Ports und des Signierers auf Deutsch.
import { optionTexts } from './option-text'

const OTHERS_READ = 'Andere Benutzer dieses Computers können eine Befehlszeile lesen;'

export const germanProgramOptions = optionTexts({
  'app.logLevel': ['Protokollstufe', 'Unwichtigste Zeilen, die noch protokolliert werden.'],
  'app.logJson': ['Protokoll als JSON', 'Je Zeile ein JSON-Objekt auf die Standardfehlerausgabe schreiben.'],
  'app.headless': ['Ohne Fenster', 'Kein Fenster; die Oberfläche wird für den Browser bereitgestellt.'],
  'app.welcome': [
    'Erste Schritte anbieten',
    'Im Fenster die Schritte eines ersten Starts anbieten; sie schalten das selbst ab, wenn sie fertig sind.',
  ],
  'app.network': ['Netz', 'Die Kette: practice ist eine eigene dieses Computers, bei der nichts auf dem Spiel steht.'],
  'app.genesis': [
    'Genesis-Datei',
    'Genesis-Datei (JSON) eines eigenen Netzes; der Datenordner behält sie für spätere Starts.',
  ],
  'app.networkId': ['Netz-ID', 'Netz-ID eines eigenen Netzes.'],
  'app.xhashMode': [
    'Größe des Arbeitsnachweises',
    'Größen des Arbeitsnachweises in einem eigenen Netz; test hat in jeder Epoche 1024 und 32768 Bytes.',
  ],
  'desktop.closeToTray': [
    'In die Taskleiste schließen',
    'Beim Schließen des Fensters läuft das Programm in der Taskleiste weiter; sonst endet es.',
  ],
  'desktop.autostart': ['Mit dem System starten', 'Bei der Anmeldung starten, in der Taskleiste.'],
  'desktop.notify': [
    'Benachrichtigungen',
    'Welche Benachrichtigungen gezeigt werden: eine wartende Freigabe, eine wegen Hitze angehaltene GPU, eine fehlerhafte GPU, ein gefundener (block) oder wieder verlorener Block (orphan), eine verfügbare Belohnung, ein verlorener oder gewechselter Pool, eine Warnung zum Pool, ein Rig ohne Kontakt, ein Knoten im Rückstand, ein fast voller Datenträger.',
  ],
  'desktop.quietHours': [
    'Ruhezeit',
    'Ortszeiten, zwischen denen keine Benachrichtigung gezeigt wird; eine wartende Freigabe schon.',
  ],
  'api.bind': [
    'Adresse des Steuer-Ports',
    'Wo Oberfläche, Übersicht, Steuerung und /metrics angeboten werden; off = nirgends.',
  ],
  'api.legacyPort': ['Port nur zum Lesen', 'Kurzform von --api-bind 127.0.0.1:PORT, die nie steuern lässt.'],
  'api.token': [
    'Token',
    'Geheimnis, das jede Anfrage an den Steuer-Port tragen muss.',
    `${OTHERS_READ} besser ist --api-token-file.`,
  ],
  'api.tokenFile': ['Datei des Tokens', 'Datei, deren einzige Zeile dieses Geheimnis ist.'],
  'api.allowControl': [
    'Steuern erlauben',
    'Der Steuer-Port darf Geräte anhalten, fortsetzen und neu starten.',
    'Ohne Token darf das jedes Programm dieses Computers.',
  ],
  'api.hosts': ['Weitere Hostnamen', 'Weiterer Hostname, auf den der Steuer-Port antwortet; mehrfach möglich.'],
  'keystore.folder': ['Ordner der Schlüssel', 'Ordner der Schlüsseldateien.'],
  'signer.keystore': ['Ordner der Schlüssel', 'Ordner der Schlüsseldateien.'],
  'signer.configDir': [
    'Ordner des Signierers',
    'Ordner von Hauptschlüssel, gespeicherten Passwörtern, Regeln und lokalem Socket.',
  ],
  'signer.signerSecret': [
    'Datei des Hauptschlüssels',
    'Datei des verschlüsselten Hauptschlüssels, von dem gespeicherte Passwörter, Regeln und Richtlinien abhängen.',
  ],
  'signer.rules': [
    'Skript der Regeln',
    'Skript, das über Anfragen entscheiden darf; benutzt wird es nur, wenn es bestätigt wurde.',
    'Was es freigibt, wird signiert, ohne Sie zu fragen.',
  ],
  'signer.chainId': ['Ketten-ID', 'Ketten-ID, für die Transaktionen signiert werden.'],
  'signer.lightKdf': [
    'Schwächere Schlüsselableitung',
    'Neue Schlüssel mit einer schwächeren, schnelleren Ableitung.',
    'Eine gestohlene Schlüsseldatei lässt sich etwa 64-mal schneller angreifen.',
  ],
  'signer.http': ['Signierer über HTTP', 'Die Schnittstelle des Signierers über HTTP anbieten.'],
  'signer.httpAddr': [
    'Adresse des Signierers',
    'Adresse, an der die Schnittstelle des Signierers lauscht.',
    'Wer eine andere als die lokale Adresse erreicht, kann Ihnen Anfragen vorlegen.',
  ],
  'signer.httpPort': ['Port des Signierers', 'Port der Schnittstelle des Signierers; 0 = irgendein freier.'],
  'signer.httpVhosts': [
    'Hostnamen des Signierers',
    'Hostnamen, auf die die Schnittstelle des Signierers außer auf IP-Adressen antwortet; * = alle.',
    'Mit * kann Ihnen jede Webseite über einen eigenen Namen Anfragen vorlegen.',
  ],
  'signer.ipcDisable': [
    'Kein lokaler Socket',
    'Die Schnittstelle des Signierers nicht auf einem lokalen Socket anbieten.',
  ],
  'signer.ipcPath': [
    'Lokaler Socket',
    'Lokaler Socket oder der Ordner, in dem clef.ipc entsteht; ein bloßer Name liegt im Ordner von --signer.configdir.',
  ],
  'signer.stdioUi': [
    'Ein anderes Programm fragt',
    'Das Programm an Standardein- und -ausgabe fragen, je Zeile eine JSON-RPC-Nachricht.',
    'Dieses Programm gibt frei, was signiert wird.',
  ],
  'signer.stdioUiTest': [
    'Dieses Programm prüfen',
    'Diesem Programm jede Art von Frage einmal stellen, um es zu prüfen.',
  ],
  'signer.selectorsCustom': [
    'Datei gelernter Methodennamen',
    'Datei mit Methodennamen, die Aufrufer angaben und die zu ihren Daten passten; leer = keine werden behalten.',
  ],
  'signer.selectorsBuiltin': [
    'Mitgelieferte Methodennamen',
    'Mitgelieferte Methodennamen; minimal = nur transfer(address,uint256).',
  ],
  'signer.strict': [
    'Strenger Modus',
    'Eine Anfrage mit einem Befund WARNING oder CRITICAL ablehnen, bevor Sie sie sehen.',
  ],
  'signer.auditLog': [
    'Prüfprotokoll',
    'Datei, an die jede Anfrage, Entscheidung und ihr Ergebnis angehängt werden; leer = keine.',
  ],
  'signer.approvalTimeoutSeconds': [
    'Zeit zum Entscheiden',
    'Zeit, nach der eine Anfrage abgelehnt wird, über die niemand entschied; 0 = keine.',
  ],
})
