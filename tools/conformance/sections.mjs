// What `npm run conformance` runs: test files by what they show.

/**
 * @typedef {{ file: string, what: string, isListed?: boolean }} Part a test file from the project's root, and what it compares;
 *   `isListed`: each of its tests has a line of its own on the page
 * @typedef {{ name: string, title: string, text: string, parts: readonly Part[] }} Section
 */

/** @type {readonly Section[]} */
export const SECTIONS = [
  {
    name: 'state',
    title: 'State tests',
    text:
      'Public tests of single transactions (ethereum/legacytests, MIT licence) under Berlin rules: state root and logs are the written ' +
      'ones in the TypeScript engine and in the WebAssembly engine, and the two write the same bytes. What the module cannot hold, it ' +
      'leaves to TypeScript, as the node does.',
    parts: [
      { file: 'test/node/state-tests.test.ts', what: 'state tests, in both engines' },
      { file: 'test/node/engines-agree.test.ts', what: 'generated programs, in both engines' },
    ],
  },
  {
    name: 'blocks',
    title: 'Hostile blocks',
    text: 'Blocks that break one rule each, or stand at its edge, handed to this node and to a running prlx: taken or refused alike.',
    parts: [
      { file: 'test/node/hostile-blocks.test.ts', what: 'hostile blocks beside prlx' },
      { file: 'test/node/chain-vectors.test.ts', what: 'recorded chains and their verdicts' },
    ],
  },
  {
    name: 'reorgs',
    title: 'Reorganisations',
    text:
      'After a reorganisation the database holds what it holds where the winning branch was the only one: state, trie nodes with their ' +
      'shares, numbers, transactions, logs. Depths are blocks taken back; 128 states are kept.',
    parts: [
      { file: 'test/node/reorg-depths.test.ts', what: 'depths', isListed: true },
      { file: 'test/node/reorg-model.test.ts', what: 'random trees of blocks against a model' },
      { file: 'test/node/state-window.test.ts', what: 'random blocks, reorganisations and restarts' },
    ],
  },
  {
    name: 'clients',
    title: 'Clients',
    text:
      'Each client deploys a contract, calls it, sends, reads events, reverts and panics, uses access lists, filters and subscriptions, ' +
      'and signs, on this node and on prlx; what it prints has to be the same. "A reorganisation" is what clients read and are told ' +
      'before, during and after one.',
    parts: [
      { file: 'test/node/client-matrix.test.ts', what: 'clients', isListed: true },
      { file: 'test/node/client-reorg.test.ts', what: 'a reorganisation', isListed: true },
      { file: 'test/node/reorg-readers.test.ts', what: 'a reorganisation, programs', isListed: true },
      { file: 'test/node/signing.test.ts', what: 'signing in the window' },
    ],
  },
  {
    name: 'rpc',
    title: 'JSON-RPC',
    text:
      'Answers recorded of prlx, and answers compared with a running one. Differences that stay are listed in ' +
      '[the guide](guide/json-rpc.md#intentional-differences-from-prlx).',
    parts: [
      { file: 'test/node/rpc-cases.test.ts', what: 'recorded requests' },
      { file: 'test/node/reference-methods.test.ts', what: 'every method of prlx: answered, or refused with a reason' },
      { file: 'test/node/reference-console.test.ts', what: 'helpers of the console of prlx' },
      { file: 'test/node/graphql.test.ts', what: 'GraphQL' },
      { file: 'test/node/simulate-v1.test.ts', what: '`eth_simulateV1`' },
      { file: 'test/node/trace-namespace.test.ts', what: '`trace_*`' },
      { file: 'test/node/otterscan.test.ts', what: '`ots_*`' },
    ],
  },
]
