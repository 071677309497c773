// The German texts of simulated GPUs.
import type { Catalogue } from '../en/all'

export const simulatedTexts = {
  'ui.simulated.add': 'Zwei simulierte GPUs hinzufügen',
  'ui.simulated.why': 'Sie berechnen wenige Hashes auf der CPU; ihre Sensorwerte sind simuliert.',
  'ui.simulated.faults': 'Fehler simulieren',
  'ui.simulated.faultsText': 'Dieses Gerät ist simuliert. Probieren Sie aus, was beim Ausfall eines echten passiert.',
  'ui.simulated.fault.none': 'Fehler beheben',
  'ui.simulated.fault.hang': 'Hänger',
  'ui.simulated.fault.error': 'Treiberfehler',
  'ui.simulated.fault.overheat': 'Überhitzung',
  'ui.simulated.fault.sensor-lost': 'Sensoren fallen aus',
  'ui.simulated.fault.out-of-memory': 'Speicher voll',
  'ui.simulated.fault.wrong-result': 'Falsche Ergebnisse',
} satisfies Catalogue
