import type { ColumnType, GeneratedAlways } from 'kysely'

// The driver returns bigint and numeric as number, timestamptz as ISO 8601 with offset, date as yyyy-mm-dd. Times are
// written as a Date or such a string, money as a decimal string or a number.
export type Id = GeneratedAlways<number>
export type Time = ColumnType<string, Date | string, Date | string>
export type SetTime = ColumnType<string, Date | string | undefined, Date | string>
export type MaybeTime = ColumnType<string | null, Date | string | null | undefined, Date | string | null>
export type Money = ColumnType<number, number | string, number | string>
export type MaybeNumber = ColumnType<
  number | null,
  number | string | null | undefined,
  number | string | null
>
export type SetMoney = ColumnType<number, number | string | undefined, number | string>
export type Json = ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>

/** The columns of every resource. */
export interface TimestampedRow {
  id: Id
  created_at: SetTime
  updated_at: SetTime
}
