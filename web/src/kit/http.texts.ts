export const httpTexts = {
  timeout: 'The server did not answer within 5 seconds.',
  unreachable: 'The server cannot be reached.',
  unexpected: 'The server gave an unexpected answer.',
  status: (status: number) => `Request failed with status code ${status}`,
}
