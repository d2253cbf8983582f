import type { Message, ParamsOf } from './message.ts'

/**
 * Every error that the server answers: its code, its HTTP status and its message. The code is the id of the message,
 * so each message has a code of its own. The detail of `invalid` is the message of the first field with an error.
 */
export const errorMessages = {
  // The request itself
  malformed: { status: 400, text: '{message}' },
  request_unreadable: { status: 400, text: 'The request cannot be parsed.' },
  several_hosts: { status: 400, text: 'The request names more than one host.' },
  too_many_parameters: { status: 400, text: 'The address has more than {max} parameters.' },
  connection_ended: { status: 400, text: 'The connection ended before the request did.' },
  form_incomplete: { status: 400, text: 'The form is incomplete.' },
  no_such_address: { status: 404, text: 'Nothing exists at this address.' },
  no_such_page: { status: 404, text: '{message}' },
  method_not_allowed: { status: 405, text: '{method} is not allowed here, only {allowed}.' },
  method_refused: { status: 405, text: '{message}' },
  address_too_long: { status: 414, text: 'The address has more than {max} characters.' },
  unknown_expectation: { status: 417, text: 'The only expectation that the server meets is 100-continue.' },
  precondition_failed: { status: 412, text: '{message}' },
  path_too_long: { status: 414, text: '{message}' },
  body_too_large: { status: 413, text: '{message}' },
  body_type_refused: { status: 415, text: '{message}' },
  range_not_satisfiable: { status: 416, text: '{message}' },
  body_type_unsupported: { status: 415, text: 'Send the body as {types}.' },
  invalid: { status: 422, text: 'The request is not valid.' },
  value_unfit: { status: 422, text: 'A value does not fit its field.' },
  answer_too_large: { status: 422, text: 'The answer is too large: ask for fewer rows, or for a file.' },
  question_too_large: {
    status: 422,
    text: 'This question reads too many leads. Choose a shorter period or other dimensions.',
  },
  internal: { status: 500, text: 'Something went wrong on the server (request {request}).' },

  // Sign-in and rights
  unauthenticated: { status: 401, text: 'Sign in to continue.' },
  wrong_credentials: { status: 401, text: 'Incorrect username or password.' },
  second_factor_required: { status: 401, text: 'Send the code of your second factor as well.' },
  second_factor_wrong: { status: 401, text: 'The code is wrong or was already used.' },
  forbidden: { status: 403, text: 'Only an administrator may do this.' },
  second_factor_setup_required: {
    status: 403,
    text: 'Administrators need a second factor here. Set it up in your profile first.',
  },
  second_factor_already_on: { status: 409, text: 'The second factor is on already.' },
  second_factor_not_on: { status: 409, text: 'The second factor is not on.' },
  second_factor_mandatory: {
    status: 409,
    text: 'Administrators need a second factor here: it cannot be turned off.',
  },
  own_second_factor: { status: 409, text: 'Turn your own second factor off in your profile.' },
  own_sessions: { status: 409, text: 'End your own other sessions in your profile.' },
  last_admin: { status: 409, text: 'The last active administrator must remain an administrator.' },
  switched_off: { status: 404, text: 'This installation has no {what}.' },
  registration_role_missing: {
    status: 409,
    text: 'Nobody can register: the role of new accounts does not exist.',
  },
  metrics_token_required: { status: 401, text: 'The metrics require the token of KARVON_METRICS_TOKEN.' },
  metrics_forbidden: { status: 403, text: 'The metrics are available on this machine only.' },
  metrics_only: { status: 404, text: 'This port serves only /metrics.' },
  metrics_unreadable: { status: 500, text: 'The metrics cannot be read.' },
  web_not_built: { status: 404, text: 'The web is not built yet: run "npm run build".' },

  // Rows
  not_found: { status: 404, text: 'No such {noun}.' },
  parcel_not_tracked: { status: 404, text: 'No parcel has this order number and these digits.' },
  already_exists: { status: 409, text: '{label} is already taken.' },
  lookalike_exists: { status: 409, text: '{label} looks like one that is already taken.' },
  combination_exists: { status: 409, text: 'This combination of {first} and {second} already exists.' },
  edit_conflict: { status: 409, text: 'Somebody changed this {noun} meanwhile. Nothing was saved.' },
  in_use: { status: 409, text: 'Used by {uses}.' },
  built_in_status_type: { status: 409, text: 'A built-in status type cannot be deleted.' },
  built_in_connector: {
    status: 409,
    text: 'A built-in connector cannot be changed. Add one of your own under another code.',
  },
  too_many_parcel_notes: { status: 409, text: 'A parcel has at most {max} notes.' },
  too_many_difference_notes: { status: 409, text: 'A difference has at most {max} notes.' },
  too_many_saved_views: { status: 409, text: 'A person has at most {max} views.' },
  too_many_shared_views: {
    status: 409,
    text: 'A role has at most {max} shared views of one screen.',
  },
  too_many_view_schedules: { status: 409, text: 'A person has at most {max} scheduled views.' },
  channel_not_set_up: { status: 409, text: 'This installation does not send messages this way.' },
  view_not_sendable: { status: 422, text: 'A view of this screen cannot be sent.' },
  view_address_not_sendable: {
    status: 422,
    text: 'A view with this address cannot be sent. Remove its schedule first.',
  },
  view_has_no_schedule: { status: 409, text: 'This view has no schedule.' },
  view_of_other_screen: { status: 422, text: 'A view stays on its screen. Save a new one.' },
  telegram_not_set_up: { status: 409, text: 'Telegram is not set up here.' },

  // Alerts
  too_many_alert_rules: { status: 409, text: 'There are {max} alert rules already.' },
  built_in_alert_rule: { status: 409, text: 'This part of a built-in rule is fixed.' },

  // Money
  act_of_courier: { status: 409, text: 'The courier lists this act, so the next sync would store it again.' },
  act_voided: { status: 409, text: 'The act is voided already.' },
  terms_start_too_early: {
    status: 422,
    text: 'Leads from this day on are stored already. Choose a later day.',
  },
  terms_valid_already: { status: 409, text: 'These terms have stored leads already and stay.' },
  currency_without_fixed: { status: 422, text: 'Only a fixed amount has a currency.' },
  share_or_fixed: { status: 422, text: 'Give either a share or a fixed amount.' },
  balance_insufficient: {
    status: 409,
    text: 'Only {available, number} {currency} are available.',
  },
  withdrawals_over_balance: {
    status: 409,
    text: 'The open withdrawals of this person are {requested, number} {currency} together, and only {available, number} {currency} are available. Decline one first.',
  },
  withdrawal_below_minimum: { status: 409, text: 'The smallest withdrawal is {minimum, number} {currency}.' },
  too_many_open_withdrawals: { status: 409, text: 'A person has at most {max} open withdrawals.' },
  withdrawal_status: { status: 409, text: 'The withdrawal has the status {status}.' },
  no_withdrawals_to_send: { status: 409, text: 'No approved withdrawal in {currency} can be sent.' },
  withdrawal_not_sendable: { status: 409, text: 'Withdrawal #{id} cannot be sent in {currency} now.' },
  registry_complete: {
    status: 409,
    text: 'The bank paid or refused each payment of this registry, so its payment details were removed.',
  },
  period_not_over: { status: 422, text: 'The period is not over yet.' },
  statement_overlaps: { status: 409, text: 'A statement from {start} to {end} is closed already.' },
  paid_in_future: { status: 422, text: 'The day of the payment is later than today.' },
  amount_is_zero: { status: 422, text: 'The amount is 0.' },

  // Requests that are sent twice
  key_reused: {
    status: 422,
    text: 'This Idempotency-Key was used for another request. Use a new one.',
  },
  in_progress: {
    status: 409,
    text: 'The first request with this Idempotency-Key is still in progress.',
  },
  already_done: {
    status: 409,
    text: 'This request was completed and its answer was lost. It is not repeated.',
  },

  // Why a scheduled view was not sent
  view_closed_to_receiver: { status: 403, text: 'The receiver may not get this view any more.' },
  message_too_late: { status: 409, text: 'It could not be sent for {hours} hours.' },
  chat_not_linked: { status: 409, text: 'The person has no chat linked.' },
  chat_muted: { status: 409, text: 'The person turned notices off for a time.' },
  message_not_delivered: { status: 409, text: 'It was not delivered: {detail}.' },
  message_failed: {
    status: 409,
    text: 'It failed in an unexpected way. The operator finds the details in the log.',
  },

  // Queues and postbacks
  already_sent: { status: 409, text: 'It was already sent.' },
  being_sent: { status: 409, text: 'It is being sent right now.' },
  template_deleted: { status: 409, text: 'Its template was deleted, so there is nowhere to send it.' },
  same_url_sent: { status: 409, text: 'This URL was already sent to its tracker.' },
  newer_change_queued: {
    status: 409,
    text: 'A newer change of this lead was queued or sent, and this one would undo it at the tracker.',
  },
  postback_stays_refused: { status: 409, text: 'It is still refused: {detail}' },
  replay_refused: { status: 409, text: '{detail}' },
  postback_source_deleted: { status: 409, text: 'Its source was deleted.' },
  source_switched_off: { status: 409, text: 'The source is switched off.' },
  postback_secret_wrong: { status: 403, text: 'The secret is not the source’s key.' },
  postback_key_unknown: { status: 404, text: 'No source has this postback key.' },
  postback_method: { status: 405, text: 'Send it as GET or POST.' },

  // Files
  file_too_large: { status: 413, text: 'The file is larger than {megabytes} MB.' },
  form_too_large: { status: 413, text: 'The form has more than {max} bytes.' },
  form_parts_too_large: { status: 413, text: 'The form has too many or too large parts.' },
  file_unpacks_too_large: { status: 413, text: 'The unpacked file is too large.' },
  file_type_not_allowed: {
    status: 415,
    text: 'Files of this type are not accepted. Accepted: {extensions}.',
  },
  file_type_mismatch: { status: 415, text: 'The content of the file does not match .{extension}.' },
  file_locked: {
    status: 415,
    text: 'The file is locked by a password or in an older format. Save it as a plain .{extension} and send it again.',
  },
  file_damaged: { status: 415, text: 'The file is damaged or not an office document.' },
  file_not_text: { status: 415, text: 'The file is not plain text.' },
  file_infected: { status: 422, text: 'The file is infected ({signature}). It was removed.' },
  file_not_scanned: { status: 503, text: '{reason}.' },
  upload_infected: { status: 409, text: 'The file is infected ({signature}). It was removed.' },
  upload_being_scanned: { status: 409, text: 'The file waits for the virus scanner.' },
  upload_removed: { status: 410, text: 'The file was removed: it was older than files are kept.' },
  workbook_damaged: {
    status: 422,
    text: 'The workbook is damaged: open it, save it again and send it.',
  },
  workbook_too_large: {
    status: 422,
    text: 'The workbook is too large: send it in smaller files.',
  },
  workbook_timeout: {
    status: 422,
    text: 'The workbook could not be read in time: send it once more, or in smaller files.',
  },
  csv_blank_lines: { status: 422, text: 'Most lines of the file are blank: delete them and send it again.' },
  csv_too_many_columns: { status: 422, text: 'A line of the file has too many columns.' },
  csv_not_utf8: {
    status: 422,
    text: 'The file is not in UTF-8: save it as "CSV UTF-8" and send it again.',
  },
  csv_quoting_broken: {
    status: 422,
    text: 'The quoting of the file is broken: a quote inside a field is written twice.',
  },
  csv_quoting_broken_near: {
    status: 422,
    text: 'The quoting of the file is broken near line {line}: a quote inside a field is written twice.',
  },

  // Quotas
  upload_quota_exceeded: {
    status: 422,
    text: 'You have {max, number} stored uploads, as many as one person may have. Ask an admin to raise the limit, then send the file again.',
  },
  upload_space_exceeded: {
    status: 422,
    text: 'With this file your stored uploads would take more than {megabytes, number} MB, the limit of one person. Ask an admin to raise the limit, then send the file again.',
  },
  parcel_quota_exceeded: {
    status: 422,
    text: 'With this file you would have more than {max, number} parcels from order files, the limit of one person. Ask an admin to raise the limit, then send the file again.',
  },

  // Limits
  too_many_requests: { status: 429, text: 'Too many requests. Try again in {seconds} s.' },
  too_many_failed_attempts: { status: 429, text: 'Too many failed attempts. Try again in {seconds} s.' },
  too_many_postbacks: { status: 429, text: 'Too many postbacks. Try again in {seconds} s.' },
  too_many_notes: { status: 429, text: 'Too many notes. Try again in {seconds} s.' },
  too_many_waiting_accounts: {
    status: 429,
    text: 'Too many accounts are waiting to be activated. Try again later.',
  },
  person_busy: { status: 429, text: 'Too many of your requests are in progress.' },
  person_sends_too_much: { status: 429, text: 'Your requests in progress are too large.' },
  address_busy: { status: 429, text: 'Too many requests from this address are in progress.' },
  address_sends_too_much: { status: 429, text: 'Too many requests from this address are arriving.' },
  person_tasks_busy: { status: 429, text: '{max} of your {tasks} are in progress. Wait until one ends.' },
  tasks_busy: { status: 503, text: 'Several {tasks} are in progress. Try again shortly.' },
  server_busy: { status: 503, text: 'The server is busy. Try again shortly.' },
  shutting_down: { status: 503, text: 'This process is shutting down. Try again shortly.' },
  sign_in_busy: { status: 503, text: 'Too many people are signing in right now. Try again shortly.' },
  workbooks_busy: { status: 503, text: 'Many workbooks are being read right now. Try again shortly.' },

  // The database and the disk
  database_overloaded: {
    status: 503,
    text: 'The database is overloaded. Try again shortly.',
  },
  database_busy: { status: 503, text: 'The database is busy. Try again.' },
  database_away: { status: 503, text: 'The database is away. Try again shortly.' },
  database_not_ready: { status: 503, text: 'The database is away or not migrated yet.' },
  database_disk_full: { status: 503, text: 'The disk of the database is full. Try again shortly.' },
  database_out_of_memory: { status: 503, text: 'The database is out of memory. Try again shortly.' },
  database_read_only: { status: 503, text: 'The database is read-only. Try again shortly.' },
  disk_full: { status: 503, text: 'The disk for files is full. Try again shortly.' },
  data_folder_missing: {
    status: 503,
    text: 'This process does not have the folder with the files of this installation. Tell the operator.',
  },
  disk_unusable: { status: 503, text: 'The disk for files cannot be used now. Try again shortly.' },
  file_store_unavailable: {
    status: 503,
    text: 'The store of uploaded files cannot be used now. Try again shortly.',
  },
  export_ended: { status: 503, text: 'The export has been ended.' },
} as const satisfies Record<string, { status: number; text: Message }>

export type ErrorCode = keyof typeof errorMessages

export type ErrorParams<Code extends ErrorCode> = ParamsOf<(typeof errorMessages)[Code]['text']>

/** The rest argument for the parameters of a message. Empty for a message without parameters. */
export type ArgumentOf<Params> = keyof Params extends never ? [] : [params: Params]
