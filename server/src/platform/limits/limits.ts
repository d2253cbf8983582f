// Every bound of what a process takes on, in one place; docs/limits.md says what each is for. What bounds the values
// that travel stands in the contract's own limits.ts.

// Bytes, and characters of an address.
export const maxBodyBytes = 1_048_576
/** Of a call of anybody. */
export const maxPublicBodyBytes = 65_536
/** Of all bodies of one person that are under way. */
export const maxBodyBytesOfPerson = 16_777_216
export const maxImportBytes = 209_715_200
export const maxHeaderBytes = 16_384
export const maxFormFieldBytes = 16_384
export const maxAddressLength = 12_288
/** One row that the database answers, which holds a whole page of a list. */
export const maxAnswerBytes = 33_554_432
/** Characters of one part of an address, between slashes. */
export const maxSegmentLength = 255

// Parts of a request.
export const maxQueryParameters = 200
export const maxFormFields = 50
export const maxFormHeaders = 100
export const maxJsonDepth = 32

// Connections that are open.
export const maxConnections = 4096
export const maxConnectionsOfAddress = 1024

// What is under way at once in a process.
/** Requests of people, once it is known whose they are. */
export const maxRequests = 1024
export const maxRequestsOfPerson = 256
/** Of those, works on the database; the pool has ten connections for everybody. */
export const maxWorksOfPerson = 4
export const maxWorksAwaited = 256
/** Requests whose token is being looked up. */
export const maxUnproven = 1024
export const maxRequestsOfAddress = 128
/** Requests of anybody that are whole. */
export const maxPublic = 1024
export const maxPublicOfAddress = 128
/** Requests of anybody whose body is on its way. */
export const maxArrivals = 1024
export const maxArrivalsOfAddress = 64
export const maxProbes = 256
export const maxProbesOfAddress = 64
/** Bytes of all answers that are ready and not read yet. */
export const maxUnreadBytes = 134_217_728
/** Requests on one connection that are not answered yet. */
export const maxPipelined = 4
/** Requests that wait for one of the database's connections; at fewer of them, calls of anybody are refused. */
export const maxAwaitingDatabase = 1024
export const maxAwaitingDatabasePublic = 128
/** Exports hold a connection each; the pool has ten for everything. */
export const maxExports = 3
export const maxExportsOfPerson = 2
export const maxUploads = 64
export const maxUploadsOfPerson = 16
export const maxPreviews = 16
export const maxPreviewsOfPerson = 4
export const maxImports = 6
export const maxImportsOfPerson = 4
/** Tries of a network, each of which waits for that network. */
export const maxTries = 8
export const maxTriesOfPerson = 2
/** Threads that read workbooks, of some 90 MB each, and who waits for one. */
export const maxWorkbooks = 8
export const maxWorkbooksAwaited = 64
/** Runs of argon2: each holds a thread of libuv's pool of four for some 17 ms; files and DNS need the others. */
export const maxPasswords = 2
export const maxPasswordsAwaited = 64

// A minute, from one address.
export const maxRefusalsOfAddress = 1200
export const maxPostbacks = 60_000
export const maxStrayPostbacks = 60

// A minute, of one person.
export const maxNotesOfPerson = 30
export const maxDocuments = 60

// Milliseconds.
export const headersWithin = 15_000
export const requestWithin = 1_800_000
/** The body of a call of anybody. */
export const publicRequestWithin = 10_000
/** A work of a person that waits for others of theirs. */
export const workAwaitedWithin = 20_000
/** An address that had too many requests on one connection, or was refused too often. */
export const excludedFor = 10_000
export const idleWithin = 72_000
/** A statement of a call of anybody, and of a person who is no admin; 30 s for all others. */
export const statementWithinPublic = 5000
export const statementWithinPerson = 10_000
export const exportWithin = 900_000
/** Longer than a request and all that its work may take. */
export const slotWithin = 3_600_000
/** Bytes that a body brings in every such time; a bad line brings thirty times as much. */
export const bodyPaceWithin = 15_000
export const bodyPaceBytes = 15_360
/** Bytes of an answer that its reader takes in every such time, where any are ready. */
export const readingPaceWithin = 60_000
export const readingPaceBytes = 61_440
