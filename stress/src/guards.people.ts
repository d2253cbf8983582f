import { guardsOf, type Guard } from './guards.guard.ts'

/** Who somebody is, and what they may. */
export const guardsOfPeople: readonly Guard[] = [
  ...guardsOf('server/src/platform/http/guard.ts', 'src/app/access.matrix.test.ts', [
    [
      'nobody passes',
      'if (identity === null) {',
      "if (identity === null && guard === 'admin') {",
      'lets in whom it should',
    ],
    [
      'a person is no admin',
      "if (guard === 'admin' && !identity.isAdmin) {",
      "if (guard === 'admin' && identity.userId < 0) {",
      'lets in whom it should',
    ],
    [
      'a 401 names its scheme',
      "void reply.header('www-authenticate', 'Bearer')",
      '',
      'lets in whom it should',
    ],
  ]),
  ...guardsOf('server/src/platform/http/serve.ts', 'src/app/access.matrix.test.ts', [
    [
      'the guard stands before the body',
      "onRequest: [\n        ...(call.guard === 'public' ? [] : [createGuardHook(call.guard, call.beforeSecondFactor)]),\n        ...createMediaHooks(call),\n      ],",
      "onRequest: createMediaHooks(call),\n      preHandler: call.guard === 'public' ? [] : [createGuardHook(call.guard, call.beforeSecondFactor)],",
      'learns nothing else',
    ],
  ]),
  ...guardsOf('contract/src/audit/audit.ts', 'src/app/access.matrix.test.ts', [
    ['the audit log is the admins’', "guard: 'admin'", "guard: 'person'", 'lets in whom it should'],
  ]),
  ...guardsOf('contract/src/sessions/sessions.ts', 'src/app/access.matrix.test.ts', [
    [
      'only admins end a session',
      "path: '/api/admin/sessions/:id/',\n  feature: 'sessions',\n  guard: 'admin'",
      "path: '/api/admin/sessions/:id/',\n  feature: 'sessions',\n  guard: 'person'",
      'lets in whom it should',
    ],
  ]),
  ...guardsOf('server/src/platform/security/identities.ts', 'src/app/access.matrix.test.ts', [
    ['a session ends for good', 's.expires_at > now() and ', '', 'lets in whom it should'],
    [
      'a session ends unused',
      'make_interval(days => $2::int)',
      'make_interval(days => 100 * $2::int)',
      'lets in whom it should',
    ],
  ]),
  ...guardsOf('server/src/platform/security/identities.ts', 'src/app/access.processes.test.ts', [
    ['an inactive person is nobody', ' and u.is_active', ''],
    ['what is known holds for a lease', 'cached.until > startedAt', 'cached.until > 0', 'short lease'],
    [
      'a change waits for the leases of others',
      'if (await isOnlyWebProcess(db).catch(() => false)) return',
      'if (await isOnlyWebProcess(db).then(() => true)) return',
      'no lease of before',
    ],
    [
      'new connections tell of nobody',
      'and min(backend_start) < clock_timestamp() - make_interval(secs => ${otherProcessWait / 1000}) as alone',
      'and ${otherProcessWait}::int > 0 as alone',
      'without another process',
    ],
  ]),
  ...guardsOf('server/src/platform/security/identities.ts', 'src/domains/auth/sessions.test.ts', [
    [
      'a look-up under way is not remembered',
      'identity !== null && generation === this.#generation',
      'identity !== null',
    ],
  ]),
  ...guardsOf('server/src/platform/security/identities.ts', 'src/app/access.scope.test.ts', [
    ['only own sessions are ended', ".where('user_id', '=', userId)", ".where('user_id', '>', 0)"],
  ]),
  ...guardsOf('server/src/domains/auth/auth.store.ts', 'src/app/access.scope.test.ts', [
    ['only own sessions are listed', ".where('user_id', '=', userId)", ".where('user_id', '>', 0)"],
  ]),
  ...guardsOf('server/src/domains/users/users.routes.ts', 'src/app/access.processes.test.ts', [
    ['a deactivation ends sessions', 'await endSessions(trx, id)\n', '\n', 'once its owner is deactivated'],
  ]),
  ...guardsOf('server/src/domains/users/users.routes.ts', 'src/domains/users/users.test.ts', [
    [
      'a password from an admin ends sessions',
      'await endSessions(trx, id, person.userId === id ? person.sessionId : null)',
      'await Promise.resolve()',
      'a password never leaves',
    ],
  ]),
  ...guardsOf('server/src/domains/auth/profile.routes.ts', 'src/domains/auth/sessions.test.ts', [
    [
      'a new password ends the other sessions',
      'await endSessions(trx, person.userId, person.sessionId)',
      'await Promise.resolve()',
      'changes the password',
    ],
  ]),
  ...guardsOf('server/src/domains/auth/auth.reauthenticate.ts', 'src/domains/auth/sessions.test.ts', [
    [
      'the current password is proven',
      'if (!(await verifyPassword(current, stored))) {',
      "if (current === '' && !(await verifyPassword(current, stored))) {",
      'changes the password',
    ],
    [
      'guessing the current password has an end',
      'await countPasswordAttempt(pool, sessionId)',
      '',
      'holds back who guesses',
    ],
  ]),
  ...guardsOf('server/src/domains/auth/auth.limits.ts', 'src/domains/auth/auth.test.ts', [
    ['tries at an account have an end', '[`account:${name}@${network}`, freeAttempts.account],', ''],
    ['tries from an address have an end', '[`address:${network}`, freeAttempts.address],', ''],
  ]),
  ...guardsOf('server/src/platform/security/passwords.ts', 'src/domains/auth/auth.test.ts', [
    [
      'an unknown account costs a password',
      'parseHash(stored ?? (await getDummyHash()))',
      "parseHash(stored ?? '')",
      'the same of a wrong name',
    ],
  ]),
  ...guardsOf('server/src/domains/auth/auth.sign-in.ts', 'src/domains/auth/second-factor.test.ts', [
    ['a second factor is asked for', 'if (!person.second_factor) return', 'if (person.id > 0) return'],
    ['guessing codes has an end', 'await countCodeAttempt(pool, person.id)', ''],
  ]),
  ...guardsOf(
    'server/src/domains/auth/second-factor.totp.ts',
    'src/domains/auth/second-factor.totp.test.ts',
    [['a code is good once', ' && counter > last', '']],
  ),
  ...guardsOf('server/src/platform/security/last-admin.ts', 'src/domains/users/users.test.ts', [
    ['the last admin stays', 'if (admin === undefined)', 'if (admin === null)', 'the last active admin'],
  ]),
  ...guardsOf(
    'server/src/domains/accounts/accounts.register.ts',
    'src/domains/accounts/accounts.register.test.ts',
    [['who registers waits', 'is_active: false', 'is_active: true']],
  ),
  ...guardsOf(
    'server/src/domains/accounts/accounts.routes.ts',
    'src/domains/accounts/accounts.register.test.ts',
    [
      [
        'registering is switched off',
        "if (config.registration !== 'live') throw disabledError('registrations')",
        '',
      ],
    ],
  ),
  ...guardsOf(
    'server/src/domains/accounts/accounts.reset.ts',
    'src/domains/accounts/accounts.reset.test.ts',
    [['a mailed link is over some day', ".where('expires_at', '>', sql<string>`now()`)", '']],
  ),
]
