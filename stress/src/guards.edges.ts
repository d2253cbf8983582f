import { guardsOf, type Guard } from './guards.guard.ts'

/** What comes in, and what goes out. */
export const guardsOfEdges: readonly Guard[] = [
  ...guardsOf('server/src/platform/http/serve.ts', 'src/platform/http/bodies.test.ts', [
    ['what no form offers is dropped', '.filter(([key]) => isDeclared(schema, key))', ''],
  ]),
  ...guardsOf('server/src/platform/http/bodies.ts', 'src/platform/http/bodies.test.ts', [
    [
      'prototype keys are dropped',
      "getDefaultJsonParser('remove', 'remove')",
      "getDefaultJsonParser('ignore', 'ignore')",
    ],
  ]),
  ...guardsOf('server/src/platform/http/wellformed.ts', 'src/platform/http/bodies.test.ts', [
    ['text holds no NUL', '!controlCharacter.test(text) && text.isWellFormed()', 'text.isWellFormed()'],
    [
      'text is well formed',
      '!controlCharacter.test(text) && text.isWellFormed()',
      '!controlCharacter.test(text)',
    ],
    ['values are not nested without end', 'if (depth >= maxJsonDepth)', 'if (depth >= 1e9)'],
  ]),
  ...guardsOf('server/src/app.ts', 'src/platform/http/serve.test.ts', [
    ['a body has a size', 'bodyLimit: maxBodyBytes', 'bodyLimit: 1_000_000_000', 'over 1 MiB'],
  ]),
  ...guardsOf('server/src/platform/http/security-headers.ts', 'src/app/access.matrix.test.ts', [
    [
      'answers are not stored',
      "void reply.header('cache-control', 'no-store')",
      'void reply',
      'lets in whom it should',
    ],
  ]),
  ...guardsOf('server/src/platform/http/security-headers.ts', 'src/platform/http/web.test.ts', [
    ['types are not guessed', "'x-content-type-options': 'nosniff',", ''],
  ]),
  ...guardsOf('server/src/platform/http/security-headers.ts', 'src/platform/http/web.test.ts', [
    ['scripts are the web’s own', '"script-src \'self\'",', "\"script-src 'self' 'unsafe-inline'\","],
    ['nobody frames the web', '"frame-ancestors \'none\'",', ''],
    ['no text becomes a script', '"require-trusted-types-for \'script\'",', ''],
  ]),
  ...guardsOf('server/src/platform/http/cors.ts', 'src/platform/http/cors.test.ts', [
    ['other webs are named', 'origin: [...origins],', 'origin: true,'],
  ]),
  ...guardsOf(
    'server/src/domains/postbacks/postbacks.process.ts',
    'src/domains/postbacks/postbacks.test.ts',
    [
      [
        'a postback’s secret is the source’s',
        '!hasValidSecret(request.params, source.postback_key)',
        '!source.postback_key',
      ],
    ],
  ),
  ...guardsOf(
    'server/src/domains/postbacks/postbacks.routes.ts',
    'src/domains/postbacks/postbacks.hostile.test.ts',
    [
      [
        'postbacks without a key have an end',
        'refuseWhenLimited(unknownKeyLimiter.consume(addressKey(request.ip)))',
        '',
      ],
      ['postbacks have an end', 'refuseWhenLimited(postbackLimiter.consume(addressKey(request.ip)))', ''],
    ],
  ),
  ...guardsOf(
    'server/src/platform/outgoing-http/outgoing.address.ts',
    'src/platform/outgoing-http/outgoing.hostile.test.ts',
    [['no call goes to a private address', "address.range() !== 'unicast' || ", '']],
  ),
  ...guardsOf(
    'server/src/platform/outgoing-http/outgoing.connect.ts',
    'src/platform/outgoing-http/outgoing.hostile.test.ts',
    [
      [
        'no name leads to a private address',
        'addresses.some(({ address }) => !isPublicAddress(address))',
        'addresses.every(({ address }) => !isPublicAddress(address))',
      ],
    ],
  ),
  ...guardsOf(
    'server/src/platform/outgoing-http/outgoing.rules.ts',
    'src/domains/postback-templates/postback-templates.test.ts',
    [['calls go to usual ports', 'if (!ports.includes(getPort(url)))', 'if (ports.length === 0)']],
  ),
  ...guardsOf(
    'server/src/platform/outgoing-http/outgoing.ts',
    'src/platform/outgoing-http/outgoing.test.ts',
    [
      ['no redirect is followed', 'if (isRedirect) throw createRedirectError(url.hostname, statusCode)', ''],
      [
        'an answer has a time',
        'AbortSignal.timeout(outgoingRequest.timeout ?? defaultTimeout)',
        'AbortSignal.timeout(600_000)',
      ],
    ],
  ),
  ...guardsOf(
    'server/src/platform/outgoing-http/outgoing.body.ts',
    'src/platform/outgoing-http/outgoing.test.ts',
    [['an answer has a size', 'if (size > maxBytes) throw', 'if (size < 0) throw']],
  ),
  ...guardsOf('server/src/resources/url-fields.ts', 'src/app/url-fields.test.ts', [
    ['no private address is kept', 'if (errors.length > 0) throw invalid(errors)', ''],
  ]),
  ...guardsOf('server/src/platform/files/content.check.ts', 'src/domains/uploads/uploads.test.ts', [
    ['files of few kinds are taken', 'if (extension === undefined) {', 'if (extension === null) {'],
    ['a file is what its name says', 'if (!matches)\n', 'if (matches === null)\n'],
  ]),
  ...guardsOf(
    'server/src/platform/files/content.zip.ts',
    'src/platform/spreadsheets/spreadsheets.hostile.test.ts',
    [
      [
        'an archive does not swell',
        '|| unpacked > zipBounds.unpacked || isSuspiciousRatio)',
        '|| unpacked > 1e12)',
        'bomb',
      ],
    ],
  ),
  ...guardsOf('server/src/platform/http/multipart.ts', 'src/domains/uploads/uploads.test.ts', [
    [
      'a file has a size',
      "const incoming = join(options.folder, 'incoming')\n",
      "options = { ...options, maxBytes: 1e9 }\n  const incoming = join(options.folder, 'incoming')\n",
      'more than the limit',
    ],
    ['a file’s name is no path', 'split(/[/\\\\]/).at(-1)', 'split(/\\0/).at(-1)'],
  ]),
  ...guardsOf('server/src/domains/uploads/uploads.routes.ts', 'src/domains/uploads/uploads.test.ts', [
    ['an upload is no page', ".header('content-security-policy', \"sandbox; default-src 'none'\")", ''],
  ]),
  ...guardsOf('server/src/platform/exports/exports.cells.ts', 'src/platform/exports/exports.cells.test.ts', [
    ['no cell is a formula', 'text.replace(formulaStart, mark)', 'text'],
  ]),
]
