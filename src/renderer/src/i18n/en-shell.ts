// The English texts of the shell: frame, navigation, bars, palette and what every screen shares.

export const shellTexts = {
  'ui.common.off': 'off',
  'ui.common.cancel': 'Cancel',

  'ui.engine.none': 'none: nothing is mined here',
  'ui.engine.native': 'Native',
  'ui.engine.typescript': 'TypeScript',

  'ui.keys.title': 'Keys',
  'ui.keys.settings': 'Settings, from anywhere',
  'ui.keys.filter': 'The filter of this screen',

  'ui.notice.label': 'News',
  'ui.notice.details': 'To the activity',

  'ui.palette.title': 'Go to anything',
  'ui.palette.hint': 'Screen, device, pool, rig, account, height, hash or address',
  'ui.palette.none': 'Nothing matches',
  'ui.palette.chain': 'On the chain: {text}',
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

  'ui.level.info': 'Information',
  'ui.level.warn': 'Warning',
  'ui.level.error': 'Error',

  'ui.service.off': 'Off',
  'ui.service.starting': 'Starting',
  'ui.service.running': 'Running',
  'ui.service.failed': 'Failed',

  'ui.keys.pauseAll': 'Pause or resume all devices',
  'ui.keys.freeze': 'Freeze live updates, and back',
  'ui.keys.escape': 'Close what is on top',
  'ui.keys.lettersOff': 'Keys of a single letter are switched off in the settings.',
  'ui.pause.askPause': 'Pause all devices?',
  'ui.pause.askResume': 'Resume all devices?',
  'ui.pause.askPauseText': 'Mining stops until you resume. You can take it back for ten seconds.',
  'ui.pause.askResumeText': 'Mining goes on.',
  'ui.pause.askRigs':
    '{count, plural, one {One other rig can be controlled from here: {names}.} other {# other rigs can be controlled from here: {names}.}}',
  'ui.pause.here': 'Pause this computer',
  'ui.pause.resumeHere': 'Resume this computer',
  'ui.pause.everywhere': 'Pause all {count} rigs',
  'ui.pause.resumeEverywhere': 'Resume all {count} rigs',
  'ui.palette.group.places': 'Parts of screens',
  'ui.notice.kind.orphan': 'An own block that another branch put out',
  'ui.notice.kind.reward': 'A reward that can be spent',
  'ui.notice.kind.warning': 'A warning about the pool',
  'ui.notice.kind.node': 'The node is far behind',
  'ui.notice.kind.disk': 'The disk is nearly full',
} as const
