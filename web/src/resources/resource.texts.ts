import { translate } from '../lib/i18n/language.ts'

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Texts of a resource's list and form, built from its noun (specification, section 8). */
export const resourceTexts = translate({
  create: (one: string) => `New ${one}`,
  edit: (one: string) => `Edit ${one}`,
  loadFailed: (many: string) => `Failed to load ${many}. Please try again.`,
  rowFailed: (one: string) => `Failed to load ${one}. Please try again.`,
  saveFailed: (one: string) => `Failed to save ${one}. Please try again.`,
  changed: (one: string) => `Somebody changed this ${one} meanwhile. Nothing was saved.`,
  replaces: 'Loading the present values replaces what you entered.',
  loadPresent: 'Load the present values',
  saved: (one: string) => `${capital(one)} saved successfully.`,
  filterBy: (label: string) => `Filter by ${label.toLowerCase()}`,
  remove: 'Delete',
  confirmRemove: (one: string) => `Are you sure you want to delete this ${one}?`,
  removeFailed: (one: string) => `Failed to delete ${one}. Please try again.`,
  notFound: (one: string) => `${capital(one)} not found`,
  on: (label: string) => label,
  off: (label: string) => (label === 'Active' ? 'Inactive' : `Not ${label.toLowerCase()}`),
  keptSecret: 'Leave empty to keep it as it is.',
  clearText:
    'Not encrypted: whoever is on the way reads what is sent to http. Use https where the other side has it.',
  invalidJson: 'Enter a JSON object',
  jsonFault: (line: number, column: number) =>
    `Enter a JSON object: this is none from line ${line}, column ${column}`,
  createdAt: 'Created',
  id: 'ID',
  failed: 'An error occurred',
})
