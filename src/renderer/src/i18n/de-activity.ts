// The German texts of the activity screen: events, audit log and log.
import type { Catalogue } from './en'

export const activityTexts = {
  'ui.activity.none': 'Noch ist nichts geschehen',
  'ui.activity.parts': 'Teile des Verlaufs',
  'ui.activity.tab.events': 'Ereignisse',
  'ui.activity.tab.audit': 'Protokoll',
  'ui.activity.tab.miner': 'Log des Miners',
  'ui.activity.tab.node': 'Log des Knotens',
  'ui.activity.tab.all': 'Ganzes Log',

  'ui.logs.count': '{shown, number} von {all, number} Zeilen',
  'ui.logs.filter': 'Zeilen filtern',
  'ui.logs.least': 'Unwichtigste Stufe, die gezeigt wird',
  'ui.logs.level': 'Stufe',
  'ui.logs.level.trace': 'Spur',
  'ui.logs.level.debug': 'Fehlersuche',
  'ui.logs.level.info': 'Hinweis',
  'ui.logs.level.warn': 'Warnung',
  'ui.logs.level.error': 'Fehler',
  'ui.logs.module': 'Teil',
  'ui.logs.text': 'Meldung',
  'ui.logs.freeze': 'Anhalten',
  'ui.logs.unfreeze': 'Weiter',
  'ui.logs.export': 'Ausgeben',
  'ui.logs.nothing': 'Es gibt keine Zeile zum Ausgeben',
  'ui.logs.noMatch': 'Keine Zeile passt',
  'ui.logs.failed': 'Das Log war nicht lesbar',

  'ui.audit.title': 'Protokoll des Signierers',
  'ui.audit.verify': 'Prüfen',
  'ui.audit.whole': 'Die Kette ist heil: {count, plural, one {# Eintrag} other {# Einträge}}.',
  'ui.audit.broken': 'Eintrag {record, number} ist schlecht: {reason}',
  'ui.audit.failed': 'Das Protokoll war nicht lesbar',
  'ui.audit.none': 'Noch ist nichts aufgezeichnet.',
} satisfies Catalogue
