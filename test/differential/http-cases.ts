// Requests with odd headers, methods or bodies, each in one way.

/** Body, headers, HTTP method. */
export type HttpCase = readonly [string, Readonly<Record<string, string>>, string]

/** @param body a valid call */
export function httpCases(body: string): readonly HttpCase[] {
  return [
    ...[
      'application/json;',
      'application/json; charset=utf-16',
      'APPLICATION/JSON',
      'application/json, text/plain',
      'text/json',
      'application/jsonp',
      ' application/json',
      'application/x-www-form-urlencoded',
      ';',
    ].map((type) => [body, { 'content-type': type }, 'POST'] as const),
    ...['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'].map((method) => ['', {}, method] as const),
    ...['PUT', 'DELETE', 'GET'].map((method) => [body, {}, method] as const),
    ...['localhost', 'LOCALHOST:1', 'example.com', '127.0.0.1', '[::1]', 'localhost.', ''].map(
      (host) => [body, { host }, 'POST'] as const,
    ),
    ...['null', 'http://example.com', 'http://localhost'].map((origin) => [body, { origin }, 'POST'] as const),
    ...[
      '',
      ' ',
      '{}',
      '[]',
      'null',
      '1',
      '"x"',
      '{',
      '[{}]',
      '[1]',
      '[[]]',
      '{"id":1}',
      '{"method":1}',
      '{"id":{},"method":"eth_chainId"}',
      '{"id":[],"jsonrpc":"2.0","method":"eth_chainId"}',
      '{"jsonrpc":"2.0","method":"eth_chainId","id":1.5}',
      '{"jsonrpc":"2.0","method":"eth_chainId","id":null}',
      '{"jsonrpc":"2.0","method":"eth_chainId"}',
      '{"jsonrpc":2,"method":"eth_chainId","id":1}',
      '{"jsonrpc":"1.0","method":"eth_chainId","id":1}',
      '{"JSONRPC":"2.0","Method":"eth_chainId","ID":1}',
      '{"jsonrpc":"2.0","method":"eth_chainId","method":"net_version","id":1}',
      `${body}${body}`,
      `${body} x`,
      `\ufeff${body}`,
      '{"jsonrpc":"2.0","result":1,"id":1}',
      '[{"jsonrpc":"2.0","method":"eth_chainId","id":1},{"jsonrpc":"2.0","method":"eth_chainId"}]',
    ].map((text) => [text, {}, 'POST'] as const),
  ]
}
