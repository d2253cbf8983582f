/** The request is returned in a body, in headers, in an address, in an error text, and with a wrong type. */
export const syncAnswers: Record<string, (told: string) => [number, Record<string, string>, string]> = {
  'an error': (told) => [500, {}, told],
  'a refusal': (told) => [
    403,
    { 'content-type': 'application/json' },
    JSON.stringify({ message: told, token: told }),
  ],
  'a redirect': (told) => [302, { location: `https://example.com/?token=${encodeURIComponent(told)}` }, told],
  'a wait': (told) => [429, { 'retry-after': encodeURIComponent(told) }, told],
  'no JSON': (told) => [200, { 'content-type': 'application/json' }, `${told}{"broken`],
  'another JSON': (told) => [
    200,
    { 'content-type': 'application/json' },
    JSON.stringify({ ok: false, description: told, error: told }),
  ],
  'an XML refusal': (told) => [
    200,
    {},
    `<statusreq error="1" errormsg="${told.replaceAll(/[<>&"]/g, ' ')}"/>`,
  ],
  'a list of it': (told) => [
    200,
    {},
    JSON.stringify({ data: [{ id: 1, status: {}, stream_name: told }], meta: { last_page: 1 } }),
  ],
}
