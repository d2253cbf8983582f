/** Orders events of one parcel and time: the further state is the newer. No two such events have the same rank. */
export const buildEventRank = (code: string, rawCode: string): string =>
  `row(array_position(array['PENDING','PROCESSING','IN_TRANSIT','DELIVERED','RETURNED'], ${code}), ${rawCode} collate "C")`
