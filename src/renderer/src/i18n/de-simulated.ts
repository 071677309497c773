// The German texts of simulated GPUs.
import type { Catalogue } from './en'

export const simulatedTexts = {
  'ui.simulated.add': 'Zwei simulierte GPUs hinzufügen',
  'ui.simulated.why': 'Sie rechnen ein wenig auf der CPU; ihre Sensoren sind ein Modell.',
  'ui.simulated.faults': 'Einen Fehler ausprobieren',
  'ui.simulated.faultsText': 'Dieses Gerät ist simuliert: Sehen Sie, was geschieht, wenn ein echtes ausfällt.',
  'ui.simulated.fault.none': 'Fehler beenden',
  'ui.simulated.fault.hang': 'Hängenbleiben',
  'ui.simulated.fault.error': 'Treiberfehler',
  'ui.simulated.fault.overheat': 'Überhitzen',
  'ui.simulated.fault.sensor-lost': 'Sensoren verlieren',
  'ui.simulated.fault.out-of-memory': 'Speicher ausgehen lassen',
  'ui.simulated.fault.wrong-result': 'Falsch rechnen',
} satisfies Catalogue
