import { formatNumber } from '../../lib/format/number.format.ts'
import { translate } from '../../lib/i18n/language.ts'

const origins: Readonly<Record<string, string>> = {
  file: 'File',
  postback: 'Postback',
  connector: 'Connector',
  parcel: 'Parcel',
  mapping: 'Mapping of the word',
  admin: 'Admin',
}

const leads = (count: number) => `${formatNumber(count)} ${count === 1 ? 'lead' : 'leads'}`

export const leadTexts = translate({
  title: 'Leads',
  search: 'External id starts with',
  word: 'Word',
  loadFailed: 'Failed to load leads. Please try again.',
  filters: {
    source: { label: 'Source', any: 'All sources' },
    offer: { label: 'Offer', any: 'All offers', none: 'Without an offer' },
    stream: { label: 'Stream', any: 'All streams', none: 'Without a stream' },
    state: { label: 'State', any: 'All states' },
  },
  noColumn: 'In no column',
  columns: {
    external_id: 'External id',
    created_at: 'Created',
    source: 'Source',
    offer: 'Offer',
    stream: 'Stream',
    word: 'Word',
    status: 'Status',
    payout: 'Payout',
  },
  none: '—',
})

export const leadDetailTexts = translate({
  title: 'Lead',
  failed: 'Failed to load lead. Please try again.',
  facts: {
    source: 'Source',
    offer: 'Offer',
    stream: 'Stream',
    word: 'Source’s word',
    state: 'State',
    payout: 'Payout',
    created: 'Created',
    updated: 'Updated',
    comment: 'Comment',
  },
  byWord: 'Follows the source’s word',
  byHand: 'Set here; stands until the source tells a newer one',
  history: 'History',
  saysNothing: 'no word',
  origins,
  payout: (amount: string) => `payout ${amount}`,
  shownOf: (shown: number, total: number) => `Showing ${formatNumber(shown)} of ${formatNumber(total)}`,
  showMore: { more: 'Show more', loading: 'Loading...', failed: 'Failed to load more. Please try again.' },
})

export const stateTexts = translate({
  open: 'Change state',
  tooMany: (most: number) => `Change state: at most ${formatNumber(most)} at a time`,
  title: (count: number) => `Change the state of ${leads(count)}`,
  status: 'Status',
  comment: 'Comment',
  hint: 'Stands until the source tells a newer state. Kept in each lead’s history.',
  submit: 'Change state',
  confirm: (count: number, status: string) => `Change the state of ${leads(count)} to ${status}?`,
  declined: 'Nothing was changed.',
  failed: 'Failed to change the state. Please try again.',
  changed: 'State changed',
  result: (changed: number, left: number) =>
    left === 0
      ? `${leads(changed)} changed.`
      : `${leads(changed)} changed, ${formatNumber(left)} were so already.`,
})

export const unmappedTexts = translate({
  title: 'Unmapped words',
  loadFailed: 'Failed to load unmapped words. Please try again.',
  empty: 'Every word of every source has a status.',
  search: 'Word',
  source: { label: 'Source', any: 'All sources' },
  columns: { word: 'Word', source: 'Source', leads: 'Leads', status: 'Map to' },
  mapWord: (word: string, source: string) => `Status for ${word || 'no word'} of ${source}`,
  choose: 'Choose a status',
  mapped: 'Word mapped',
  undo: (word: string, source: string, status: string) =>
    `“${word}” of ${source} now counts as ${status}. To undo, delete it in Settings, Statuses, Source statuses.`,
  empties: 'no word',
})
