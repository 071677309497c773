// The Brazilian Portuguese texts of simulated GPUs.
import type { Catalogue } from '../en/all'

export const simulatedTexts = {
  'ui.simulated.add': 'Adicionar duas GPUs simuladas',
  'ui.simulated.why': 'Elas calculam poucos hashes na CPU; as leituras dos sensores são simuladas.',
  'ui.simulated.faults': 'Simular uma falha',
  'ui.simulated.faultsText': 'Este dispositivo é simulado. Use-o para ver o que acontece quando um real falha.',
  'ui.simulated.fault.none': 'Remover falha',
  'ui.simulated.fault.hang': 'Travamento',
  'ui.simulated.fault.error': 'Erro de driver',
  'ui.simulated.fault.overheat': 'Superaquecimento',
  'ui.simulated.fault.sensor-lost': 'Perder sensores',
  'ui.simulated.fault.out-of-memory': 'Sem memória',
  'ui.simulated.fault.wrong-result': 'Resultados errados',
} satisfies Catalogue
