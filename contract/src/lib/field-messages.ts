import { errorMessages, type ArgumentOf, type ErrorCode } from './error-messages.ts'
import { formatMessage, type Message, type MessageParams, type ParamsOf } from './message.ts'
import type { FieldProblem } from './problem.ts'

/**
 * The messages of fields, cells and parameters with errors. The code is the id of the message. `label` is the name of
 * the field: its label in a form, its name in a request or in a file.
 */
export const fieldMessages = {
  required: '{label} is required',
  not_valid: '{label} is not valid',
  must_be_whole_number: '{label} must be a whole number',
  must_be_number: '{label} must be a number',
  must_be_text: '{label} must be text',
  must_be_one_line: '{label} must be one line, without line breaks and tabs',
  must_be_boolean: '{label} must be true or false',
  must_be_list: '{label} must be a list',
  must_be_object: '{label} must be an object',
  must_be_other_type: '{label} must be of another type',
  must_be_id: '{label} must be an id',
  must_be_uuid: '{label} must be a UUID',
  must_be_email: '{label} must be an address such as name@example.com',
  must_be_http_url: '{label} must start with http:// or https://',
  must_be_day: '{label} must be a day such as 2026-11-21',
  must_be_time: '{label} must be a time such as 2026-11-21T09:42:00+05:00',
  must_be_offered: '{label} must be one of the offered values',
  below_minimum: '{label} must be at least {min}',
  above_maximum: '{label} must be at most {max}',
  too_short: '{label} must have at least {min} characters',
  too_long: '{label} must have at most {max} characters',
  too_many_entries: '{label} must have at most {max} entries',
  too_many_decimals: '{label} must have at most {max} decimals',
  too_many_kilobytes: '{label} must have at most {max} kB',
  not_printable: '{label} must have 1 to {max} printable characters',
  unstorable_character: '{label} contains a character that cannot be stored',
  nested_too_deeply: '{label} is nested too deeply',
  period_too_long: '{from} and {to} are more than {days} days apart',
  comparison_without_period: '{label} needs a period with a first and a last day',
  period_reversed: '{from} is after {to}',
  page_too_deep: '{label} is past row {max}',
  reference_missing: '{label} does not exist.',
  filter_not_in_rules: 'A rule filters by source, offer, stream and buyer alone, not by {label}.',
  own_master_offer: 'An offer cannot be its own master offer, nor the master of its master offer.',
  status_inactive: 'The status is inactive.',
  source_missing: 'Source {id} does not exist.',
  body_not_object: 'The body must be a JSON object',
  description_too_long: 'Description is longer than {max} characters.',

  // Passwords, usernames and proofs
  password_too_short: 'The password must have at least {min} characters.',
  password_too_long: 'The password must have at most {max} characters.',
  password_repetitive: 'The password repeats itself.',
  password_without_letters: 'The password has only digits and signs.',
  password_common: 'The password is one of the most common.',
  password_is_name: 'The password is the name of its owner.',
  current_password_wrong: 'The current password is not right.',
  code_wrong: 'The code is wrong or was already used.',
  reset_link_invalid: 'This link is no longer valid. Request a new one.',
  mixed_alphabets: '{label} mixes letters of two alphabets in one word.',
  lookalike_letters: '{label} has letters that look like others.',
  own_credential: 'Change your own {field} in your profile.',
  password_for_other_host: 'Enter the password again: the stored one is only for {host}.',
  secret_for_other_hosts: 'Enter it again: the stored one is only for {hosts}.',

  // URLs and connectors
  url_not_http: '{label} must be an http or https address',
  url_with_credentials: '{label} must not contain a user name or a password',
  url_port_refused: '{label} must use port {ports}, unless KARVON_OUTBOUND_ALLOW names {address}',
  url_not_public: '{label} must lead to a public address, unless KARVON_OUTBOUND_ALLOW names {address}',
  url_host_macro: '{label} must not contain a macro in its host',
  unknown_macro: '{label} has the unknown macro {macro}. Known macros: {macros}',
  description_too_large: '{label}: has more than {max} kB',
  description_invalid: '{label}: {problem}',
  merged_description_invalid: '{problem}.',
  connector_missing: 'There is no connector "{code}".',
  credential_of_other_source: 'Source credential is not of this source.',
  secrets_without_host: 'The stored secrets are for no host yet. Enter them again to send them to {others}.',
  secrets_for_other_hosts:
    'The stored secrets are only for {hosts}. Enter them again to send them to {others}.',

  // Files and their rows
  one_file: 'Send one file at a time',
  file_empty: 'The file is empty.',
  columns_missing: 'The heading row lacks {columns}.',
  not_a_time: '{label} is not a time such as 2026-11-21T09:42:00+05:00',
  time_unreadable: '{label} is not a time',
  time_not_real: '{label} is not a time that exists',
  time_in_future: '{label} is in the future',
  not_a_day: '{label} is not a day such as 2026-11-21 or 21.11.2026',
  day_not_real: '{label} is not a day that exists',
  formula_error: '{label} has the error {error} of a formula',
  formula_not_calculated:
    '{label} has a formula without a value. Open the file in a spreadsheet program, save it and send it again',
  number_shortened:
    '{label} has only the first digits of its number: {number}. Format the column as text in the spreadsheet',
  not_a_number: '{label} is not a number',
  number_negative: '{label} must not be negative',
  number_too_large: '{label} is too large',
  more_decimals: '{label} has more than {max} decimals',
  not_a_currency_code: '{label} is not a currency code of ISO 4217 such as UZS',
  not_an_http_address: '{label} is not an http address',
  longer_than: '{label} is longer than {max} characters',
  unknown_status: '{label} is not a known status',
  unknown_pay_type: '{label} is not a known pay type',
  unknown_username: '{label} is not a username',
  required_without_date: '{label} is required where there is no date',
  duplicate_in_file: '{label} occurs twice in the file',
  total_row: '{label} is a total and no order',
  differs_in_act: '{label} differs from an earlier row of the act',
  too_many_orders: '{label} comes after {max} others: split the file',
  orders_out_of_time: 'There was no time left for {orders} orders: send the file again.',
  orders_over_quota:
    '{orders} orders were not stored. With this file you would have more than {max, number} parcels from order files, the limit of one person. Ask an admin to raise the limit, then send the file again.',

  // Parameters of postbacks
  several_values: '{label} must be given once, as one value',
  not_utf8: '{label} is not UTF-8',
  macro_not_replaced: '{label} is a macro that the network did not replace by a value',
  parameter_missing: '{label} is missing: send it as {names}',
} as const satisfies Record<string, Message>

