/** The keys of the advisory locks. Each is different, because locks with one key wait for each other. */
export const lockKeys = {
  migrations: 7_315_001,
  admins: 7_315_010,
  firstAdmin: 7_315_011,
  demo: 7_315_012,
  registrations: 7_315_015,
  keyRotation: 7_315_016,
  storedFiles: 0x46494c45,
  fileStoreMark: 0x4d41524b,
  masterOffers: 0x4f464652,
} as const

/** The first keys of the advisory locks that have two. The comment says what the second key is. */
export const lockGroups = {
  /** A random number. */
  sessions: 0x53455353,
  /** The hash of the name of a job. */
  jobs: 0x4a4f4253,
  /** The lane. */
  folds: 0x464f4c44,
  /** The source. */
  references: 0x4c454144,
  /** The hash of the name of the table. */
  names: 0x4e414d45,
  /** The hash of the courier account. */
  courierAccounts: 0x434f5552,
  /** One of `dataLocks`. Migrations contain this number, too. */
  data: 0x4c454154,
} as const

/**
 * The second keys in the group `data`. Functions of the database use the first two: `lead_states_read()`,
 * `lead_states_change()` and `stream_owners_lock()`.
 */
export const dataLocks = { leadStates: 0, streamOwners: 1, alertRules: 2, paymentRegistries: 3 } as const
