/** Orders events of one parcel and time: the further state is the newer. No two such events have the same rank. */
export const buildEventRank = (code: string, rawCode: string): string =>
  `row(array_position(array['PENDING','PROCESSING','IN_TRANSIT','DELIVERED','RETURNED'], ${code}), ${rawCode} collate "C")`

/** The order of a parcel's history. It begins with the event that is the status. */
export const newestEventFirst = `eventtime desc, ${buildEventRank('code', 'raw_code')} desc`
