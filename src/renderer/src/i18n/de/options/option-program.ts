// Die Optionen des Programms, des Fensters, des Steuer-Ports und des Signierers auf Deutsch.
import { optionTexts } from '../../option-text'

const OTHERS_READ = 'Andere Benutzer dieses Rechners können Befehlszeilen lesen;'

export const germanProgramOptions = optionTexts({
  'app.logLevel': ['Log-Stufe', 'Niedrigste Log-Stufe.'],
  'app.logJson': ['Log als JSON', 'Log als JSON auf die Standardfehlerausgabe schreiben, ein Objekt pro Zeile.'],
  'app.logFileSize': ['Größe der Log-Datei', 'Größe, ab der eine neue Log-Datei beginnt.'],
  'app.logFiles': ['Aufbewahrte Log-Dateien', 'So viele Log-Dateien werden aufbewahrt, die laufende eingeschlossen.'],
  'update.check': [
    'Nach Updates suchen',
    'Wann nach einer neueren Version gesucht wird: manual = auf Wunsch, daily = einmal am Tag, never = das Netz wird nie gefragt.',
  ],
  'update.url': [
    'Update-Adresse',
    'Adresse der signierten Datei update.json einer Version; die Pakete liegen daneben.',
  ],
  'app.headless': ['Ohne Fenster', 'Ohne Fenster laufen; das Dashboard öffnet sich im Browser.'],
  'app.welcome': ['Erste Schritte anbieten', 'Einrichtungsschritte im Fenster anbieten; danach schaltet sich das ab.'],
  'app.network': ['Netz', 'Netz; practice ist eine private Chain auf diesem Rechner, ohne Risiko.'],
  'app.genesis': [
    'Genesis-Datei',
    'Genesis-Datei (JSON) eines eigenen Netzes; bleibt für spätere Starts im Datenordner.',
  ],
  'app.networkId': ['Netz-ID', 'Netz-ID eines eigenen Netzes.'],
  'app.xhashMode': [
    'Proof-of-Work-Größe',
    'Proof-of-Work-Größe eines eigenen Netzes; test nutzt in jeder Epoche 1.024 und 32.768 Bytes.',
  ],
  'desktop.closeToTray': [
    'In den Infobereich schließen',
    'Nach dem Schließen des Fensters im Infobereich weiterlaufen.',
  ],
  'desktop.autostart': ['Mit dem System starten', 'Bei der Anmeldung im Infobereich starten.'],
  'desktop.notify': [
    'Benachrichtigungen',
    'Angezeigte Benachrichtigungen: wartende Freigabe, wegen Hitze pausierte GPU, GPU-Fehler, gefundener (block) oder nicht in der Chain gebliebener Block (side-block), gereifte Belohnung, verlorener oder gewechselter Pool, Pool-Warnung, Rig offline, Knoten im Rückstand, Datenträger fast voll, Morgenbericht.',
  ],
  'desktop.quietHours': ['Ruhezeit', 'Ruhezeit in Ortszeit: Nur wartende Freigaben werden gezeigt.'],
  'stratum.bind': [
    'Stratum-Adresse für Ihre Rigs',
    'Adresse, an der Ihre anderen Rigs über Stratum für Ihren Knoten minen; off = aus.',
  ],
  'stratum.token': [
    'Passwort für Rigs',
    'Passwort, mit dem sich jedes Rig anmelden muss.',
    `${OTHERS_READ} nehmen Sie besser --stratum-token-file.`,
  ],
  'stratum.tokenFile': ['Passwortdatei für Rigs', 'Datei mit diesem Passwort als einziger Zeile.'],
  'stratum.allow': ['Zugelassene Netze', 'Netze, deren Rigs sich verbinden dürfen, zum Beispiel 192.168.1.0/24.'],
  'stratum.certificateFile': ['TLS-Zertifikat', 'PEM-Zertifikat: Der Stratum-Port spricht dann nur TLS.'],
  'stratum.keyFile': ['Privater TLS-Schlüssel', 'Privater PEM-Schlüssel dieses Zertifikats.'],
  'api.bind': ['Adresse des Steuer-Ports', 'Adresse für Dashboard, JSON-API, Steuerung und /metrics; off = aus.'],
  'api.legacyPort': ['Port nur zum Lesen', 'Kurzform von --api-bind 127.0.0.1:PORT, immer schreibgeschützt.'],
  'api.token': [
    'Token',
    'Token, das jede Anfrage an den Steuer-Port braucht.',
    `${OTHERS_READ} nehmen Sie besser --api-token-file.`,
  ],
  'api.tokenFile': ['Token-Datei', 'Datei mit dem Token als einziger Zeile.'],
  'api.allowControl': [
    'Steuern erlauben',
    'Über den Steuer-Port Geräte pausieren, fortsetzen und neu starten lassen.',
    'Ohne Token kann das jedes Programm auf diesem Rechner.',
  ],
  'api.hosts': ['Weitere Hostnamen', 'Weiterer Hostname, auf den der Steuer-Port antwortet; mehrfach möglich.'],
  'keystore.folder': ['Ordner der Schlüssel', 'Ordner der Schlüsseldateien.'],
  'signer.keystore': ['Ordner der Schlüssel', 'Ordner der Schlüsseldateien.'],
  'signer.configDir': [
    'Signierer-Ordner',
    'Ordner für Hauptschlüssel, gespeicherte Passwörter, Regeln und lokalen Socket.',
  ],
  'signer.signerSecret': [
    'Hauptschlüssel-Datei',
    'Verschlüsselter Hauptschlüssel; gespeicherte Passwörter, Regeln und Richtlinien hängen davon ab.',
  ],
  'signer.rules': [
    'Regel-Skript',
    'Skript, das über Anfragen entscheiden darf; gilt erst, wenn es bestätigt wurde.',
    'Was es freigibt, wird signiert, ohne Sie zu fragen.',
  ],
  'signer.chainId': ['Chain-ID', 'Chain-ID, für die Transaktionen signiert werden.'],
  'signer.lightKdf': [
    'Schwächere Schlüsselableitung',
    'Neue Schlüssel mit einer schwächeren, schnelleren Ableitung.',
    'Eine gestohlene Schlüsseldatei lässt sich etwa 64-mal schneller angreifen.',
  ],
  'signer.unconfined': [
    'Gespeicherte Passwörter ohne Abschottung',
    'Gespeicherte Passwörter auch dort verwenden, wo sich der Schlüsselprozess nicht abschotten lässt.',
    'Ein Fehler im Schlüsselprozess könnte dann einen Schlüssel nach außen geben, der ohne Sie geöffnet wurde.',
  ],
  'signer.http': ['Signierer über HTTP', 'Die Signierer-API über HTTP anbieten.'],
  'signer.httpAddr': [
    'Signierer-Adresse',
    'Adresse, an der die Signierer-API lauscht.',
    'An einer nicht lokalen Adresse kann jeder, der sie erreicht, Ihnen Anfragen vorlegen.',
  ],
  'signer.httpPort': ['Signierer-Port', 'Port der Signierer-API; 0 = ein freier Port.'],
  'signer.httpVhosts': [
    'Signierer-Hostnamen',
    'Hostnamen, auf die die Signierer-API neben IP-Adressen antwortet; * = alle.',
    'Mit * kann Ihnen jede Webseite über einen eigenen Namen Anfragen vorlegen.',
  ],
  'signer.ipcDisable': ['Kein lokaler Socket', 'Die Signierer-API nicht über einen lokalen Socket anbieten.'],
  'signer.ipcPath': [
    'Lokaler Socket',
    'Lokaler Socket oder Ordner für clef.ipc; ein Name ohne Pfad liegt im Ordner von --signer.configdir.',
  ],
  'signer.stdioUi': [
    'Externe Oberfläche',
    'Anfragen an das Programm an Standardein- und -ausgabe stellen, eine JSON-RPC-Nachricht pro Zeile.',
    'Dieses Programm entscheidet, was signiert wird.',
  ],
  'signer.stdioUiTest': ['Externe Oberfläche testen', 'Der externen Oberfläche jede Art von Anfrage einmal stellen.'],
  'signer.selectorsCustom': [
    'Gelernte Methodennamen',
    'Datei mit Methodennamen, die Aufrufer nannten und die zu ihren Daten passten; leer = keine speichern.',
  ],
  'signer.selectorsBuiltin': [
    'Mitgelieferte Methodennamen',
    'Mitgelieferte Methodennamen; minimal = nur transfer(address,uint256).',
  ],
  'signer.strict': ['Strenger Modus', 'Anfragen mit WARNING oder CRITICAL ablehnen, ohne Sie zu fragen.'],
  'signer.descriptors': [
    'Beschreibungen von Verträgen',
    'Ordner mit ERC-7730-Beschreibungen, die Aufrufe bekannter Verträge in Worte fassen.',
  ],
  'signer.usb': ['Hardware-Wallets', 'Konten eines Ledger benutzen, der über USB angeschlossen ist.'],
  'signer.auditLog': ['Audit-Log', 'Datei für jede Anfrage, Entscheidung und deren Ergebnis; leer = keine.'],
  'signer.approvalTimeoutSeconds': [
    'Entscheidungsfrist',
    'Unentschiedene Anfragen nach dieser Zeit ablehnen; 0 = nie.',
  ],
})
