import { buffer } from 'node:stream/consumers'
import {
  buildExploreQuery,
  explorePath,
  readExploreAddress,
  type ExploreState,
} from '@karvon/contract/explore/explore.address.ts'
import { resolvePeriod } from '@karvon/contract/explore/explore.periods.ts'
import { exploreCall, type ExploreAnswer } from '@karvon/contract/explore/explore.ts'
import { maxMessageRows } from '@karvon/contract/lib/limits.ts'
import { parseViewAddress } from '@karvon/contract/saved-views/address.ts'
import { readListRequest } from '@karvon/contract/view-request.ts'
import { deriveColumns } from '../../platform/exports/exports.columns.ts'
import { readOneBatch } from '../../platform/exports/exports.batches.ts'
import { createXlsxStream } from '../../platform/exports/exports.xlsx.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'
import { defaultLanguage } from '../../platform/texts/texts.ts'
import { buildExploreSheet } from '../explore/explore.sheet.ts'
import type { MessageFile, ReceiverCalls } from './view-messages.calls.ts'
import { createNameReader } from './view-messages.filter-names.ts'
import { describeExploreFilters, describeListFilters } from './view-messages.filters.ts'
import { drawChart } from './view-messages.chart.ts'
import { composeListText, type ListPage } from './view-messages.list.text.ts'
import type { MessageToSend } from './view-messages.queries.ts'
import { composeText } from './view-messages.text.ts'

/** A message: its text, its picture or null, and its file or null. */
export interface MessageContent {
  readonly writeText: (maxLength: number) => string
  readonly svg: string | null
  readonly writeFile: () => Promise<MessageFile | null>
}

export interface ContentOptions {
  readonly db: Db
  readonly calls: ReceiverCalls
  /** The origin of the web; undefined if the installation has none. */
  readonly publicUrl: string | undefined
  readonly timeZone: string
  /** The main currency, which sums need not name. */
  readonly currency: string
}

/** Reads what a view shows to its receiver. Errors: CallRefusedError; 422 for a screen that the receiver does not have. */
export function buildContent(message: MessageToSend, options: ContentOptions): Promise<MessageContent> {
  const { path } = parseViewAddress(message.address)
  return path === explorePath ? buildExploreContent(message, options) : buildListContent(message, options)
}

const getLink = ({ address }: MessageToSend, { publicUrl }: ContentOptions): string | null =>
  publicUrl === undefined ? null : `${publicUrl}${address}`

/** Text, picture and file are of one answer. */
async function buildExploreContent(message: MessageToSend, options: ContentOptions): Promise<MessageContent> {
  const { name, address, today, receiver } = message
  const { userId, isAdmin, language: chosenLanguage } = receiver
  const state = readExploreAddress(parseViewAddress(address).search)
  const query = { ...buildExploreQuery(resolveDays(state, today)) }
  const call = exploreCall(isAdmin ? 'admin' : 'user')
  const answer = (await options.calls.read({ userId, call, query })) as ExploreAnswer
  const language = chosenLanguage ?? defaultLanguage
  const link = getLink(message, options)
  const readNames = createNameReader(options, receiver)
  const filters = await describeExploreFilters(state.filters, { ...options, language, readNames })
  return {
    writeText: (maxLength) =>
      composeText(answer, { name, language, link, filters, currency: options.currency, maxLength }),
    svg: drawChart(answer, { name, view: state.view, language }),
    async writeFile() {
      const { headers, rows } = buildExploreSheet(answer)
      const sheet = createXlsxStream(headers, { rows: readOneBatch(rows), sheetName: 'explore' })
      return { name: 'explore.xlsx', content: await buffer(sheet) }
    },
  }
}

/** Replaces a period that moves with today by its days. */
function resolveDays(state: ExploreState, today: string): ExploreState {
  const { start, end } = state.period === undefined ? {} : resolvePeriod(state.period, today)
  return start === undefined ? state : { ...state, period: undefined, from: start, to: end }
}

/** The text has the first page of the list, and the file is the export of the screen. */
async function buildListContent(message: MessageToSend, options: ContentOptions): Promise<MessageContent> {
  const { name, address, today, receiver } = message
  const { userId, isAdmin, language: chosenLanguage } = receiver
  const request = readListRequest(address, { isAdmin, today })
  if (request === null) throw new AppError('view_closed_to_receiver')
  const { call, query, columns: names } = request
  const page = (await options.calls.read({
    userId,
    call,
    query: { ...query, per_page: maxMessageRows },
  })) as ListPage
  const file = await options.calls.readFile({ userId, call, query })
  const columns = deriveColumns(call.answer, new Set())
  const shownColumns = names.flatMap(
    (columnName) => columns.find((column) => column.name === columnName) ?? [],
  )
  const language = chosenLanguage ?? defaultLanguage
  const { timeZone, currency } = options
  const readNames = createNameReader(options, receiver)
  const filters = await describeListFilters(query, call, { language, timeZone, readNames })
  const text = {
    name,
    language,
    timeZone,
    currency,
    link: getLink(message, options),
    query,
    filters,
    columns: shownColumns,
  }
  return {
    writeText: (maxLength) => composeListText(page, { ...text, hasFile: file !== null, maxLength }),
    svg: null,
    writeFile: async () => file,
  }
}
