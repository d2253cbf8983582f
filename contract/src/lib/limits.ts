// The limits of values in requests and answers. docs/limits.md gives the reason for each. Characters, rows,
// bytes or as named.

export const minPageSize = 1
export const maxPageSize = 200
export const maxPage = 10_000_000
/** The largest offset of a list. A larger one is a 422. */
export const maxOffset = 100_000_000
export const maxSearch = 200
/** The number of newest parcels that a search without an index scans. */
export const maxParcelsScanned = 20_000
/** The longest period of a query in days, including both ends: two centuries. */
export const maxPeriodDays = 73_200
export const maxNoProgressDays = 365
/** The number of days since a delivery in the filter for parcels that are not settled. */
export const maxUnsettledDays = 365
/** Days after a delivery until its money is missing. */
export const maxSettlementDays = 365
/** The days whose orders a person requests from the courier again. */
export const maxRequestedDays = 366
/** The number of rows of an imported file of settlement acts. */
export const maxActLines = 200_000
/** The number of acts in an imported file. */
export const maxActs = 2000
/** Rows of a history, and notes, that an answer includes. Further rows have a list of their own. */
export const maxHistoryShown = 100
/** The newest rows of a parcel's or a lead's history that are stored. */
export const maxHistoryKept = 1000
/** The number of items of one parcel. */
export const maxParcelItems = 30
/** The number of notes of one parcel, and of one settlement difference. */
export const maxNotes = 200
/** The number of withdrawals of a person that may wait for a decision or a payment. */
export const maxOpenWithdrawals = 10
/** The number of withdrawals in one payment registry. */
export const maxRegistryPayments = 1000
export const maxBalanceCurrencies = 20
/** The number of currencies that a report and Explore name. */
export const maxPayoutCurrencies = 20
/** The longest time until earned money is available, in days. */
export const maxHoldDays = 365
/** The number of sessions of a person. */
export const maxSessions = 1000
/** The number of saved views of a person. */
export const maxSavedViews = 100
/** The number of views of one screen that are shared with a role. */
export const maxSharedViews = 50
/** The length of a view's name. */
export const maxViewName = 80
/** The number of roles that a view is shared with. */
export const maxViewRoles = 100

/** The number of scheduled views of a person, and of people who get a view at one time. */
export const maxViewSchedules = 20
export const maxViewReceivers = 100
/** Rows of one message. The file has all of them. */
export const maxMessageRows = 10

/** The keys of a dimension that Explore shows as rows and as columns. The rest is one row or column. */
export const maxExploreRows = 200
export const maxExploreColumns = 50
/** The days, weeks or months that Explore shows as rows, the newest ones. */
export const maxExplorePeriods = 800
/** The metrics of a question with two dimensions. */
export const maxExploreMetrics = 4
/** The values of one filter of Explore, of the list of leads and of an alert rule. */
export const maxFilterValues = 50
/** The length of a list of names in a question. */
export const maxExploreNames = 300

export const maxId = Number.MAX_SAFE_INTEGER
/** The largest amount that a double holds exactly: 15 significant digits. */
export const maxMoney = 9_999_999_999_999.99

/** One line of text, and an id in an outside system. */
export const maxLine = 255
/** A code, a kind, a source status, a username. */
export const maxCode = 100
/** Several lines of text, and an exact filter by any text. */
export const maxText = 2000
export const maxUrl = 2000
/** The URL of an outgoing postback with the values of its lead. Trackers refuse longer ones. */
export const maxPostbackUrl = 8192
export const maxEmail = 254
/** A secret of a source credential. */
export const maxSecret = 4000
/** It also limits the cost of hashing. */
export const maxPassword = 256
/** The length of an Idempotency-Key. */
export const maxIdempotencyKey = 255
export const maxUploadDescription = 1000

/** The number of rows that one row can refer to. */
export const maxReferences = 1000
/** The number of leads that one call may change. */
export const maxLeadsChanged = 1000
/** The number of row problems in an answer. `skipped` counts all of them. */
export const maxRowProblems = 1000
/** The number of columns of a sheet that are read. Further columns are ignored. */
export const maxSheetColumns = 100
/** The number of rows in the preview of an order file, and in the test of a network. */
export const maxPreviewRows = 10
/** The number of characters of a cell in a preview. */
export const maxPreviewCell = 1000

/** A JSON value of a row: the number of its keys, and its size in bytes. */
export const maxJsonKeys = 1000
export const maxJsonBytes = 65_536

/** The number of alert rules of a person, and of all people. The last ones are for admins only. */
export const maxOwnAlertRules = 100
export const maxAlertRules = 1000
export const reservedAlertRules = 100
export const maxAlertName = 80
/** The roles that get the alerts of a rule, and the people of one incident. */
export const maxAlertRoles = 20
export const maxAlertReceivers = 100
/** The longest hold time of a rule, in minutes: a day. */
export const maxAlertHold = 1440
/** The number of subjects for which the rules of one kind find something in one evaluation: first those with an open incident. */
export const maxAlertFindings = 1000
/** The number of incidents of one rule and subject that begin within a day. */
export const maxAlertsPerDay = 10
/** The newest alerts that the inbox shows, and the number up to which it counts unread ones. */
export const maxInbox = 10_000
/** Lines of one message about alerts. Further ones are counted. */
export const maxAlertLines = 10
