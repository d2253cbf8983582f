import { postbackMacros, postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { resourcePage } from '../kit/resource-page.tsx'
import { templateTexts as texts } from './postback-templates.texts.ts'

export const PostbackTemplatesPage = resourcePage(postbackTemplates, {
  filters: texts.filters,
  hints: { state: texts.state, url: texts.url(postbackMacros) },
})
