import { defineGuards, type Guard } from './guards.define.ts'

/** Guards of requests, files, outgoing calls and answers. */
export const boundaryGuards: readonly Guard[] = [
  ...defineGuards('server/src/platform/http/serve.ts', 'src/platform/http/bodies.test.ts', [
    ['undeclared keys of a body are dropped', '.filter(([key]) => isDeclared(schema, key))', ''],
  ]),
  ...defineGuards('server/src/platform/http/bodies.ts', 'src/platform/http/bodies.test.ts', [
    [
      'prototype keys are dropped',
      "getDefaultJsonParser('remove', 'remove')",
      "getDefaultJsonParser('ignore', 'ignore')",
    ],
  ]),
  ...defineGuards('server/src/platform/http/wellformed.ts', 'src/platform/http/bodies.test.ts', [
    [
      'a text with control characters is refused',
      '!controlCharacter.test(text) && text.isWellFormed()',
      'text.isWellFormed()',
    ],
    [
      'an ill-formed text is refused',
      '!controlCharacter.test(text) && text.isWellFormed()',
      '!controlCharacter.test(text)',
    ],
    ['a too deeply nested value is refused', 'if (depth >= maxJsonDepth)', 'if (depth >= 1e9)'],
  ]),
  ...defineGuards('server/src/app.ts', 'src/platform/http/serve.test.ts', [
    ['a body has a size limit', 'bodyLimit: maxBodyBytes', 'bodyLimit: 1_000_000_000', 'over 1 MiB'],
  ]),
  ...defineGuards('server/src/platform/http/security-headers.ts', 'src/app/access.matrix.test.ts', [
    [
      'answers are not cached',
      "{ ...pageHeaders, 'cache-control': 'no-store' }",
      'pageHeaders',
      'admits the callers',
    ],
  ]),
  ...defineGuards('server/src/platform/http/security-headers.ts', 'src/platform/http/web.test.ts', [
    ['the browser does not guess content types', "'x-content-type-options': 'nosniff',", ''],
  ]),
  ...defineGuards('server/src/platform/http/security-headers.ts', 'src/platform/http/web.test.ts', [
    [
      'the page runs its own scripts alone',
      '"script-src \'self\'",',
      "\"script-src 'self' 'unsafe-inline'\",",
    ],
    ['the page cannot be framed', '"frame-ancestors \'none\'",', ''],
    ['a text cannot become a script', '"require-trusted-types-for \'script\'",', ''],
  ]),
  ...defineGuards('server/src/platform/http/cors.ts', 'src/platform/http/cors.test.ts', [
    ['only named origins may call', 'origin: [...origins],', 'origin: true,'],
  ]),
  ...defineGuards(
    'server/src/domains/postbacks/postbacks.process.ts',
    'src/domains/postbacks/postbacks.test.ts',
    [
      [
        "a postback's secret is checked",
        '!hasValidSecret(request.params, source.postback_key)',
        '!source.postback_key',
      ],
    ],
  ),
  ...defineGuards(
    'server/src/domains/postbacks/postbacks.routes.ts',
    'src/domains/postbacks/postbacks.hostile.test.ts',
    [
      [
        'postbacks with unknown keys are limited',
        'refuseWhenLimited(unknownKeyLimiter.consume(addressKey(request.ip)))',
        '',
      ],
      ['postbacks are limited', 'refuseWhenLimited(postbackLimiter.consume(addressKey(request.ip)))', ''],
    ],
  ),
  ...defineGuards(
    'server/src/platform/outgoing-http/outgoing.address.ts',
    'src/platform/outgoing-http/outgoing.hostile.test.ts',
    [['a call to a private address is refused', "address.range() !== 'unicast' || ", '']],
  ),
  ...defineGuards(
    'server/src/platform/outgoing-http/outgoing.connect.ts',
    'src/platform/outgoing-http/outgoing.hostile.test.ts',
    [
      [
        'a name of a private address is refused',
        'addresses.some(({ address }) => !isPublicAddress(address))',
        'addresses.every(({ address }) => !isPublicAddress(address))',
      ],
    ],
  ),
  ...defineGuards(
    'server/src/platform/outgoing-http/outgoing.rules.ts',
    'src/domains/postback-templates/postback-templates.test.ts',
    [
      [
        'a call to an unusual port is refused',
        'if (!ports.includes(getPort(url)))',
        'if (ports.length === 0)',
      ],
    ],
  ),
  ...defineGuards(
    'server/src/platform/outgoing-http/outgoing.ts',
    'src/platform/outgoing-http/outgoing.test.ts',
    [
      [
        'a redirect is not followed',
        'if (isRedirect) throw createRedirectError(url.hostname, statusCode)',
        '',
      ],
      [
        'an outgoing call has a time limit',
        'AbortSignal.timeout(outgoingRequest.timeout ?? defaultTimeout)',
        'AbortSignal.timeout(600_000)',
      ],
    ],
  ),
  ...defineGuards(
    'server/src/platform/outgoing-http/outgoing.body.ts',
    'src/platform/outgoing-http/outgoing.test.ts',
    [['an answer has a size limit', 'if (size > maxBytes)', 'if (size < 0)']],
  ),
  ...defineGuards('server/src/resources/url-fields.ts', 'src/app/url-fields.test.ts', [
    ['a private address is not stored', 'if (errors.length > 0) throw invalid(errors)', ''],
  ]),
  ...defineGuards('server/src/platform/files/content.check.ts', 'src/domains/uploads/uploads.test.ts', [
    ['only some kinds of files are accepted', 'if (extension === undefined) {', 'if (extension === null) {'],
    ["a file's content must match its name", 'if (!matches) throw', 'if (matches === null) throw'],
  ]),
  ...defineGuards(
    'server/src/platform/files/content.zip.ts',
    'src/platform/spreadsheets/spreadsheets.hostile.full.test.ts',
    [
      [
        'an archive has a limit of its unpacked size',
        '|| unpackedBytes > zipBounds.unpacked || isSuspiciousRatio)',
        '|| unpackedBytes > 1e12)',
        'bomb',
      ],
    ],
  ),
  ...defineGuards('server/src/platform/http/multipart.ts', 'src/domains/uploads/uploads.test.ts', [
    [
      'an uploaded file has a size limit',
      'const incomingFile = await openIncomingFile(options.folder)\n',
      'options = { ...options, maxBytes: 1e9 }\n  const incomingFile = await openIncomingFile(options.folder)\n',
      'more than 20 MB',
    ],
    ["a file's name is never a path", 'split(/[/\\\\]/).at(-1)', 'split(/\\0/).at(-1)'],
  ]),
  ...defineGuards('server/src/domains/uploads/uploads.routes.ts', 'src/domains/uploads/uploads.test.ts', [
    [
      'a downloaded upload runs no script',
      ".header('content-security-policy', \"sandbox; default-src 'none'\")",
      '',
    ],
  ]),
  ...defineGuards(
    'server/src/platform/exports/exports.cells.ts',
    'src/platform/exports/exports.cells.test.ts',
    [['no exported cell is a formula', 'text.replace(formulaStart, escapeCharacter)', 'text']],
  ),
]
