import { Type } from 'typebox'

/** The formats of downloads: lists, reports and templates. */
export const fileFormats = ['csv', 'xlsx'] as const
export type FileFormat = (typeof fileFormats)[number]

/** The media type of each format. */
export const mediaTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export const format = Type.Union(
  fileFormats.map((fileFormat) => Type.Literal(fileFormat)),
  { description: 'The answer is a file: csv (UTF-8 with BOM) or xlsx' },
)
