// Why words and keys of the node family have no effect here, or what to use instead.
export const MEMORY = 'the program manages memory itself'
export const OF_SIGNER = 'the signer uses hardware wallets: headframe signer --usb, or headframe run --signer.usb'
export const LIGHT = 'light clients are not supported'
export const PROOF_OF_WORK = 'there is no consensus client: this is a proof-of-work chain'
export const PROMETHEUS = 'Prometheus reads /metrics on the control port: use --api-bind ADDR:PORT'
export const PROFILE = 'start Node with --cpu-prof or --inspect to profile'
export const FILES = 'caches and datasets are built when needed and stay in memory'
export const GRAPHQL = "GraphQL uses JSON-RPC's rules: HTTPCors and HTTPVirtualHosts"
export const PREFIX = 'JSON-RPC is served at / only; use a reverse proxy for another path'
export const CONSOLE = 'the console is headframe attach, which takes --exec and --preload'
export const GAS_PRICE = 'the suggested price is the 60th percentile of the last 20 blocks'
export const DUMP =
  'use debug_dumpBlock and debug_accountRange on a running node; they return whole states, page by page'
export const VERIFY = 'headframe db verify reads and checks the whole state'
export const NO_FREEZER = 'old blocks stay in the one database; there is no freezer'
export const VERSION_CHECK = 'use headframe update, or compare headframe version with the release notes'
export const PRESALE = 'headframe account import FILE imports a presale wallet, too'
