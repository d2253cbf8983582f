import type { ArgumentOf } from './error-messages.ts'
import { formatMessage, type Message, type MessageParams, type ParamsOf } from './message.ts'
import type { Reason } from './problem.ts'

/**
 * The results of requests to outside systems, and the reasons why a sync failed. The code is the id of the message. No
 * code is in another catalogue.
 */
export const syncMessages = {
  // Runs
  sync_interrupted: 'Interrupted',
  sync_unexpected: 'An unexpected error on this side. The log has the reason.',
  sync_requests_used: 'The {max} requests of the day are used up.',
  sync_account_changed: 'The account was changed or deactivated during the run.',
  sync_account_missing: 'The account is gone.',
  sync_connector_missing: 'No CPA credential of the source names a connector.',
  sync_secrets_encrypted: 'The stored secrets cannot be decrypted: they were encrypted with another key.',
  sync_password_encrypted: 'The stored password cannot be decrypted: it was encrypted with another key.',

  // Any outside system
  host_timeout: '{host} did not answer in time.',
  host_unreachable: '{host} gave no usable answer.',
  host_unreachable_code: '{host} gave no usable answer ({code}).',
  header_not_allowed:
    'The request to {host} was not sent: a header has a character that HTTP does not allow, such as a line break in a secret.',
  host_not_public:
    '{host} leads to an address that is not public. To allow it, add its host and port to KARVON_OUTBOUND_ALLOW.',
  host_redirects:
    '{host} answered with the redirect {status}. Karvon follows no redirect. Use the address that it leads to.',
  host_encoding: '{host} compressed its answer with an encoding that Karvon does not accept.',
  host_headers: '{host} answered with too many headers.',
  host_bytes: '{host} answered more than {max} bytes.',
  answer_malformed: 'The answer is not {format}, or was cut off.',
  answer_doctype: 'The answer has a document type, which is not supported.',
  answer_too_deep: 'The answer is nested too deeply.',
  answer_too_many: 'The answer has too many parts.',
  answer_too_varied: 'The answer has parts with too many different names.',
  answer_too_slow: 'The answer took too long or too much memory to read.',

  // Networks
  network_status: 'The network answered {status}.',
  network_wait: 'The network asks to wait {seconds} s.',
  network_url: '"{url}" is no address.',
  network_list: 'The answer has no list at "{path}".',
  network_rows: 'A page has {rows} rows, more than {max}.',
  network_next_page: 'The link to the next page leads to another host.',
  network_same_page: 'The network sends the same page again instead of the next one.',
  sign_in_refused: 'The network refused the sign-in ({status}).',
  sign_in_answer: 'The answer to the sign-in cannot be parsed.',
  sign_in_token: 'The sign-in gave no token at "{path}".',
  token_refused: 'The network refuses the token (401), and nothing says how to sign in.',
  new_token_refused: 'The network refuses the token that it has just given (401).',
  test_signed_in: 'Signed in.',
  test_read: 'Read.',
  test_rows: '{rows} rows on the first page, {read} of them read.',

  // The courier
  courier_status: 'The courier answered {status}.',
  courier_web_page: 'The courier answered with a web page.',
  courier_empty: 'The courier answered without any content.',
  courier_refusal: 'The courier refused without a reason.',
  courier_message: 'The courier says: {message}',
  courier_orders_cut: 'The courier announced {count} orders and sent {sent}: the answer was cut off.',
  courier_acts_cut: 'The courier announced {count} acts and sent {sent}: the answer was cut off.',
  courier_lines_cut: 'The courier announced {count} lines and sent {sent}: the answer was cut off.',
  courier_same_orders: 'The courier sends the same orders again, although they were confirmed.',
  courier_acts: 'These acts cannot be read: {acts}.',
} as const satisfies Record<string, Message>

export type SyncCode = keyof typeof syncMessages

/** Describes a result or a failure by its code, for the language of each reader. */
export function describeSync<Code extends SyncCode>(
  code: Code,
  ...[params]: ArgumentOf<ParamsOf<(typeof syncMessages)[Code]>>
): Reason {
  const values = params as MessageParams | undefined
  return { message: formatMessage(syncMessages[code], values), code, ...(values && { params: values }) }
}
