// The Spanish texts of simulated GPUs.
import type { Catalogue } from '../en/all'

export const simulatedTexts = {
  'ui.simulated.add': 'Añadir dos GPU simuladas',
  'ui.simulated.why': 'Calculan unos pocos hashes en la CPU; las lecturas de sus sensores son simuladas.',
  'ui.simulated.faults': 'Simular un fallo',
  'ui.simulated.faultsText': 'Este dispositivo es simulado. Úsalo para ver qué pasa cuando falla uno real.',
  'ui.simulated.fault.none': 'Quitar fallo',
  'ui.simulated.fault.hang': 'Bloqueo',
  'ui.simulated.fault.error': 'Error del driver',
  'ui.simulated.fault.overheat': 'Sobrecalentamiento',
  'ui.simulated.fault.sensor-lost': 'Perder sensores',
  'ui.simulated.fault.out-of-memory': 'Sin memoria',
  'ui.simulated.fault.wrong-result': 'Resultados erróneos',
} satisfies Catalogue
