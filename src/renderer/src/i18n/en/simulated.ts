// The English texts of simulated GPUs.

export const simulatedTexts = {
  'ui.simulated.add': 'Add two simulated GPUs',
  'ui.simulated.why': 'They compute a few hashes on the CPU; their sensor readings are simulated.',
  'ui.simulated.faults': 'Simulate a fault',
  'ui.simulated.faultsText': 'This device is simulated. Use it to see what happens when a real one fails.',
  'ui.simulated.fault.none': 'Clear fault',
  'ui.simulated.fault.hang': 'Hang',
  'ui.simulated.fault.error': 'Driver error',
  'ui.simulated.fault.overheat': 'Overheat',
  'ui.simulated.fault.sensor-lost': 'Lose sensors',
  'ui.simulated.fault.out-of-memory': 'Out of memory',
  'ui.simulated.fault.wrong-result': 'Wrong results',
} as const
