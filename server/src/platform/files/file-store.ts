import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { openFolderStore } from './file-store.folder.ts'
import { openS3Store } from './file-store.s3.ts'

/**
 * Stores files by the SHA-256 of their content, never by the name that a person gave. The main file of platform/files.
 */
export interface FileStore {
  /**
   * Stores a file of the data folder durably. Returns the path at which the caller can still read the content.
   */
  store(path: string, sha256: string): Promise<string>
  /** Runs `work` with a path of a stored file on this machine. The path does not exist if the file is missing. */
  withPath<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T>
  /** A stored file and its size in bytes; null when it does not exist. The caller reads or destroys the stream. */
  read(sha256: string): Promise<{ size: number; stream: Readable } | null>
  /** Removes a stored file. A missing file is not an error. */
  remove(sha256: string): Promise<void>
  /** Where a file is, for messages. */
  describe(sha256: string): string
  /** The mark of the store; null for a store without one. */
  readMark(): Promise<string | null>
  writeMark(mark: string): Promise<void>
  /** Whether the store may have files from before the marks. */
  mayHaveOldFiles(): Promise<boolean>
}

/** The store of the installation. Its methods throw `file_store_unavailable` while an S3 store does not answer. */
export const openFileStore = ({
  s3,
  filesFolder,
  dataFolder,
}: Pick<Config, 's3' | 'filesFolder' | 'dataFolder'>): FileStore =>
  s3 === undefined ? openFolderStore(filesFolder ?? dataFolder) : openS3Store(s3, dataFolder)
