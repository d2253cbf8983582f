import { translate } from './i18n/language.ts'

export const httpTexts = translate({
  timeout: (seconds: number) => `The server did not answer within ${seconds} seconds.`,
  unreachable: 'The server cannot be reached.',
  silent: (seconds: number) => `The server sent nothing for ${seconds} seconds.`,
  notOffered: 'This server does not offer this.',
  noFile: 'This server does not offer files of it.',
  unexpected: 'The server gave an unexpected answer.',
  status: (status: number) => `Request failed with status code ${status}`,
})
