// What `npm run conformance` runs: test files by what they show.

/**
 * @typedef {{ file: string, what: string }} Part a test file from the project's root, and what it compares
 * @typedef {{ name: string, title: string, text: string, parts: readonly Part[] }} Section
 */

/** @type {readonly Section[]} */
export const SECTIONS = [
  {
    name: 'state',
    title: 'State tests',
    text:
      'Public tests of single transactions (ethereum/legacytests, MIT licence) under Berlin rules: state root and logs are the written ' +
      'ones in the engine and in its oracle, an independent interpreter, and the two write the same bytes.',
    parts: [
      { file: 'test/node/state-tests.test.ts', what: 'state tests, by engine and oracle' },
      { file: 'test/node/engines-agree.test.ts', what: 'generated programs, by engine and oracle' },
    ],
  },
  {
    name: 'blocks',
    title: 'Hostile blocks',
    text: 'Each block breaks one rule or sits exactly on its limit. Both programs must accept it or both must reject it.',
    parts: [
      { file: 'test/node/hostile-blocks.test.ts', what: 'hostile blocks beside prlx' },
      { file: 'test/node/chain-vectors.test.ts', what: 'recorded chains and their verdicts' },
    ],
  },
  {
    name: 'reorgs',
    title: 'Reorganizations',
    text:
      'After a reorganization, the database must hold what it would hold if the winning branch had been the only one: state, trie nodes ' +
      'with their counts, numbers, transactions, logs. Depths up to 139 blocks; 128 states are kept.',
    parts: [
      { file: 'test/node/reorg-depths.test.ts', what: 'depths' },
      { file: 'test/node/reorg-model.test.ts', what: 'random trees of blocks against a model' },
      { file: 'test/node/state-window.test.ts', what: 'random blocks, reorganizations and restarts' },
    ],
  },
  {
    name: 'clients',
    title: 'Clients',
    text:
      'Each client deploys a contract, calls it, sends, reads events, reverts and panics, uses access lists, filters and subscriptions, ' +
      'and signs, on this node and on prlx; what it prints must be the same.',
    parts: [
      { file: 'test/node/client-matrix.test.ts', what: 'clients' },
      { file: 'test/node/client-reorg.test.ts', what: 'clients during a reorganization' },
      { file: 'test/node/reorg-readers.test.ts', what: 'programs during a reorganization' },
      { file: 'test/node/signing.test.ts', what: 'signing in the window' },
    ],
  },
  {
    name: 'rpc',
    title: 'JSON-RPC',
    text:
      'Answers recorded from prlx, and answers compared with a running one. Intentional differences are listed in ' +
      '[the guide](guide/json-rpc.md#intentional-differences-from-prlx).',
    parts: [
      { file: 'test/node/rpc-cases.test.ts', what: 'recorded requests' },
      { file: 'test/node/reference-methods.test.ts', what: 'every method of prlx: answered, or refused with a reason' },
      { file: 'test/node/reference-console.test.ts', what: 'helpers of the console of prlx' },
      { file: 'test/node/trace-namespace.test.ts', what: '`trace_*`' },
    ],
  },
]
