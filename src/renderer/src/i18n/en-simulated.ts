// The English texts of simulated GPUs.

export const simulatedTexts = {
  'ui.simulated.add': 'Add two simulated GPUs',
  'ui.simulated.why': 'They hash a little on the CPU; their sensors are a model.',
  'ui.simulated.faults': 'Try a fault',
  'ui.simulated.faultsText': 'This device is simulated: see what happens when a real one fails.',
  'ui.simulated.fault.none': 'End the fault',
  'ui.simulated.fault.hang': 'Hang',
  'ui.simulated.fault.error': 'Driver error',
  'ui.simulated.fault.overheat': 'Overheat',
  'ui.simulated.fault.sensor-lost': 'Lose the sensors',
  'ui.simulated.fault.out-of-memory': 'Run out of memory',
  'ui.simulated.fault.wrong-result': 'Compute wrongly',
} as const
