// The German texts of the first steps.
import type { Catalogue } from './en'

export const welcomeTexts = {
  'ui.welcome.title': 'Erste Schritte',
  'ui.welcome.steps': 'Schritte',
  'ui.welcome.card': 'Neu hier? Einige Schritte wählen Netz, Konto, Geräte und Pool; bis dahin ist alles Übung.',
  'ui.welcome.open': 'Erste Schritte',
  'ui.welcome.decline': 'Nicht nötig',
  'ui.welcome.later': 'Später',
  'ui.welcome.back': 'Zurück',
  'ui.welcome.next': 'Weiter',
  'ui.welcome.more': 'Mehr auswählen',
  'ui.welcome.short': 'Vorgaben benutzen',
  'ui.welcome.start': 'Start',
  'ui.welcome.leave': 'Zur Übersicht',
  'ui.welcome.step.look': 'Sprache und Farben',
  'ui.welcome.step.network': 'Netz',
  'ui.welcome.step.folder': 'Datenordner',
  'ui.welcome.step.account': 'Konto',
  'ui.welcome.step.devices': 'Geräte',
  'ui.welcome.step.work': 'Solo oder Pool',
  'ui.welcome.step.sharing': 'Wer zusehen darf',
  'ui.welcome.step.summary': 'Zusammenfassung',
  'ui.welcome.lookText': 'Beides gilt sofort, auf diesem Gerät.',
  'ui.welcome.network.practice':
    'Eine private Kette auf diesem Rechner mit kleinem Arbeitsnachweis: Alles lässt sich in Sekunden ausprobieren, und nichts steht auf dem Spiel.',
  'ui.welcome.network.main':
    'Die echte Kette: Coins haben Wert, Blöcke kommen im Mittel alle 10 Minuten, und wer etwas verdienen will, braucht eine GPU mit genug Speicher.',
  'ui.welcome.network.test':
    'Eine öffentliche Kette zum Ausprobieren: wie das Hauptnetz, aber ihre Coins haben keinen Wert.',
  'ui.welcome.folderText': 'Hier liegen die Kette, die Schlüsseldateien, die Protokolle und die Einstellungen.',
  'ui.welcome.free': 'Frei auf dieser Platte',
  'ui.welcome.needed': 'Sollte frei sein',
  'ui.welcome.noRoom': 'Auf dieser Platte ist wenig Platz. Das Einlesen hört von selbst auf, bevor sie voll ist.',
  'ui.welcome.otherFolder': 'Für einen anderen Ordner so starten:',
  'ui.welcome.accountText':
    'Prämien gehen an ein Konto. Seine Schlüsseldatei liegt auf diesem Rechner, oder hier ist nur seine Adresse bekannt und der Schlüssel anderswo.',
  'ui.welcome.payHere': 'Hierher zahlen',
  'ui.welcome.payTo': 'Adresse, die Prämien erhält',
  'ui.welcome.payToHint': 'Leer: wie jetzt. Eine Adresse genügt; zum Minen wird ihr Schlüssel nicht gebraucht.',
  'ui.welcome.devicesText':
    'Diese Geräte wurden gefunden. Was sie wirklich leisten, wird aus ihren Meldungen gemessen.',
  'ui.welcome.measured': 'Gemessen',
  'ui.welcome.benchmark': '{seconds} s lang messen',
  'ui.welcome.benchmarkLeft': 'Misst, noch {seconds} s',
  'ui.welcome.allDevices': 'Alle Geräte',
  'ui.welcome.soloText': 'Ganze Blöcke, selten: Die ganze Prämie gehört Ihnen, und wie lange es dauert, ist Zufall.',
  'ui.welcome.poolText': 'Kleine Anteile, oft: Ein Pool zahlt für Arbeit und behält eine Gebühr.',
  'ui.welcome.wait10': '1 von 10 wartet kürzer als',
  'ui.welcome.wait50': 'Die Hälfte wartet kürzer als',
  'ui.welcome.wait90': '9 von 10 warten kürzer als',
  'ui.welcome.waitUnknown':
    'Wie lange ein Block in jenem Netz dauert, zeigt die Übersicht, sobald dessen Blockköpfe da sind.',
  'ui.welcome.local': 'Nur dieser Rechner',
  'ui.welcome.localText': 'Nichts ist für andere Rechner erreichbar.',
  'ui.welcome.home': 'Telefone und Rechner zu Hause',
  'ui.welcome.homeText':
    'Die Weboberfläche ist im Heimnetz erreichbar; wer das Token hat, sieht Zahlen. Steuerung bleibt aus, und Schlüssel bleiben hier.',
  'ui.welcome.tokenText': 'Nach dem Neustart den Code mit einem Telefon lesen, oder dieses Token eingeben:',
  'ui.welcome.qr': 'Adresse der Weboberfläche mit ihrem Token, als QR-Code',
  'ui.welcome.noAddress': 'Dieser Rechner hat jetzt keine Adresse in einem Heimnetz.',
  'ui.welcome.nothingToWrite':
    'Nichts muss geändert werden: Das Übungsnetz läuft, ein Thread des Prozessors mint, und ein Konto erhält, was er findet.',
  'ui.welcome.toWrite': 'Das wird in die Einstellungen geschrieben:',
  'ui.welcome.needsPool': 'Es wurde kein Pool eingegeben; bis es einen gibt, wird nichts gemint.',
  'ui.welcome.needsAccount': 'Es wurde kein Konto gewählt; der Knoten folgt der Kette und mint nichts.',
  'ui.welcome.commandLine': 'Dasselbe auf einer Befehlszeile:',
  'ui.welcome.failed': 'Nicht geschrieben: --{flag}. {reason}',
  'ui.welcome.done': 'Bereit. Alles läuft schon.',
  'ui.welcome.doneRestart':
    'Geschrieben. Schließen Sie Headframe und starten Sie es neu: Dann gelten die neuen Einstellungen.',
} satisfies Catalogue
