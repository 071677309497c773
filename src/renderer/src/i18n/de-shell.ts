// The German texts of the shell: frame, navigation, bars, palette and what every screen shares.
import type { Catalogue } from './en'

export const shellTexts = {
  'ui.common.now': 'jetzt',
  'ui.common.ago': 'vor {duration}',
  'ui.common.copy': 'Kopieren: {what}',
  'ui.common.loading': 'Wird geladen',
  'ui.common.retry': 'Erneut versuchen',
  'ui.common.close': 'Schließen',
  'ui.common.off': 'aus',
  'ui.common.cancel': 'Abbrechen',

  'ui.shell.name': 'Headframe',
  'ui.shell.home': 'Headframe, Übersicht',
  'ui.shell.screens': 'Ansichten',
  'ui.shell.skip': 'Zum Inhalt springen',
  'ui.shell.version': 'Version {version}',
  'ui.shell.waiting': 'wartet',
  'ui.shell.hashrate': 'Hashrate',
  'ui.shell.power': 'Leistung',
  'ui.shell.approvals': '{count, plural, =0 {Keine Anfrage wartet} one {# Anfrage wartet} other {# Anfragen warten}}',
  'ui.shell.readOnly': 'Nur lesen',
  'ui.shell.notEncrypted':
    'Die Verbindung ist nicht verschlüsselt; jeder in diesem Netz kann das Zugangswort (Token) mitlesen.',
  'ui.shell.unknownPage': 'Diese Seite gibt es nicht',

  'ui.nav.overview': 'Übersicht',
  'ui.nav.gpus': 'Miner',
  'ui.nav.node': 'Knoten',
  'ui.nav.accounts': 'Konten',
  'ui.nav.activity': 'Verlauf',
  'ui.nav.settings': 'Einstellungen',
  'ui.nav.pools': 'Pools',
  'ui.nav.rigs': 'Rigs',
  'ui.nav.more': 'Mehr',

  'ui.network.main': 'Hauptnetz',
  'ui.network.test': 'Testnetz',
  'ui.network.practice': 'Übung',
  'ui.network.custom': 'Eigenes Netz',
  'ui.network.testText': 'Testnetz: Coins haben hier keinen Wert.',
  'ui.network.practiceText':
    'Übungsnetz: eine private Kette auf diesem Rechner. Alles geht wie in der echten, und nichts steht auf dem Spiel.',
  'ui.network.closeBanner': 'Diese Zeile schließen; bei den Konten bleibt sie',
  'ui.network.practiceAccount': 'Passwort des Übungskontos:',

  'ui.sync.stopped': 'Knoten angehalten',
  'ui.sync.starting': 'Knoten startet',
  'ui.sync.peers': 'Sucht Peers',
  'ui.sync.headers': 'Holt Blockköpfe',
  'ui.sync.blocks': 'Holt Blöcke',
  'ui.sync.tip': 'Knoten aktuell',
  'ui.sync.stalled': 'Keine neuen Blöcke',
  'ui.sync.unconfirmed': 'Nicht bestätigt',
  'ui.sync.failed': 'Knoten ausgefallen',

  'ui.engine.title': 'Das Mining ist langsam:',
  'ui.engine.text': 'Das native Rechenwerk ließ sich nicht laden, deshalb werden Hashes in TypeScript berechnet.',
  'ui.engine.none': 'keine: Hier wird nicht geschürft',
  'ui.engine.native': 'Nativ',
  'ui.engine.typescript': 'TypeScript',

  'ui.offline.since': 'Kein Kontakt zum Miner seit {time}.',
  'ui.offline.retryIn': 'Nächster Versuch in {seconds} s.',

  'ui.login.title': 'Anmelden',
  'ui.login.text':
    'Geben Sie das Token ein, das beim Start von Headframe ausgegeben wurde. Es erlaubt die Steuerung des Miners und Freigaben von diesem Rechner aus.',
  'ui.login.token': 'Token',
  'ui.login.empty': 'Geben Sie ein Token ein.',
  'ui.login.refused':
    'Dieses Token wurde abgelehnt. Token entstehen bei jedem Start oder in den Einstellungen neu, und Links enden.',
  'ui.login.remember':
    'Auf diesem Gerät merken: Das Token bleibt in diesem Browser, bis es abgelehnt wird, auch wenn der Browser geschlossen wird. Wer dieses Browserprofil benutzt, kann dann alles, was das Token erlaubt.',
  'ui.login.signIn': 'Anmelden',

  'ui.keys.title': 'Tasten',
  'ui.keys.settings': 'Einstellungen, von überall',
  'ui.keys.filter': 'Filter dieser Ansicht',

  'ui.notice.label': 'Neuigkeiten',
  'ui.notice.details': 'Zum Verlauf',

  'ui.palette.title': 'Überallhin gehen',
  'ui.palette.hint': 'Ansicht, Gerät, Pool, Rig, Konto, Höhe, Hash oder Adresse',
  'ui.palette.none': 'Nichts passt',
  'ui.palette.chain': 'In der Kette: {text}',
  'ui.palette.group.chain': 'Kette',
  'ui.palette.group.screens': 'Ansichten',
  'ui.palette.group.devices': 'Geräte',
  'ui.palette.group.pools': 'Pools',
  'ui.palette.group.rigs': 'Rigs',
  'ui.palette.group.accounts': 'Konten',

  'ui.backend.cpu': 'CPU',
  'ui.backend.opencl': 'OpenCL',
  'ui.backend.cuda': 'CUDA',
  'ui.backend.simulated': 'Simuliert',

  'ui.level.info': 'Hinweis',
  'ui.level.warn': 'Warnung',
  'ui.level.error': 'Fehler',

  'ui.service.off': 'Aus',
  'ui.service.starting': 'Startet',
  'ui.service.running': 'Läuft',
  'ui.service.failed': 'Ausgefallen',

  'ui.error.since': 'Seit {time}.',
  'ui.error.details': 'Einzelheiten des Fehlers',
  'ui.freeze.since': 'Die laufenden Werte stehen still: alles hier ist, wie es um {time} war.',
  'ui.freeze.back': 'Weiterlaufen',
  'ui.keys.pauseAll': 'Alle Geräte anhalten oder fortsetzen',
  'ui.keys.freeze': 'Laufende Werte anhalten, und zurück',
  'ui.keys.escape': 'Schließen, was obenauf liegt',
  'ui.keys.lettersOff': 'Tasten mit einem einzelnen Buchstaben sind in den Einstellungen abgeschaltet.',
  'ui.pause.askPause': 'Alle Geräte anhalten?',
  'ui.pause.askResume': 'Alle Geräte fortsetzen?',
  'ui.pause.askPauseText':
    'Das Schürfen steht still, bis Sie es fortsetzen. Zehn Sekunden lang lässt es sich zurücknehmen.',
  'ui.pause.askResumeText': 'Das Schürfen geht weiter.',
  'ui.pause.askRigs':
    '{count, plural, one {Ein weiteres Rig lässt sich von hier steuern: {names}.} other {# weitere Rigs lassen sich von hier steuern: {names}.}}',
  'ui.pause.here': 'Diesen Rechner anhalten',
  'ui.pause.resumeHere': 'Diesen Rechner fortsetzen',
  'ui.pause.everywhere': 'Alle {count} Rigs anhalten',
  'ui.pause.resumeEverywhere': 'Alle {count} Rigs fortsetzen',
  'ui.palette.group.places': 'Teile von Ansichten',
  'ui.summary.health':
    '{level, select, ok {Alles in Ordnung.} problem {Es gibt ein Problem.} other {Etwas braucht Aufmerksamkeit.}}',
  'ui.summary.mining': '{count, plural, =0 {Kein Gerät schürft.} one {Ein Gerät schürft.} other {# Geräte schürfen.}}',
  'ui.summary.waiting': '{count, plural, =0 {} one {Eine Anfrage wartet.} other {# Anfragen warten.}}',
  'ui.notice.kind.orphan': 'Ein eigener Block, den ein anderer Zweig verdrängt hat',
  'ui.notice.kind.reward': 'Eine Belohnung, die verfügbar wird',
  'ui.notice.kind.warning': 'Eine Warnung zum Pool',
  'ui.notice.kind.node': 'Der Knoten liegt weit zurück',
  'ui.notice.kind.disk': 'Die Platte ist fast voll',
} satisfies Catalogue
