// The English texts of the shell: frame, navigation, bars, palette and what every screen shares.

export const shellTexts = {
  'ui.common.off': 'off',
  'ui.common.cancel': 'Cancel',

  'ui.engine.none': 'none: this computer isn’t mining',
  'ui.engine.native': 'Native',
  'ui.engine.typescript': 'TypeScript',

  'ui.keys.title': 'Keyboard shortcuts',
  'ui.keys.settings': 'Open settings',
  'ui.keys.filter': 'Go to the filter',

  'ui.notice.label': 'Notifications',

  'ui.palette.hint': 'Screen, device, pool, rig, account, height, hash or address',
  'ui.palette.none': 'No matches',
  'ui.palette.chain': 'Look up {text} on the chain',
  'ui.palette.group.chain': 'Chain',
  'ui.palette.group.screens': 'Screens',
  'ui.palette.group.devices': 'Devices',
  'ui.palette.group.pools': 'Pools',
  'ui.palette.group.rigs': 'Rigs',
  'ui.palette.group.accounts': 'Accounts',

  'ui.backend.cpu': 'CPU',
  'ui.backend.opencl': 'OpenCL',
  'ui.backend.cuda': 'CUDA',
  'ui.backend.simulated': 'Simulated',

  'ui.level.info': 'Info',
  'ui.level.warn': 'Warning',
  'ui.level.error': 'Error',

  'ui.service.off': 'Off',
  'ui.service.starting': 'Starting',
  'ui.service.running': 'Running',
  'ui.service.failed': 'Failed',

  'ui.keys.pauseAll': 'Pause or resume all devices',
  'ui.keys.freeze': 'Freeze or unfreeze the page',
  'ui.keys.escape': 'Close the topmost dialog or menu',
  'ui.keys.lettersOff': 'Single-letter shortcuts are turned off in Settings.',
  'ui.pause.askPause': 'Pause all devices?',
  'ui.pause.askResume': 'Resume all devices?',
  'ui.pause.askPauseText': 'Mining stops until you resume. You can undo this for 10 seconds.',
  'ui.pause.askResumeText': 'Mining continues.',
  'ui.pause.askRigs':
    '{count, plural, one {You can control 1 other rig from here: {names}.} other {You can control # other rigs from here: {names}.}}',
  'ui.pause.here': 'Pause this computer',
  'ui.pause.resumeHere': 'Resume this computer',
  'ui.pause.everywhere': 'Pause all {count, number} rigs',
  'ui.pause.resumeEverywhere': 'Resume all {count, number} rigs',
  'ui.palette.group.places': 'Sections',
  'ui.notice.kind.sideBlock': 'One of your blocks didn’t stay in the chain',
  'ui.notice.kind.reward': 'A reward has matured',
  'ui.notice.kind.warning': 'Pool warning',
  'ui.notice.kind.node': 'The node has fallen behind',
  'ui.notice.kind.disk': 'The disk is almost full',
  'ui.palette.group.actions': 'Actions',
  'ui.palette.switchPool': 'Switch pool to {host}',
  'ui.palette.switched': 'Switched to {host}',
  'ui.palette.did.pause': '{name}: {count, plural, one {# rig paused} other {# rigs paused}}',
  'ui.palette.did.resume': '{name}: {count, plural, one {# rig resumed} other {# rigs resumed}}',
  'ui.palette.incidents': 'Show incidents',
} as const
