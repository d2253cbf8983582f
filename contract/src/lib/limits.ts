// Every bound of what goes over the wire, in one place; docs/limits.md says what each is for. Characters, rows,
// bytes or as named.

export const minPageSize = 1
export const maxPageSize = 200
export const maxPage = 10_000_000
/** The largest offset a list answers; deeper is a 422, since no desk pages that far by hand. */
export const maxOffset = 100_000_000
export const maxSearch = 200
/** Parcels, the newest, in which a text is searched for that no index helps to find. */
export const maxParcelsScanned = 20_000
/** Days between two days of a query, both counted: two centuries, so that nobody's "all of it" is too long. */
export const maxPeriodDays = 73_200
export const maxStillDays = 365
/** Rows of a history, and notes, that come with the row they belong to; further ones have a list of their own. */
export const maxHistoryShown = 100
/** Rows of a parcel's or a lead's history that are kept, the newest ones. */
export const maxHistoryKept = 1000
/** Notes that a parcel has. */
export const maxNotes = 200
/** Own sessions that are listed, those used last. */
export const maxSessionsShown = 200

export const maxId = Number.MAX_SAFE_INTEGER
/** Exact in a double up to here: 15 significant digits. */
export const maxMoney = 9_999_999_999_999.99

/** One line of text, and an id in somebody else's system. */
export const maxLine = 255
/** A code, a kind, a source's word, a username. */
export const maxCode = 100
/** Several lines of text, and an exact filter by any text. */
export const maxText = 2000
export const maxUrl = 2000
export const maxEmail = 254
/** A source credential's. */
export const maxSecret = 4000
/** It bounds the cost of hashing, too. */
export const maxPassword = 256
/** Characters of a key that a sender gives a request, so that a repeat is known as one. */
export const maxIdempotencyKey = 255
export const maxUploadDescription = 1000

/** Rows that one row refers to at once. */
export const maxReferences = 1000
/** How many leads one call may change. */
export const maxLeadsChanged = 1000
/** How many row problems an answer lists at the most; `skipped` counts them all. */
export const maxRowProblems = 1000
/** Columns of a sheet that are read; further ones are left out. */
export const maxSheetColumns = 100
/** Rows that the preview of an order file, or the try of a network, shows. */
export const maxPreviewRows = 10
/** Characters of a cell that a preview shows. */
export const maxPreviewCell = 1000

/** A JSON value of a row: its own keys, and the bytes of its text. */
export const maxJsonKeys = 1000
export const maxJsonBytes = 65_536
