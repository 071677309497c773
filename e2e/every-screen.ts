// Every screen of the window, and the sizes at which screens are tested.

export type Size = readonly [width: number, height: number]
export const SIZES: readonly Size[] = [
  [1440, 900],
  [1024, 768],
  [768, 1024],
  [390, 844],
]
/** The narrowest, and the narrowest with all columns side by side: there, longer words are cut off first. */
export const TIGHT_SIZES: readonly Size[] = SIZES.filter(([width]) => width === 1024 || width === 390)

/** Its name, its address, and what shows that it is loaded. ACCOUNT stands for one of our addresses. */
export const SCREENS = [
  ['overview', '/', 'health'],
  ['gpus', '/gpus', 'gpu-row-0'],
  ['gpu-detail', '/gpus/1', 'chart-1-temperature'],
  ['pools', '/pools', 'pool-list'],
  ['rigs', '/rigs', 'rigs-totals'],
  ['rig-detail', '/rigs/far', 'rig-error-far'],
  ['node', '/node', 'sync-steps'],
  ['node-peers', '/node/peers', 'node-peers'],
  ['node-mempool', '/node/mempool', 'mempool'],
  ['node-blocks', '/node/blocks', /^block-row-/],
  ['node-rpc', '/node/rpc', 'listener-http'],
  ['block', '/node/block/0', 'block-detail'],
  ['address', '/node/address/ACCOUNT', 'address-nonce'],
  ['accounts', '/accounts', 'open-rules'],
  ['account', '/accounts/ACCOUNT', 'shell'],
  ['account-rules', '/accounts/rules', 'vault'],
  ['activity', '/activity', 'log-view'],
  ['activity-audit', '/activity/audit', 'audit'],
  ['activity-miner', '/activity/miner', 'log-view'],
  ['activity-node', '/activity/node', 'log-view'],
  ['activity-log', '/activity/all', 'log-view'],
  ['settings-general', '/settings/general', 'shell'],
  ['settings-mining', '/settings/mining', 'option-miner.cpuThreads'],
  ['settings-pools', '/settings/pools', 'shell'],
  ['settings-node', '/settings/node', 'data-folder'],
  ['settings-signer', '/settings/signer', 'shell'],
  ['settings-api', '/settings/api', 'view-links'],
  ['settings-notifications', '/settings/notifications', 'shell'],
  ['settings-accessibility', '/settings/accessibility', 'shell'],
  ['settings-updates', '/settings/updates', 'shell'],
  ['settings-about', '/settings/about', 'about'],
  ['welcome', '/welcome', 'welcome'],
  ['sign-in', '/sign-in', 'login-token'],
] as const
