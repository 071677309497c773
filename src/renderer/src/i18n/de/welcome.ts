// The German texts of the first steps.
import type { Catalogue } from '../en/all'

export const welcomeTexts = {
  'ui.welcome.title': 'Mining einrichten',
  'ui.welcome.computer': 'Dieser Computer',
  'ui.welcome.card':
    '{network, select, practice {Sie sind im Übungsnetz. In wenigen Schritten richten Sie echtes Mining ein.} other {Einrichtung abschließen: Auszahlungskonto, Geräte, Solo oder Pool.}}',
  'ui.welcome.later': 'Nicht jetzt',
  'ui.welcome.start': 'Mining starten',
  'ui.welcome.leave': 'Zur Übersicht',
  'ui.welcome.step.network': 'Netz',
  'ui.welcome.step.folder': 'Datenordner',
  'ui.welcome.step.account': 'Konto',
  'ui.welcome.step.work': 'Solo oder Pool',
  'ui.welcome.step.sharing': 'Zugriff',
  'ui.welcome.network.practice':
    'Eine private Chain auf diesem Rechner mit leichtem Proof of Work. Alles lässt sich in Sekunden ausprobieren, ohne Risiko.',
  'ui.welcome.network.main':
    'Die echte Chain. Coins haben Wert, im Mittel wird alle 10 Minuten ein Block gefunden, und zum Verdienen brauchen Sie eine GPU mit genug Speicher.',
  'ui.welcome.network.test': 'Eine öffentliche Chain zum Testen. Wie das Hauptnetz, aber die Coins haben keinen Wert.',
  'ui.welcome.folderText': 'Hier speichert Headframe Chain, Schlüsseldateien, Logs und Einstellungen.',
  'ui.welcome.needed': 'Empfohlen',
  'ui.welcome.noRoom': 'Auf dieser Festplatte ist wenig Platz. Die Synchronisierung hält an, bevor sie voll ist.',
  'ui.welcome.payHere': 'Dieses Konto verwenden',
  'ui.welcome.payTo': 'Auszahlungsadresse',
  'ui.welcome.payToHint':
    'Leer lassen, um die jetzige zu behalten. Zum Mining genügt die Adresse, der Schlüssel ist nicht nötig.',
  'ui.welcome.devicesText':
    'Headframe hat diese Geräte gefunden. Messen Sie sie in der vollen Größe des Hauptnetzes: Dabei wird nichts gemint, und das Mining pausiert.',
  'ui.welcome.measure': 'Diesen Computer messen',
  'ui.welcome.measureStop': 'Messung beenden',
  'ui.welcome.measurePreparing':
    'Der volle DAG wird gebaut. Eine GPU braucht bis zu einer Minute, eine CPU mehrere. Danach wird 20 s gemessen.',
  'ui.welcome.measureFailed': 'Nicht gemessen.',
  'ui.welcome.measureDone': 'In voller Größe gemessen: {hashrate}.',
  'ui.welcome.measureLeft': 'Messung läuft, noch {seconds} s',
  'ui.welcome.soloText':
    'Ganze Blöcke, aber selten. Die volle Belohnung gehört Ihnen; wie lange ein Block dauert, ist Glück.',
  'ui.welcome.poolText': 'Kleine Zahlungen, dafür oft. Der Pool bezahlt Ihre Shares und behält eine Gebühr.',
  'ui.welcome.wait10': '10 % Chance auf einen Block innerhalb von',
  'ui.welcome.wait50': '50 % Chance innerhalb von',
  'ui.welcome.wait90': '90 % Chance innerhalb von',
  'ui.welcome.waitUnknown':
    'Wie lange ein Block in diesem Netz dauert, zeigt die Übersicht, sobald die Header synchronisiert sind.',
  'ui.welcome.local': 'Nur dieser Rechner',
  'ui.welcome.localText': 'Andere Rechner können sich nicht verbinden.',
  'ui.welcome.home': 'Telefone und Rechner im Heimnetz',
  'ui.welcome.homeText':
    'Das Dashboard ist im Heimnetz erreichbar. Wer das Token hat, kann es ansehen. Die Steuerung bleibt aus, und Schlüssel bleiben auf diesem Rechner.',
  'ui.welcome.tokenText': 'Nach dem Neustart scannen Sie diesen Code mit dem Telefon oder geben dieses Token ein:',
  'ui.welcome.qr': 'QR-Code mit Adresse und Token des Dashboards',
  'ui.welcome.noAddress': 'Dieser Rechner ist mit keinem Heimnetz verbunden.',
  'ui.welcome.needsAccount': 'Sie haben kein Auszahlungskonto gewählt. Der Knoten synchronisiert, aber mint nicht.',
  'ui.welcome.commandLine': 'Dasselbe als Befehlszeile',
  'ui.welcome.failed': '--{flag} lässt sich nicht speichern: {reason}',
  'ui.welcome.done': 'Bereit. Headframe läuft mit diesen Einstellungen.',
  'ui.welcome.live': 'Was Headframe gerade tut',
  'ui.welcome.live.starting': 'Miner startet',
  'ui.welcome.live.noPool': 'Noch kein Pool. Fügen Sie unter Pools einen hinzu.',
  'ui.welcome.live.connecting': 'Verbindet sich mit {host}',
  'ui.welcome.live.pool': 'Verbunden mit {host}',
  'ui.welcome.live.noWork': 'Wartet auf Arbeit von Ihrem Knoten',
  'ui.welcome.live.node': 'Ihr Knoten vergibt Arbeit',
  'ui.welcome.live.failed': '{name} ausgefallen: {reason}',
  'ui.welcome.live.mining': '{count, plural, one {# Gerät mint mit {hashrate}} other {# Geräte minen mit {hashrate}}}',
  'ui.welcome.live.paused': 'Alle Geräte sind pausiert',
  'ui.welcome.live.noDevice': 'Noch mint kein Gerät',
  'ui.welcome.live.share': 'Share akzeptiert: Das Mining läuft',
  'ui.welcome.live.block': 'Block gefunden: Das Mining läuft',
  'ui.welcome.live.noProof': 'Noch kein Share',
  'ui.welcome.live.shareEvery': 'Wartet auf den ersten Share, im Mittel etwa {duration}',
  'ui.welcome.live.blockEvery': 'Sucht einen Block, im Mittel etwa {duration}',
  'ui.welcome.practiceStays':
    'Ihr Übungskonto bleibt im Übungsnetz, weil sein Passwort im Klartext gespeichert ist. Legen Sie ein Konto an, importieren Sie eines oder geben Sie eine Adresse ein.',
  'ui.welcome.practiceOnly':
    'Das ist Ihr Übungskonto, dessen Passwort im Klartext gespeichert ist. Wählen Sie eine andere Adresse.',
  'ui.welcome.willRestart':
    'Headframe startet mit diesen Einstellungen neu. Diese Seite verbindet sich nach wenigen Sekunden wieder.',
  'ui.welcome.restarting': 'Neustart mit Ihren Einstellungen…',
  'ui.welcome.doneRestart':
    'Gespeichert, aber Headframe kann sich nicht selbst neu starten: {reason}. Schließen und öffnen Sie es, damit die Einstellungen gelten.',
  'ui.welcome.oldElectron':
    'Dieses Electron ({version}) bekommt keine Sicherheitsupdates, deshalb öffnet Headframe nach dem Neustart in diesem Netz kein Fenster. Es läuft weiter: Öffnen Sie den Link in {file} im Browser. Wenn Sie das Fenster behalten möchten, installieren Sie vorher ein aktuelles Electron.',
  'ui.welcome.networkDrive':
    'Dieser Ordner liegt auf einem Netzlaufwerk. Die Chain braucht eine schnelle lokale Festplatte; wählen Sie einen anderen Ordner.',
  'ui.welcome.decline': 'Einrichtung überspringen',
} satisfies Catalogue
