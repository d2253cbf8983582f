import { speak } from '../ui/language/language.ts'

export const sessionsTexts = speak({
  title: 'Sessions',
  search: 'Search by person, address or browser',
  loadFailed: 'Failed to load sessions. Please try again.',
  unknownDevice: 'Unknown device',
  unknownAddress: '—',
  current: 'This session',
  filters: { user: { label: 'Person', any: 'Everybody' } },
  columns: {
    user: 'Person',
    device: 'Device',
    address: 'Address',
    last_used_at: 'Last used',
    created_at: 'Signed in',
    expires_at: 'Ends by itself',
    actions: 'Actions',
  },
  end: 'End',
  endAll: 'End all',
  /** What a button says besides, to who cannot see its row. */
  one: (who: string) => `this session of ${who}`,
  all: (who: string) => `sessions of ${who}`,
  ending: 'Ending...',
  confirmEnd: (who: string) => `End this session of ${who}?`,
  confirmEndAll: (who: string) => `End all sessions of ${who}?`,
  consequence: 'Whoever uses it has to sign in anew.',
  endsOwn: 'It is your own: you will have to sign in anew.',
  ended: 'Session ended.',
  endedAll: (count: number) => `Sessions ended: ${count}`,
  endFailed: 'Failed to end the session. Please try again.',
  endAllFailed: 'Failed to end the sessions. Please try again.',
})
