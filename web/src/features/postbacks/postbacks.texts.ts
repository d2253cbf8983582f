import type { PostbackOutcome, PostbackReason } from '@karvon/contract/postbacks/postbacks.ts'
import { translate } from '../../lib/i18n/language.ts'

const outcomes: Readonly<Record<PostbackOutcome, string>> = {
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  refused: 'Refused',
}

const reasons: Readonly<Record<PostbackReason, string>> = {
  unknown_stream: 'Unknown stream',
  unmapped_word: 'Unmapped word',
  older_state: 'Older than what is stored',
  duplicate: 'Known already',
  missing_value: 'A value is missing',
  bad_value: 'A value cannot be read',
  bad_secret: 'Wrong secret',
  inactive_source: 'The source is inactive',
  malformed: 'Cannot be read',
}

export const postbackTexts = translate({
  title: 'Postback log',
  loadFailed: 'Failed to load postbacks. Please try again.',
  search: 'External id starts with',
  outcomes,
  reasons,
  filters: {
    source: { label: 'Source', any: 'All sources' },
    outcome: { label: 'Outcome', any: 'All outcomes' },
    reason: { label: 'Reason', any: 'All reasons' },
  },
  columns: {
    at: 'Time',
    source: 'Source',
    external_id: 'External id',
    word: 'Word',
    outcome: 'Outcome',
    reason: 'Reason',
    lead: 'Lead',
    replay: 'Replay',
  },
  lead: 'Open lead',
  none: '—',
  detail: 'Postback',
  facts: {
    at: 'Came',
    from: 'From',
    source: 'Source',
    answer: 'Answer',
    replayed: 'Replayed',
  },
  from: (method: string, address: string | null) => (address === null ? method : `${method} from ${address}`),
  params: 'Parameters',
  noParams: 'It carried nothing.',
  replay: 'Replay',
  replaying: 'Replaying...',
  replayed: (outcome: PostbackOutcome) => `Replayed: ${outcomes[outcome].toLowerCase()}`,
  replayFailed: 'Failed to replay postback. Please try again.',
})
