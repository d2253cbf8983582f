import type { PostbackOutcome, PostbackReason } from '@karvon/contract/postbacks/postbacks.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

const outcomes: Readonly<Record<PostbackOutcome, string>> = {
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  refused: 'Refused',
}

const reasons: Readonly<Record<PostbackReason, string>> = {
  unknown_stream: 'Unknown stream',
  unmapped_status: 'Unmapped status',
  older_state: 'Older than what is stored',
  duplicate: 'Known already',
  missing_value: 'A value is missing',
  bad_value: 'A value cannot be read',
  bad_secret: 'Wrong secret',
  inactive_source: 'The source is inactive',
  malformed: 'Cannot be read',
}

export const postbackTexts = defineMessages('postbacks', {
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
    sourceStatus: 'Source status',
    outcome: 'Outcome',
    reason: 'Reason',
    lead: 'Lead',
    replay: 'Replay',
  },
  lead: 'Open lead',
  detail: 'Postback',
  facts: {
    at: 'Received',
    from: 'From',
    source: 'Source',
    answer: 'Answer',
    replayed: 'Replayed',
  },
  from: '{method} from {address}',
  params: 'Parameters',
  noParams: 'No parameters.',
  replay: 'Replay',
  replaying: 'Replaying...',
  replayed: 'Replayed: {outcome}',
  replayFailed: 'Failed to replay postback. Please try again.',
})
