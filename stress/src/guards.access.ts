import { defineGuards, type Guard } from './guards.define.ts'

/** Guards of authentication and authorization. */
export const accessGuards: readonly Guard[] = [
  ...defineGuards('server/src/platform/http/guard.ts', 'src/app/access.matrix.test.ts', [
    [
      'a call without a session is refused',
      'if (identity === null) {',
      "if (identity === null && guard === 'admin') {",
      'admits the callers',
    ],
    [
      "an admin's call is refused to others",
      "if (guard === 'admin') requireAdmin(request, identity)",
      "if (guard === 'admin' && identity.userId < 0) requireAdmin(request, identity)",
      'admits the callers',
    ],
  ]),
  ...defineGuards('server/src/platform/http/guard.ts', 'src/app/access.ended.test.ts', [
    [
      'the request of a former admin is refused',
      'if (earlierIdentity?.isAdmin === true) requireAdmin(request, identity)',
      '',
      'the loss of the role',
    ],
  ]),
  ...defineGuards('server/src/platform/http/error-handler.ts', 'src/app/access.matrix.test.ts', [
    [
      'a 401 names its authentication scheme',
      "void reply.header('www-authenticate', 'Bearer')",
      'void reply',
      'admits the callers',
    ],
  ]),
  ...defineGuards('server/src/platform/http/serve.ts', 'src/app/access.matrix.test.ts', [
    [
      'the guard runs before the body is read',
      "onRequest: [\n        ...(call.guard === 'public' ? [] : [createGuardHook(call.guard, call.beforeSecondFactor)]),\n        ...createMediaHooks(call),\n      ],",
      "onRequest: createMediaHooks(call),\n      preHandler: call.guard === 'public' ? [] : [createGuardHook(call.guard, call.beforeSecondFactor)],",
      'a malformed request',
    ],
  ]),
  ...defineGuards('contract/src/audit/audit.ts', 'src/app/access.matrix.test.ts', [
    ['the audit log is for admins alone', "guard: 'admin'", "guard: 'person'", 'admits the callers'],
  ]),
  ...defineGuards('contract/src/sessions/sessions.ts', 'src/app/access.matrix.test.ts', [
    [
      'the end of a session is for admins alone',
      "path: '/api/admin/sessions/:id/',\n  feature: 'sessions',\n  guard: 'admin'",
      "path: '/api/admin/sessions/:id/',\n  feature: 'sessions',\n  guard: 'person'",
      'admits the callers',
    ],
  ]),
  ...defineGuards('server/src/platform/security/identities.ts', 'src/app/access.matrix.test.ts', [
    ['an expired session is refused', 's.expires_at > now() and ', '', 'admits the callers'],
    [
      'an unused session is refused',
      'make_interval(days => ${days}::int)',
      'make_interval(days => 100 * ${days}::int)',
      'admits the callers',
    ],
  ]),
  ...defineGuards('server/src/platform/security/identities.ts', 'src/app/access.processes.test.ts', [
    ['an inactive person is refused', ' and u.is_active join', ' join'],
    [
      'a cached identity expires with its lease',
      'cacheEntry.until > now',
      'cacheEntry.until > 0',
      'short lease',
    ],
    [
      'a change waits for the leases of other processes',
      'if (await isOnlyWebProcess(db).catch(() => false)) return',
      'if (await isOnlyWebProcess(db).then(() => true)) return',
      'every older lease',
    ],
    [
      'new connections hold no cached identity',
      'and min(backend_start) < clock_timestamp() - make_interval(secs => ${otherProcessWait / 1000}) as is_only',
      'and ${otherProcessWait}::int > 0 as is_only',
      'waits only behind a pooler',
    ],
  ]),
  ...defineGuards('server/src/platform/security/identities.ts', 'src/domains/auth/sessions.test.ts', [
    [
      'a change removes the lookups that began before it',
      'async invalidate(): Promise<void> {\n    this.#cache.clear()',
      'async invalidate(): Promise<void> {',
    ],
  ]),
  ...defineGuards('server/src/platform/security/identities.ts', 'src/app/access.scope.test.ts', [
    [
      'a person ends own sessions alone',
      ".deleteFrom('sessions')\n    .where('user_id', '=', userId)",
      ".deleteFrom('sessions')\n    .where('user_id', '>', 0)",
    ],
  ]),
  ...defineGuards('server/src/domains/auth/auth.own-sessions.queries.ts', 'src/app/access.scope.test.ts', [
    ['a person lists own sessions alone', ".and('s.user_id = ?', userId)", ".and('s.user_id > ?', 0)"],
  ]),
  ...defineGuards('server/src/domains/auth/auth.sessions.queries.ts', 'src/app/access.scope.test.ts', [
    [
      'a single session is ended by its person alone',
      ".where('user_id', '=', userId)\n    .executeTakeFirst",
      ".where('user_id', '>', 0)\n    .executeTakeFirst",
    ],
  ]),
  ...defineGuards('server/src/domains/users/users.routes.ts', 'src/app/access.processes.test.ts', [
    [
      'a deactivation ends the sessions',
      'await endSessions(trx, id)\n',
      '\n',
      'the deactivation of a person',
    ],
  ]),
  ...defineGuards('server/src/domains/users/users.routes.ts', 'src/domains/users/users.test.ts', [
    [
      'a password set by an admin ends the sessions',
      'await endSessions(trx, id, person.userId === id ? person.sessionId : null)',
      'await Promise.resolve()',
      'a password is stored as a hash',
    ],
  ]),
  ...defineGuards('server/src/domains/auth/profile.routes.ts', 'src/domains/auth/sessions.test.ts', [
    [
      'a new password ends the other sessions',
      'await endSessions(trx, person.userId, person.sessionId)',
      'await Promise.resolve()',
      'a changed password needs',
    ],
  ]),
  ...defineGuards('server/src/domains/auth/auth.reauthenticate.ts', 'src/domains/auth/sessions.test.ts', [
    [
      'a new password needs the current one',
      'if (!(await passwords.verify(current, storedHash))) {',
      "if (current === '' && !(await passwords.verify(current, storedHash))) {",
      'a changed password needs',
    ],
    [
      'wrong current passwords are limited',
      'await countPasswordAttempt(pool, sessionId)',
      '',
      'wrong current passwords',
    ],
  ]),
  ...defineGuards('server/src/domains/auth/auth.limits.ts', 'src/domains/auth/auth.test.ts', [
    [
      'failed sign-ins to an account are limited',
      '{ key: `account:${name}@${network}`, maxFreeFailures: freeAttempts.account },',
      '',
    ],
    [
      'failed sign-ins from an address are limited',
      '{ key: `address:${network}`, maxFreeFailures: freeAttempts.address },',
      '',
    ],
  ]),
  ...defineGuards('server/src/platform/security/passwords.ts', 'src/domains/auth/auth.test.ts', [
    [
      'an unknown account costs a password check',
      'parseHash(storedHash ?? (await this.#getDummyHash()))',
      "parseHash(storedHash ?? '')",
      'a wrong name',
    ],
  ]),
  ...defineGuards('server/src/domains/auth/auth.sign-in.ts', 'src/domains/auth/second-factor.test.ts', [
    [
      'a second factor is required if it is on',
      'if (!person.second_factor) return',
      'if (person.id > 0) return',
    ],
    ['wrong codes are limited', 'await countCodeAttempt(pool, person.id)', ''],
  ]),
  ...defineGuards(
    'server/src/domains/auth/second-factor.totp.ts',
    'src/domains/auth/second-factor.totp.test.ts',
    [['a code is accepted once', ' && counter > last', '']],
  ),
  ...defineGuards('server/src/platform/security/last-admin.ts', 'src/domains/users/users.test.ts', [
    [
      'the last active admin is kept',
      'if (admin === undefined)',
      'if (admin === null)',
      'the last active admin',
    ],
  ]),
  ...defineGuards(
    'server/src/domains/accounts/accounts.register.ts',
    'src/domains/accounts/accounts.register.test.ts',
    [['a registered account waits for an admin', 'is_active: false', 'is_active: true']],
  ),
  ...defineGuards(
    'server/src/domains/accounts/accounts.routes.ts',
    'src/domains/accounts/accounts.register.test.ts',
    [
      [
        'registration can be disabled',
        "if (config.registration !== 'live') throw createSwitchedOffError('registrations')",
        '',
      ],
    ],
  ),
  ...defineGuards(
    'server/src/domains/accounts/accounts.reset.queries.ts',
    'src/domains/accounts/accounts.reset.test.ts',
    [['a mailed link expires', ".where('expires_at', '>', sql<string>`now()`)", '']],
  ),
]