export type FieldCode = keyof typeof fieldMessages
type FieldText<Code extends FieldCode> = (typeof fieldMessages)[Code]

/** Codes whose message names the field by its label. */
type LabelledCode = {
  [Code in FieldCode]: 'label' extends keyof ParamsOf<FieldText<Code>> ? Code : never
}[FieldCode]

/** What is wrong with a value. A parser answers it, because it does not know the field. */
export type ValueFault = { readonly code: LabelledCode; readonly params?: MessageParams }

export function valueFault<Code extends LabelledCode>(
  code: Code,
  ...[params]: ArgumentOf<Omit<ParamsOf<FieldText<Code>>, 'label'>>
): ValueFault {
  return { code, ...(params !== undefined && { params: params as MessageParams }) }
}

/** The error of one field. */
export function fieldError<Code extends FieldCode>(
  field: string,
  code: Code,
  ...[params]: ArgumentOf<ParamsOf<FieldText<Code>>>
): FieldProblem {
  return { field, ...describeMessage(code, params) }
}

export const formatFault = (label: string, { code, params }: ValueFault): string =>
  formatMessage(fieldMessages[code], { label, ...params })

/** The error of the field that has a faulty value. */
export const labelledError = (field: string, label: string, { code, params }: ValueFault): FieldProblem => ({
  field,
  ...describeMessage(code, { label, ...params }),
})

/** A message with its code and its parameters, as an answer has them. */
export type MessageDescription = Omit<FieldProblem, 'field'>

export const describeMessage = (
  code: ErrorCode | FieldCode,
  params: MessageParams = {},
): MessageDescription => ({
  message: formatMessage(getMessage(code), params),
  code,
  ...(Object.keys(params).length > 0 && { params }),
})

const getMessage = (code: ErrorCode | FieldCode): Message =>
  isFieldCode(code) ? fieldMessages[code] : errorMessages[code].text

const isFieldCode = (code: string): code is FieldCode => Object.hasOwn(fieldMessages, code)
