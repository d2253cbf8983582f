import type { EnvironmentReader } from './config.reader.ts'

/** How much one person who is not an admin may store; 0: no limit. */
export interface Quotas {
  uploads: number
  uploadBytes: number
  /** Parcels that come from order files. */
  parcels: number
}

export interface UploadSettings {
  uploadMaxBytes: number
  quotas: Quotas
  /** Days that the file of an upload stays after it was sent or refused; 0: forever. */
  uploadRetentionDays: number
  /**
   * Milliseconds until the answer to an upload must be ready. The browser cancels the call after 5 s, and the transfer takes
   * time. Not set by the environment.
   */
  uploadAnswerTimeout: number
}

const bytesOfMegabyte = 1024 * 1024

export const readUploadSettings = (reader: EnvironmentReader): UploadSettings => ({
  uploadMaxBytes:
    reader.readInteger('KARVON_UPLOAD_MAX_MB', { defaultValue: 20, min: 1, max: 50 }) * bytesOfMegabyte,
  quotas: {
    uploads: reader.readInteger('KARVON_PERSON_UPLOADS', {
      defaultValue: 10_000,
      min: 0,
      max: 100_000_000,
    }),
    uploadBytes:
      reader.readInteger('KARVON_PERSON_UPLOADS_MB', { defaultValue: 2048, min: 0, max: 100_000_000 }) *
      bytesOfMegabyte,
    parcels: reader.readInteger('KARVON_PERSON_PARCELS', {
      defaultValue: 2_000_000,
      min: 0,
      max: 999_999_999,
    }),
  },
  uploadRetentionDays: reader.readInteger('KARVON_UPLOADS_KEPT_DAYS', {
    defaultValue: 365,
    min: 0,
    max: 36_500,
  }),
  uploadAnswerTimeout: 3700,
})
