/** The request is returned in a body, in headers, in an address, in an error text, and with a wrong type. */
export const syncAnswers: Record<string, (request: string) => [number, Record<string, string>, string]> = {
  'an error': (request) => [500, {}, request],
  'a refusal': (request) => [
    403,
    { 'content-type': 'application/json' },
    JSON.stringify({ message: request, token: request }),
  ],
  'a redirect': (request) => [
    302,
    { location: `https://example.com/?token=${encodeURIComponent(request)}` },
    request,
  ],
  'a wait': (request) => [429, { 'retry-after': encodeURIComponent(request) }, request],
  'no JSON': (request) => [200, { 'content-type': 'application/json' }, `${request}{"broken`],
  'another JSON': (request) => [
    200,
    { 'content-type': 'application/json' },
    JSON.stringify({ ok: false, description: request, error: request }),
  ],
  'an XML refusal': (request) => [
    200,
    {},
    `<statusreq error="1" errormsg="${request.replaceAll(/[<>&"]/g, ' ')}"/>`,
  ],
  'a list of it': (request) => [
    200,
    {},
    JSON.stringify({ data: [{ id: 1, status: {}, stream_name: request }], meta: { last_page: 1 } }),
  ],
}
