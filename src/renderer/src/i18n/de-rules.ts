// The German texts of the signer's rules.
import type { Catalogue } from './en'

export const rulesTexts = {
  'ui.rules.title': 'Regeln und Tresor',

  'ui.policy.title': 'Regeln',
  'ui.policy.none': 'Keine Regel: Jede Anfrage wird vorgelegt.',
  'ui.policy.add': 'Neue Regel',
  'ui.policy.name': 'Name',
  'ui.policy.account': 'Von',
  'ui.policy.recipients': 'An: eine Adresse je Zeile; leer = jeder',
  'ui.policy.most': 'Höchstens je Mal, LAX',
  'ui.policy.perPeriod': 'Höchstens im Zeitraum, LAX',
  'ui.policy.hours': 'Zeitraum, Stunden',
  'ui.policy.fee': 'Gebühr höchstens, LAX',
  'ui.policy.days': 'Endet nach Tagen; leer = nie',
  'ui.policy.methods': 'Methoden (0x und 8 Ziffern); leer = nur einfache Überweisungen',
  'ui.policy.try': 'An früheren Anfragen erproben',
  'ui.policy.save': 'Regel speichern',
  'ui.policy.turnOff': 'Ausschalten',
  'ui.policy.turnOn': 'Einschalten',
  'ui.policy.remove': 'Entfernen',
  'ui.policy.anyone': 'jeden',
  'ui.policy.noData': 'nur einfache Überweisungen',
  'ui.policy.forGood': 'auf Weiteres',
  'ui.policy.sentence':
    'Ohne Rückfrage höchstens {most} von {from} an {to} senden, samt Gebühren {total} in {hours, plural, one {# Stunde} other {# Stunden}}, {methods}, bis {until}.',
  'ui.policy.listing': 'Ohne Rückfrage {count, plural, one {# Adresse} other {# Adressen}} mitteilen, bis {until}.',
  'ui.policy.needName': 'Geben Sie ihr einen Namen.',
  'ui.policy.needAccount': 'Wählen Sie ein Konto.',
  'ui.policy.needRecipients': 'Einer der Empfänger ist keine Adresse.',
  'ui.policy.needAmounts': 'Geben Sie die drei Beträge ein.',
  'ui.policy.needHours': 'Der Zeitraum ist 1 bis 8760 Stunden.',
  'ui.policy.needMethods': 'Eine Methode ist 0x und 8 Ziffern.',
  'ui.policy.needDays': 'Sie endet nach 1 bis 3650 Tagen, oder nie.',
  'ui.policy.trial': 'Was sie getan hätte',
  'ui.policy.trialResult':
    'Von {all, number} früheren Anfragen wären {approved, number} ohne Rückfrage freigegeben worden.',
  'ui.policy.asked': 'vorgelegt:',
  'ui.policy.approved': 'freigegeben durch',
} satisfies Catalogue
