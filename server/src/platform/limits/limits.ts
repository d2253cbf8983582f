// All limits of one process. docs/limits.md explains each of them, and a test compares the two. The limits of values in
// requests and answers are in contract/src/lib/limits.ts. platform/limits enforces the limits:
// - ConcurrencyLimit: a number at once, in memory. request-limits.ts and heavy-task-limit.ts configure it.
// - RateLimiter: requests a minute, in memory. countAttempt: failed attempts, in the database.
// - registerAdmissionControl applies them to every request.

// Bytes of bodies and characters of URLs.
export const maxBodyBytes = 1_048_576
/** The body of a public call. */
export const maxPublicBodyBytes = 65_536
/** All bodies of one person's requests in progress. */
export const maxBodyBytesPerPerson = 16_777_216
export const maxImportBytes = 209_715_200
export const maxHeaderBytes = 16_384
export const maxFormFieldBytes = 16_384
export const maxRequestUrlLength = 12_288
/** One row of a result of the database. A whole page of a list is one row. */
export const maxDatabaseRowBytes = 33_554_432
/** Characters of one segment of a path. */
export const maxPathSegmentLength = 255

// Parts of a request.
export const maxQueryParameters = 200
export const maxFormFields = 50
export const maxFormHeaders = 100
export const maxJsonDepth = 32
/** Entries of a list or an object in JSON. Many fields have a lower limit. */
export const maxJsonEntries = 2000

// Open connections.
export const maxConnections = 4096
export const maxConnectionsPerAddress = 1024

// Concurrency in one process.
/** Requests of authenticated people. */
export const maxRequests = 1024
export const maxRequestsPerPerson = 256
/** Requests of a person that run at once; the others queue. By default the pool has ten connections for everybody. */
export const maxRunningRequestsPerPerson = 4
export const maxQueuedRequestsPerPerson = 256
/** Requests whose token is being looked up. */
export const maxAuthenticatingRequests = 1024
export const maxAuthenticatingRequestsPerAddress = 128
/** Public requests whose body has arrived. */
export const maxPublicRequests = 1024
export const maxPublicRequestsPerAddress = 128
/** Public requests whose body is still arriving. */
export const maxIncomingBodies = 1024
export const maxIncomingBodiesPerAddress = 64
export const maxProbes = 256
export const maxProbesPerAddress = 64
/** Bytes of all answers that their clients have not read yet. */
export const maxUnsentResponseBytes = 134_217_728
/** Unanswered requests on one connection. */
export const maxPipelinedRequests = 4
/** Requests that queue for a connection of the database. Public requests are refused at a shorter queue. */
export const maxDatabaseQueue = 1024
export const maxDatabaseQueueForPublic = 128
/** Exports of all admins, and of all other people. Each holds a connection of the pool, which has at least five. */
export const maxExports = 2
export const maxExportsPerPerson = 2
export const maxUploads = 64
export const maxUploadsPerPerson = 16
/** Uploads that hold a connection of the pool while the disk or the bucket stores their file. */
export const maxStoringUploads = 2
export const maxPreviews = 16
export const maxPreviewsPerPerson = 4
export const maxImports = 6
export const maxImportsPerPerson = 4
/** Questions of Explore that read the database. Each may take seconds and 64 MB to sort. */
export const maxQuestions = 3
export const maxQuestionsPerPerson = 2
/** Tests of a connector: each waits for the network. */
export const maxConnectorTests = 8
export const maxConnectorTestsPerPerson = 2
/** Threads that read workbooks, about 90 MB each. */
export const maxWorkbookThreads = 8
export const maxQueuedWorkbooks = 64
/** Parallel runs of argon2. Each uses one of libuv's four threads for about 17 ms. Files and DNS need the others. */
export const maxPasswordHashes = 2
export const maxQueuedPasswordHashes = 64
/**
 * Sign-ins of one address at once; the others queue. Fewer than the wrong passwords after which an account is blocked.
 */
export const maxSignInsPerAddress = 4

// Requests a minute of one address.
export const maxRefusalsPerAddress = 1200
export const maxPostbacksPerAddress = 60_000
export const maxUnknownKeyPostbacksPerAddress = 60

// Messages a minute of one chat.
export const maxBotMessagesPerChat = 20

// Requests a minute of one person.
export const maxNotesPerPerson = 30
/** Changes by a person who is not an admin. Each may stay in the audit log for ever. */
export const maxChangesPerPerson = 300
export const maxApiDocsRequests = 60

// The file of a scheduled view. Telegram accepts 50 MB, and most mail servers 10 MB with their encoding.
export const maxMessageFileRows = 20_000
export const maxMessageFileBytes = 7_340_032

// Milliseconds.
export const headersTimeout = 15_000
export const requestTimeout = 1_800_000
/** Until the body of a public call has arrived. */
export const publicRequestTimeout = 10_000
/** How long a request waits for other requests of the same person. */
export const queuedRequestTimeout = 20_000
/** How long an address is blocked after too many pipelined requests or too many refusals. */
export const addressBlockDuration = 10_000
export const idleConnectionTimeout = 72_000
/** A statement of a public call, and of a person who is not an admin. All others have 30 s. */
export const publicStatementTimeout = 5000
export const personStatementTimeout = 10_000
export const exportTimeout = 900_000
/** The export of a scheduled view. Shorter than the lease of the message. */
export const messageFileTimeout = 60_000
/** Longer than any request. */
export const heavyTaskTimeout = 3_600_000
/** Less than the 60 s that proxies wait for an answer. */
export const connectorTestTimeout = 50_000
/** The minimum number of bytes of a body in each interval. A slow mobile connection sends thirty times as much. */
export const bodyProgressInterval = 15_000
export const minBodyBytesPerInterval = 15_360
/** The minimum number of bytes of a ready answer that a client must read in each interval. */
export const responseProgressInterval = 60_000
export const minResponseBytesPerInterval = 61_440
