// The German texts of the accounts screen and the vault.
import type { Catalogue } from './en'

export const accountsTexts = {
  'ui.accounts.account': 'Konto',
  'ui.accounts.address': 'Adresse',
  'ui.accounts.available': 'Verfügbar',
  'ui.accounts.locked': 'Gesperrt',
  'ui.accounts.nextUnlock': 'Nächste Freigabe',
  'ui.accounts.unlockAt': '{amount} mit Block {height, number}',
  'ui.accounts.atHeight': 'mit Block {height, number}',
  'ui.accounts.nothingLocked': 'nichts gesperrt',
  'ui.accounts.nonce': 'Nonce',
  'ui.accounts.asOf': 'Stand Block {height, number}',
  'ui.accounts.keystore': 'Schlüsselbund',
  'ui.accounts.folder': 'Schlüsseldateien liegen in',
  'ui.accounts.coinbase': 'erhält Prämien',
  'ui.accounts.ambiguous': '{count} Dateien, kann nicht signieren',
  'ui.accounts.none': 'Es gibt noch kein Konto',
  'ui.accounts.noneText':
    'Ein neues Konto ist eine Schlüsseldatei auf diesem Rechner, verschlossen mit einem Passwort, das nur Sie kennen.',
  'ui.accounts.noBalance': 'Die Guthaben sind noch nicht bekannt',
  'ui.accounts.new': 'Neues Konto',
  'ui.accounts.newFailed': 'Ein Konto konnte nicht angefragt werden',
  'ui.accounts.problems': 'Dateien, die nicht als Schlüssel lesbar sind',
  'ui.accounts.open': 'Konto {address}',

  'ui.accounts.backup': 'Sicherung',
  'ui.accounts.lastUsed': 'Zuletzt signiert',

  'ui.health.keystore-not-backed-up':
    '{count, plural, one {# Konto ohne geprüfte Sicherung} other {# Konten ohne geprüfte Sicherung}}',

  'ui.label.none': 'Noch kein Name',
  'ui.label.name': 'Name',
  'ui.label.edit': 'Benennen',
  'ui.label.save': 'Speichern',

  'ui.watch.title': 'Nur beobachtet',
  'ui.watch.none': 'Keine Adresse wird beobachtet',
  'ui.watch.add': 'Eine Adresse beobachten',
  'ui.watch.action': 'Beobachten',
  'ui.watch.remove': 'Nicht mehr beobachten',
  'ui.watch.removeOne': '{address} nicht mehr beobachten',
  'ui.watch.only':
    'Diese Adresse wird nur beobachtet: Ihr Schlüssel ist nicht hier, von ihr kann also nichts gesendet werden.',

  'ui.backup.title': 'Sicherung',
  'ui.backup.state.unknown': 'nicht bekannt',
  'ui.backup.state.none': 'keine Sicherung',
  'ui.backup.state.saved': 'noch nicht geprüft',
  'ui.backup.state.done': 'gesichert',
  'ui.backup.state.old': 'älteres Passwort',
  'ui.backup.text.unknown':
    'Dieses Konto war hier, bevor das Programm nachsah. Haben Sie eine Kopie der Schlüsseldatei, prüfen Sie sie; sonst speichern Sie eine.',
  'ui.backup.text.none':
    'Der Schlüssel liegt nur auf diesem Rechner. Geht der Datenträger kaputt, ist verloren, was das Konto enthält.',
  'ui.backup.text.saved':
    'Die Datei wurde gespeichert, aber noch ist nicht gezeigt, dass die Kopie sich mit Ihrem Passwort öffnet.',
  'ui.backup.text.done': 'Eine Kopie wurde zurückgelesen und mit ihrem Passwort geöffnet.',
  'ui.backup.text.old':
    'Das Passwort wurde seither geändert: Ihre Kopie öffnet sich weiter, mit dem Passwort von damals. Speichern Sie eine neue, falls Sie es vergessen könnten.',
  'ui.backup.practice':
    'Übungsgeld: Es steht nichts von Wert auf dem Spiel. Sie können die Schritte hier ausprobieren.',
  'ui.backup.save': '1. Die Schlüsseldatei anderswo speichern',
  'ui.backup.saveText':
    'Die Datei bleibt mit dem Passwort des Kontos verschlossen. Legen Sie sie auf einen anderen Datenträger: Eine Kopie auf diesem hilft wenig.',
  'ui.backup.saveAction': 'Schlüsseldatei speichern',
  'ui.backup.saved': 'Übergeben: {file}. Prüfen Sie jetzt die Kopie.',
  'ui.backup.prove': '2. Die Kopie prüfen',
  'ui.backup.proveText':
    'Wählen Sie die Datei dort, wo Sie sie abgelegt haben, und tippen Sie ihr Passwort noch einmal. Sie wird hier geöffnet und nicht behalten.',
  'ui.backup.copy': 'Die gespeicherte Kopie',
  'ui.backup.proveAction': 'Prüfen',
  'ui.backup.noFile': 'Wählen Sie zuerst die gespeicherte Datei.',
  'ui.backup.tooLarge': 'Eine Schlüsseldatei hat weniger als 64 KiB.',
  'ui.backup.unreadable': 'Die Datei ist nicht lesbar.',
  'ui.backup.proved': 'Die Kopie enthält diesen Schlüssel und öffnet sich mit dem Passwort.',

  'ui.forget.title': 'Dieses Konto vergessen',
  'ui.forget.text':
    'Die Schlüsseldatei kommt in den Ordner „forgotten“ im Ordner der Schlüsseldateien, ein aufbewahrtes Passwort wird gelöscht. Die Datei selbst bleibt: Legen Sie sie zurück, ist das Konto wieder da. Wartende Prämien gehen weiter an diese Adresse.',
  'ui.forget.digits': 'Tippen Sie die letzten 6 Ziffern der Adresse',
  'ui.forget.digitsMissing': 'Tippen Sie zuerst die letzten 6 Ziffern der Adresse.',
  'ui.forget.action': 'Vergessen',

  'ui.callers.title': 'Verbundene Aufrufer',
  'ui.callers.none': 'Noch hat niemand den Signierer gefragt',
  'ui.callers.text':
    'Programme und Seiten, die den Signierer gefragt haben. Die Namen sind ihre eigenen: Ein Programm kann sich als ein anderes ausgeben.',
  'ui.callers.firstSeen': 'zuerst',
  'ui.callers.lastSeen': 'zuletzt',
  'ui.callers.counts': '{allowed, number} erlaubt, {denied, number} abgelehnt',
  'ui.callers.block': 'Für 24 h sperren',
  'ui.callers.blockOne': '{name} für 24 Stunden sperren',
  'ui.callers.blocked': 'gesperrt bis {time}',
  'ui.callers.undo': 'Rückgängig',
  'ui.callers.undoOne': '{name} wieder anhören',
  'ui.callers.unknown': 'Unbekanntes Programm auf diesem Rechner',
  'ui.callers.unknownSocket': 'Programme am lokalen Socket',
  'ui.callers.http': 'HTTP von {host}',
  'ui.callers.socket': 'lokaler Socket',
  'ui.callers.saysItIs': 'nennt sich',

  'ui.signer.elsewhere':
    'Tresor, Regeln, Aufrufer, Protokoll, Passwörter und Sicherungen stehen in dem Fenster, das über Anfragen entscheidet: Menü Fenster, Signierer.',

  'ui.secret.missingNew': 'Füllen Sie alle Felder aus; ein neues Passwort hat mindestens {count} Zeichen.',

  'ui.account.notOwn': 'Dieses Konto ist nicht im Schlüsselbund',
  'ui.account.receive': 'Adresse und Guthaben',
  'ui.account.qr': 'Die Adresse als QR-Code',
  'ui.account.history': 'Aufgezeichnete Anfragen',
  'ui.account.recordWhole':
    '{count, plural, one {Der einzige Eintrag} other {Alle # Einträge}} zu diesem Konto, seit {time}.',
  'ui.account.recordRange': 'Die letzten {count, number} Einträge zu diesem Konto, seit {time}.',
  'ui.account.chainHistory': 'Transaktionen',
  'ui.account.historyFailed': 'Die Transaktionen waren nicht lesbar',
  'ui.account.historyRange':
    '{count, plural, =0 {Keine Transaktion} one {# Transaktion} other {# Transaktionen}} in den Blöcken {oldest, number} bis {newest, number}.',
  'ui.account.historyMore': 'Weiter zurück suchen',
  'ui.account.out': 'gesendet',
  'ui.account.in': 'erhalten',
  'ui.account.creation': 'neuer Vertrag',
  'ui.account.reverted': 'fehlgeschlagen',
  'ui.account.changePassword': 'Passwort ändern',
  'ui.account.newPassword': 'Neues Passwort',
  'ui.account.change': 'Ändern',
  'ui.account.changed':
    'Das Passwort wurde geändert. Ältere Kopien der Schlüsseldatei öffnen sich weiter mit dem alten.',

  'ui.send.title': 'Senden',
  'ui.send.amount': 'Betrag, LAX',
  'ui.send.noAddress': 'Eine Adresse ist 0x und 40 Ziffern.',
  'ui.send.noAmount': 'Geben Sie einen Betrag mit einem Dezimalzeichen ein, höchstens 18 Nachkommastellen.',
  'ui.send.missing': 'Geben Sie eine Adresse und einen Betrag ein.',
  'ui.send.prepare': 'Weiter',
  'ui.send.problem': 'Es würde fehlschlagen: {reason}',
  'ui.send.ask': 'Um Signatur bitten',
  'ui.send.askText': 'Noch ist nichts gesendet: Über die Anfrage wird entschieden wie über jede andere.',
  'ui.send.own': 'Von hier gesendet',
  'ui.send.hash': 'Transaktion',
  'ui.send.state.waiting': 'wartet auf Ihre Entscheidung',
  'ui.send.state.sent': 'gesendet',
  'ui.send.state.refused': 'abgelehnt',
  'ui.send.state.failed': 'fehlgeschlagen',

  'ui.maturity.title': 'Prämien auf dem Weg',
  'ui.maturity.none': 'Keine gesperrten Prämien dieses Kontos.',
  'ui.maturity.failed': 'Die Blöcke waren nicht lesbar',
  'ui.maturity.found': 'gefunden mit {height, number}',
  'ui.maturity.at': 'etwa {time}',
  'ui.maturity.between': '{from} bis {to}',
  'ui.maturity.basis':
    'Zwischen dem Tempo, das die Kette anstrebt ({target} je Block), und dem der letzten {count, number} Blöcke ({measured} je Block).',
  'ui.maturity.basisTarget': 'Mit dem Tempo, das die Kette anstrebt: {target} je Block.',
  'ui.maturity.row':
    'Prämie von Block {height, number}, frei mit Block {unlock, number}: {left, plural, one {noch # Block} other {noch # Blöcke}}',
  'ui.maturity.more': '{count, plural, one {# weitere Prämie} other {# weitere Prämien}}',

  'ui.import.title': 'Ein Konto einlesen',
  'ui.import.open': 'Aus einer Schlüsseldatei oder einem privaten Schlüssel',
  'ui.import.file': 'Schlüsseldatei',
  'ui.import.text': 'Schlüsseldatei (JSON), oder die 64 Ziffern eines privaten Schlüssels',
  'ui.import.old': 'Passwort der Schlüsseldatei',
  'ui.import.new': 'Passwort, das es hier bekommt',
  'ui.import.action': 'Einlesen',
  'ui.import.missing': 'Fügen Sie zuerst eine Schlüsseldatei oder einen privaten Schlüssel ein.',
  'ui.import.done': 'Eingelesen: {address}',

  'ui.vault.title': 'Tresor',
  'ui.vault.state.missing':
    'Es gibt noch keinen Tresor. Mit einem lassen sich Passwörter aufbewahren und kleine Zahlungen nach Regeln freigeben, die Sie aufstellen.',
  'ui.vault.state.closed': 'Der Tresor ist verschlossen: Nichts wird ohne Sie entschieden.',
  'ui.vault.state.open': 'Der Tresor ist offen: Aufbewahrte Passwörter und Regeln gelten.',
  'ui.vault.newMaster': 'Hauptpasswort',
  'ui.vault.master': 'Hauptpasswort',
  'ui.vault.init': 'Tresor anlegen',
  'ui.vault.unlock': 'Öffnen',
  'ui.vault.lock': 'Jetzt verschließen',
  'ui.vault.stored': 'Aufbewahrte Passwörter',
  'ui.vault.storedText':
    'Solange der Tresor offen ist, braucht eine freigegebene Anfrage eines solchen Kontos kein Passwort. Regeln signieren nur damit.',
  'ui.vault.isStored': 'aufbewahrt',
  'ui.vault.forget': 'Vergessen',
  'ui.vault.store': 'Ein Passwort aufbewahren',
  'ui.vault.storeAction': 'Aufbewahren',
  'ui.vault.script': 'Regelskript',
  'ui.vault.noScript': 'Beim Start wurde kein Skript genannt (Option --rules).',
  'ui.vault.attested': 'Diese Datei ist bestätigt: Sie entscheidet vor den Regeln.',
  'ui.vault.notAttested': 'Diese Datei ist nicht bestätigt: Sie wird nicht benutzt.',
  'ui.vault.scriptLocked':
    'Der Tresor ist verschlossen: Diese Datei wird nicht benutzt, und ob sie bestätigt ist, lässt sich nicht sagen.',
  'ui.vault.showScript': 'Skript zeigen',
  'ui.vault.hideScript': 'Skript verbergen',
  'ui.vault.scriptChanged':
    'Die Datei wurde geändert, seit ihre Prüfsumme genommen wurde: Das ist nicht der Text der Prüfsumme oben.',
  'ui.vault.attest': 'Diese Datei zulassen',
} satisfies Catalogue
