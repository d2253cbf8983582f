import { postbackMacros, postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { UrlText } from '../../resources/resource-columns.tsx'
import { resourcePage } from '../../resources/resource-page.tsx'
import { templateTexts as texts } from './postback-templates.texts.ts'

const macros = postbackMacros.map((name) => `{${name}}`).join(' ')

export const PostbackTemplatesPage = resourcePage(postbackTemplates, {
  filters: texts.filters,
  cells: { url: ({ url }, defaultCell) => (url ? <UrlText url={url} /> : defaultCell) },
  fields: {
    state: { hint: texts.state },
    url: { hint: texts.url({ macros, first: '{sub1}', last: '{sub15}', click: '{click}' }), width: 'full' },
  },
})
