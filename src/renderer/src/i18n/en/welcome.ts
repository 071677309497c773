// The English texts of the first steps.

export const welcomeTexts = {
  'ui.welcome.title': 'Set up mining',
  'ui.welcome.computer': 'This computer',
  'ui.welcome.later': 'Not now',
  'ui.welcome.start': 'Start mining',
  'ui.welcome.leave': 'Go to overview',
  'ui.welcome.network.practice':
    'A private chain on this computer with easy proof of work. Try everything in seconds, with nothing at stake.',
  'ui.welcome.network.main':
    'The real chain. Coins have value, a block is found every 10 minutes on average, and you need a GPU with enough memory to earn anything.',
  'ui.welcome.network.test': 'A public chain for testing. Works like the main network, but coins have no value.',
  'ui.welcome.folderText': 'Headframe keeps the chain, key files, logs and settings here.',
  'ui.welcome.needed': 'Recommended',
  'ui.welcome.noRoom': 'This disk is low on space. Syncing stops before it is full.',
  'ui.welcome.payHere': 'Use this account',
  'ui.welcome.payTo': 'Payout address',
  'ui.welcome.payToHint': 'Leave empty to keep the current one. Mining needs only the address, not its key.',
  'ui.welcome.devicesText':
    'Headframe found these devices. Measure them at the main network’s full size: nothing is mined, and mining pauses meanwhile.',
  'ui.welcome.measure': 'Measure this computer',
  'ui.welcome.measureStop': 'Stop measuring',
  'ui.welcome.measurePreparing':
    'Building the full DAG. A GPU takes up to a minute, a CPU several. Then it measures for 20 s.',
  'ui.welcome.measureFailed': 'Not measured.',
  'ui.welcome.measureDone': 'Measured at full size: {hashrate}.',
  'ui.welcome.measureLeft': 'Measuring, {seconds} s left',
  'ui.welcome.soloText': 'Whole blocks, rarely. You keep the full reward; how long a block takes is luck.',
  'ui.welcome.poolText': 'Small payments, often. The pool pays for your shares and keeps a fee.',
  'ui.welcome.wait10': '10% chance of a block within',
  'ui.welcome.wait50': '50% chance within',
  'ui.welcome.wait90': '90% chance within',
  'ui.welcome.waitUnknown': 'The overview shows how long a block takes on that network once its headers are synced.',
  'ui.welcome.local': 'Only this computer',
  'ui.welcome.localText': 'Other computers can’t connect.',
  'ui.welcome.home': 'Phones and computers on your home network',
  'ui.welcome.homeText':
    'Serves the dashboard on your home network. Anyone with the token can view it. Control stays off, and keys stay on this computer.',
  'ui.welcome.tokenText': 'After the restart, scan this code with your phone or enter this token:',
  'ui.welcome.qr': 'QR code with the dashboard address and token',
  'ui.welcome.noAddress': 'This computer isn’t connected to a home network.',
  'ui.welcome.needsAccount': 'You haven’t chosen a payout account. The node syncs, but nothing is mined.',
  'ui.welcome.commandLine': 'Command line equivalent',
  'ui.welcome.failed': 'Can’t save --{flag}: {reason}',
  'ui.welcome.done': 'Ready. Headframe is running with these settings.',
  'ui.welcome.live': 'What Headframe is doing now',
  'ui.welcome.live.starting': 'Starting the miner',
  'ui.welcome.live.noPool': 'No pool yet. Add one under Pools.',
  'ui.welcome.live.connecting': 'Connecting to {host}',
  'ui.welcome.live.pool': 'Connected to {host}',
  'ui.welcome.live.noWork': 'Waiting for your node to give out work',
  'ui.welcome.live.node': 'Your node gives out work',
  'ui.welcome.live.failed': '{name} failed: {reason}',
  'ui.welcome.live.mining':
    '{count, plural, one {# device is mining at {hashrate}} other {# devices are mining at {hashrate}}}',
  'ui.welcome.live.paused': 'All devices are paused',
  'ui.welcome.live.noDevice': 'No device is mining yet',
  'ui.welcome.live.share': 'Share accepted: mining works',
  'ui.welcome.live.block': 'Block found: mining works',
  'ui.welcome.live.noProof': 'No share yet',
  'ui.welcome.live.shareEvery': 'Waiting for the first share, about {duration} on average',
  'ui.welcome.live.blockEvery': 'Looking for a block, about {duration} on average',
  'ui.welcome.practiceStays':
    'Your practice account stays on the practice network: its password is saved in plain text. Create or import an account, or enter an address.',
  'ui.welcome.practiceOnly':
    'This is your practice account. Choose another address: its password is saved in plain text.',
  'ui.welcome.willRestart': 'Headframe restarts with these settings. This page reconnects in a few seconds.',
  'ui.welcome.restarting': 'Restarting with your settings…',
  'ui.welcome.doneRestart':
    'Saved, but Headframe can’t restart itself: {reason}. Close it and start it again to use these settings.',
  'ui.welcome.oldElectron':
    'This Electron ({version}) gets no security fixes, so after the restart Headframe opens no window on this network. It keeps running: open the link in {file} in your browser. To keep the window, install a current Electron first.',
  'ui.welcome.networkDrive':
    'This folder is on a network drive. The chain needs a fast local disk; choose another folder.',
  'ui.welcome.decline': 'Skip setup',
} as const
