// The German texts of the accounts screen and the vault.
import type { Catalogue } from '../en/all'

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
  'ui.accounts.keystore': 'Keystore',
  'ui.accounts.folder': 'Ordner der Schlüsseldateien',
  'ui.accounts.coinbase': 'Belohnungskonto',
  'ui.accounts.carried': 'nicht verbunden, {path}',
  'ui.accounts.always': 'signiert ohne Rückfrage',
  'ui.accounts.device': 'Ledger {path}',
  'ui.accounts.ambiguous': '{count} Dateien mit diesem Schlüssel, kann nicht signieren',
  'ui.accounts.none': 'Noch keine Konten',
  'ui.accounts.unconfined':
    'Der Schlüsselprozess ist nicht abgeschottet und könnte Dateien und Verbindungen öffnen: {reason}. Gespeicherte Passwörter werden nur mit --signer.unconfined verwendet.',
  'ui.accounts.noneText':
    'Ein Konto ist eine Schlüsseldatei auf diesem Rechner, verschlüsselt mit einem Passwort, das nur Sie kennen.',
  'ui.accounts.noBalance': 'Guthaben noch nicht bekannt',
  'ui.accounts.new': 'Neues Konto',
  'ui.accounts.newFailed': 'Das Konto lässt sich nicht anlegen',
  'ui.accounts.problems': 'Nicht lesbare Schlüsseldateien',
  'ui.accounts.open': 'Konto {address}',

  'ui.accounts.lastUsed': 'Zuletzt signiert',

  'ui.health.keystore-not-backed-up':
    '{count, plural, one {# Konto ohne geprüfte Sicherung} other {# Konten ohne geprüfte Sicherung}}',

  'ui.label.name': 'Name',
  'ui.label.edit': 'Umbenennen',

  'ui.watch.title': 'Nur beobachtet',
  'ui.watch.text': 'Diese Adressen können Sie beim Senden wählen; Freigaben zeigen ihren Namen.',
  'ui.watch.none': 'Sie beobachten keine Adressen',
  'ui.watch.add': 'Adresse beobachten',
  'ui.watch.action': 'Beobachten',
  'ui.watch.remove': 'Nicht mehr beobachten',
  'ui.watch.removeOne': '{address} nicht mehr beobachten',
  'ui.watch.only':
    'Nur beobachtet: Der Schlüssel liegt nicht auf diesem Rechner, von dieser Adresse können Sie nichts senden.',

  'ui.backup.title': 'Sicherung',
  'ui.backup.state.unknown': 'unbekannt',
  'ui.backup.state.none': 'keine Sicherung',
  'ui.backup.state.saved': 'nicht geprüft',
  'ui.backup.state.done': 'gesichert',
  'ui.backup.state.old': 'altes Passwort',
  'ui.backup.text.unknown':
    'Headframe weiß nicht, ob Sie eine Sicherung dieses Kontos haben. Prüfen Sie Ihre Kopie oder speichern Sie eine.',
  'ui.backup.text.none':
    'Der Schlüssel liegt nur auf diesem Rechner. Bei einem Plattendefekt ist das Guthaben unwiederbringlich verloren.',
  'ui.backup.text.saved':
    'Sie haben eine Kopie gespeichert, aber noch nicht geprüft, ob sie sich mit Ihrem Passwort öffnet.',
  'ui.backup.text.done': 'Sie haben geprüft, dass sich Ihre Kopie mit ihrem Passwort öffnet.',
  'ui.backup.text.old':
    'Sie haben das Passwort nach dieser Sicherung geändert. Die Kopie öffnet sich mit dem alten Passwort; speichern Sie eine neue, falls Sie es vergessen könnten.',
  'ui.backup.practice': 'Übungs-Coins haben keinen Wert, aber Sie können die Schritte hier ausprobieren.',
  'ui.backup.save': '1. Schlüsseldatei woanders speichern',
  'ui.backup.saveText':
    'Die Datei bleibt mit dem Passwort des Kontos verschlüsselt. Legen Sie sie auf ein anderes Gerät: Eine Kopie auf dieser Platte geht mit ihr verloren.',
  'ui.backup.saveAction': 'Schlüsseldatei speichern',
  'ui.backup.saved': '{file} gespeichert. Prüfen Sie jetzt die Kopie.',
  'ui.backup.prove': '2. Kopie prüfen',
  'ui.backup.proveText':
    'Wählen Sie die Datei dort aus, wo Sie sie gespeichert haben, und geben Sie ihr Passwort ein. Sie wird auf diesem Rechner geprüft und nicht aufbewahrt.',
  'ui.backup.copy': 'Gespeicherte Kopie',
  'ui.backup.proveAction': 'Prüfen',
  'ui.backup.noFile': 'Wählen Sie zuerst die gespeicherte Datei aus.',
  'ui.backup.tooLarge': 'Das ist keine Schlüsseldatei: Sie ist größer als 64 KiB.',
  'ui.backup.unreadable': 'Die Datei ist nicht lesbar.',
  'ui.backup.proved': 'Geprüft: Die Kopie enthält diesen Schlüssel und öffnet sich mit dem Passwort.',

  'ui.forget.title': 'Dieses Konto entfernen',
  'ui.forget.device':
    'Nimmt das Konto von der Liste. Sein Schlüssel bleibt im Gerät; mit headframe account add fügen Sie das Konto jederzeit wieder hinzu.',
  'ui.forget.text':
    'Verschiebt die Schlüsseldatei in den Ordner „forgotten“ im Keystore und löscht ein gespeichertes Passwort. Um das Konto wiederherzustellen, verschieben Sie die Datei zurück. Ausstehende Belohnungen gehen weiter an diese Adresse.',
  'ui.forget.digits': 'Geben Sie die letzten 6 Ziffern der Adresse ein',
  'ui.forget.digitsMissing': 'Geben Sie zuerst die letzten 6 Ziffern der Adresse ein.',
  'ui.forget.action': 'Konto entfernen',

  'ui.callers.title': 'Aufrufer',
  'ui.callers.none': 'Noch keine Aufrufer',
  'ui.callers.text':
    'Programme und Webseiten, die Anfragen an den Signierer gesendet haben. Namen sind Eigenangaben; ein Programm kann sich als ein anderes ausgeben.',
  'ui.callers.firstSeen': 'zuerst',
  'ui.callers.lastSeen': 'zuletzt',
  'ui.callers.counts': '{allowed, number} erlaubt, {denied, number} abgelehnt',
  'ui.callers.block': '24 h blockieren',
  'ui.callers.blocked': 'blockiert bis {time}',
  'ui.callers.undo': 'Freigeben',
  'ui.callers.unknown': 'Unbekanntes Programm auf diesem Rechner',
  'ui.callers.unknownSocket': 'Programme am lokalen Socket',
  'ui.callers.http': 'HTTP von {host}',
  'ui.callers.socket': 'lokaler Socket',
  'ui.callers.saysItIs': 'nach eigener Angabe',

  'ui.signer.elsewhere':
    'Tresor, Regeln, Aufrufer, Prüfprotokoll, Passwörter und Sicherungen finden Sie im Signierfenster: Menü Fenster, Signierer.',

  'ui.secret.missingNew': 'Füllen Sie alle Felder aus. Ein neues Passwort braucht mindestens {count} Zeichen.',

  'ui.account.notOwn': 'Dieses Konto ist nicht im Keystore',
  'ui.account.receive': 'Empfangen',
  'ui.account.qr': 'QR-Code der Adresse',
  'ui.account.history': 'Signierverlauf',
  'ui.account.recordWhole': '{count, plural, one {1 Eintrag} other {# Einträge}} seit {time}.',
  'ui.account.recordRange': 'Letzte {count, number} Einträge, seit {time}.',
  'ui.account.chainHistory': 'Transaktionen',
  'ui.account.historyFailed': 'Die Transaktionen sind nicht lesbar',
  'ui.account.historyRange':
    '{count, plural, =0 {Keine Transaktionen} one {# Transaktion} other {# Transaktionen}} in den Blöcken {oldest, number} bis {newest, number}.',
  'ui.account.out': 'gesendet',
  'ui.account.in': 'erhalten',
  'ui.account.creation': 'neuer Vertrag',
  'ui.account.reverted': 'fehlgeschlagen',
  'ui.account.changePassword': 'Passwort ändern',
  'ui.account.newPassword': 'Neues Passwort',
  'ui.account.changed':
    'Passwort geändert. Ältere Kopien der Schlüsseldatei öffnen sich weiter mit dem alten Passwort.',

  'ui.send.title': 'Senden',
  'ui.send.saveAs': 'Name für diese Adresse (optional)',
  'ui.send.saveAsHint': 'Speichert sie unter Konten; Freigaben zeigen dann den Namen.',
  'ui.send.savedAs': 'Gespeichert als {name}',
  'ui.send.amount': 'Betrag, LAX',
  'ui.send.noAddress': 'Geben Sie eine Adresse ein: 0x und 40 Hexziffern.',
  'ui.send.misspelled':
    'Diese Adresse enthält einen Tippfehler: Ihre Prüfsumme stimmt nicht. Kopieren Sie sie noch einmal.',
  'ui.send.missingTo': 'Geben Sie die Adresse ein.',
  'ui.send.fixTo': 'Berichtigen Sie die Adresse.',
  'ui.send.missingAmount': 'Geben Sie den Betrag ein.',
  'ui.send.fixAmount': 'Berichtigen Sie den Betrag.',
  'ui.amount.ambiguous': '{small} oder {large}? Schreiben Sie eines davon.',
  'ui.amount.tooFine':
    'Höchstens {decimals, plural, =0 {keine Nachkommastellen} one {# Nachkommastelle} other {# Nachkommastellen}}.',
  'ui.amount.notNumber': 'Geben Sie eine Zahl wie 1,5 ein, ohne Tausendertrennzeichen.',
  'ui.send.prepare': 'Weiter',
  'ui.send.within': 'Mit 85 % Wahrscheinlichkeit bestätigt',
  'ui.send.blocks': 'Binnen {blocks, plural, one {# Block} other {# Blöcken}}',
  'ui.send.recentPrice':
    'Ihr Knoten hat zu wenige Transaktionen gesehen, um zu sagen, wie lange welcher Preis wartet. Diese Gebühr ist der übliche Preis der letzten Blöcke.',
  'ui.send.problem': 'Diese Transaktion würde fehlschlagen: {reason}',
  'ui.send.ask': 'Signatur anfordern',
  'ui.send.askText': 'Gesendet wird erst, wenn Sie die Anfrage freigeben.',
  'ui.send.own': 'Mit Headframe gesendet',
  'ui.send.hash': 'Transaktion',
  'ui.send.state.waiting': 'wartet auf Ihre Freigabe',
  'ui.send.state.sent': 'gesendet',
  'ui.send.state.refused': 'abgelehnt',
  'ui.send.state.failed': 'fehlgeschlagen',

  'ui.maturity.title': 'Reifende Belohnungen',
  'ui.maturity.none': 'Keine reifenden Belohnungen.',
  'ui.maturity.stairs': '{count, plural, one {# Belohnung reift} other {# Belohnungen reifen}}, zusammen {amount}',
  'ui.account.part.activity': 'Aktivität',
  'ui.account.part.security': 'Sicherheit',
  'ui.maturity.found': 'gefunden bei Block {height, number}',
  'ui.maturity.next': 'mit Block {height, number}, {when}',
  'ui.maturity.at': 'etwa {time}',
  'ui.maturity.basis':
    'Geschätzt aus der angestrebten Blockzeit ({target}) und dem Mittel der letzten {count, number} Blöcke ({measured}).',
  'ui.maturity.basisTarget': 'Geschätzt aus der angestrebten Blockzeit von {target}.',
  'ui.maturity.more': '{count, plural, one {# weitere Belohnung} other {# weitere Belohnungen}}',

  'ui.import.title': 'Konto importieren',
  'ui.import.open': 'Schlüsseldatei oder privaten Schlüssel importieren',
  'ui.import.file': 'Schlüsseldatei',
  'ui.import.text': 'Schlüsseldatei (JSON) oder privater Schlüssel (64 Hexziffern)',
  'ui.import.old': 'Passwort der Schlüsseldatei',
  'ui.import.new': 'Neues Passwort',
  'ui.import.action': 'Importieren',
  'ui.import.missing': 'Fügen Sie zuerst eine Schlüsseldatei oder einen privaten Schlüssel ein.',
  'ui.import.done': '{address} importiert',

  'ui.vault.title': 'Tresor',
  'ui.vault.state.missing':
    'Noch kein Tresor. Ein Tresor speichert Passwörter und lässt Ihre Regeln kleine Zahlungen freigeben.',
  'ui.vault.state.closed': 'Der Tresor ist gesperrt. Sie entscheiden jede Anfrage selbst.',
  'ui.vault.state.open': 'Der Tresor ist entsperrt. Gespeicherte Passwörter und Regeln sind aktiv.',
  'ui.vault.master': 'Hauptpasswort',
  'ui.vault.init': 'Tresor anlegen',
  'ui.vault.unlock': 'Entsperren',
  'ui.vault.lock': 'Jetzt sperren',
  'ui.vault.stored': 'Gespeicherte Passwörter',
  'ui.vault.storedText':
    'Solange der Tresor entsperrt ist, signieren Regeln und das Skript mit gespeicherten Passwörtern. In diesem Fenster geben Sie das Passwort für jede Freigabe ein.',
  'ui.vault.isStored': 'gespeichert',
  'ui.vault.forget': 'Löschen',
  'ui.vault.store': 'Passwort speichern',
  'ui.vault.storeAction': 'Passwort speichern',
  'ui.vault.script': 'Regelskript',
  'ui.vault.noScript': 'Kein Regelskript (Option --rules).',
  'ui.vault.scriptCap':
    'Je Konto und Tag darf es {signatures}-mal signieren und {lax} bewegen, Gebühren eingerechnet; ein Token-Aufruf oder ein Dokument zählt als eine Signatur.',
  'ui.vault.attested': 'Sie haben dieses Skript zugelassen. Es entscheidet vor den Regeln.',
  'ui.vault.notAttested': 'Sie haben dieses Skript nicht zugelassen, es wird nicht verwendet.',
  'ui.vault.scriptLocked':
    'Der Tresor ist gesperrt, darum wird dieses Skript nicht verwendet. Entsperren Sie ihn, um zu sehen, ob es zugelassen ist.',
  'ui.vault.showScript': 'Skript anzeigen',
  'ui.vault.hideScript': 'Skript ausblenden',
  'ui.vault.scriptChanged':
    'Das Skript wurde geändert, nachdem sein Hash bestimmt wurde. Dieser Text passt nicht zum Hash oben.',
  'ui.vault.otherAttested':
    'Es wird kein Skript verwendet: Der Konfigurationsordner lässt ein anderes zu, als Sie hier zuletzt zugelassen haben. Ein anderes Programm hat es zugelassen, oder jemand hat eine ältere Datei zurückgelegt. Um dieses Skript zu verwenden, lassen Sie es erneut zu.',
  'ui.vault.changeCap': 'Grenzen ändern',
  'ui.vault.setCap': 'Grenzen setzen',
  'ui.vault.capSignatures': 'Höchstens Signaturen je Konto und Tag',
  'ui.vault.capLax': 'Höchstens LAX je Konto und Tag, Gebühren eingerechnet',
  'ui.vault.needCap': 'Geben Sie 1 bis 1.000.000 Signaturen und einen Betrag in LAX ein.',
  'ui.vault.attest': 'Dieses Skript zulassen',
} satisfies Catalogue
