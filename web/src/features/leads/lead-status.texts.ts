import { translate } from '../../lib/i18n/language.ts'

/** The state of a lead whose source status has no mapping. */
export const unmappedState = translate('Unmapped')
