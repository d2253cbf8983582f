import { defineMessages } from '../lib/i18n/messages.ts'

/** Texts of a resource's list and form, built from its noun (specification, section 8). */
export const resourceTexts = defineMessages('resource', {
  create: 'New {noun}',
  edit: 'Edit {noun}',
  loadFailed: 'Failed to load {nouns}. Please try again.',
  rowFailed: 'Failed to load {noun}. Please try again.',
  saveFailed: 'Failed to save {noun}. Please try again.',
  changed: 'Somebody changed this {noun} meanwhile. Nothing was saved.',
  replaces: 'Loading the present values replaces what you entered.',
  loadPresent: 'Load the present values',
  saved: '{Noun} saved successfully.',
  filterBy: 'Filter by {label}',
  remove: 'Delete',
  confirmRemove: 'Are you sure you want to delete this {noun}?',
  removeFailed: 'Failed to delete {noun}. Please try again.',
  notFound: '{Noun} not found',
  inactive: 'Inactive',
  off: 'Not {label}',
  keptSecret: 'Leave empty to keep it as it is.',
  clearText:
    'Not encrypted: others on the network can read what is sent over http. Use https if the other side supports it.',
  invalidJson: 'Enter a JSON object',
  jsonFault: 'Enter a JSON object: this is none from line {line}, column {column}',
  createdAt: 'Created',
  id: 'ID',
  failed: 'An error occurred',
})
