import { translate } from '../../lib/i18n/language.ts'

export const templateTexts = translate({
  filters: { stream_id: 'All streams', state: 'All states' },
  state: 'The state that a lead comes into; empty for any change of it.',
  url: (macros: readonly string[]) =>
    `Filled in with the lead’s values: ${macros.map((each) => `{${each}}`).join(' ')}, {sub1} to {sub15}, {click}.`,
})
