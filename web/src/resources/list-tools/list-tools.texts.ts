import { defineMessages } from '../../lib/i18n/messages.ts'

/** The buttons of saved views and columns in the toolbar of a list. */
export const listToolsTexts = defineMessages('listTools', { views: 'Views', columns: 'Columns' })

/** The same on Russian screens (specification, section 1). */
export const russianListToolsTexts = defineMessages('listTools.russian', {
  views: 'Виды',
  columns: 'Столбцы',
})
