import { uploadExtensions, type OrderPreview } from '@karvon/contract/uploads/uploads.ts'
import { checkContent, extensionOf } from '../../platform/files/content.check.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'

/** Reads a workbook's orders without taking any in. */
export type PreviewOrders = (file: { path: string; extension: 'xlsx' | 'xls' }) => Promise<OrderPreview>

/** What would be taken of a file. Errors: 415, 413 and 422 of a file that would not be taken; 503 without its scan. */
export async function previewUpload(
  previewOrders: PreviewOrders,
  requireClean: (path: string) => Promise<void>,
  file: ReceivedFile,
): Promise<OrderPreview> {
  const extension = extensionOf(file.name, uploadExtensions)
  await checkContent(file.path, extension)
  await requireClean(file.path)
  if (extension === 'xlsx' || extension === 'xls') return previewOrders({ path: file.path, extension })
  return { recognised: [], unrecognised: [], rows: [], total: 0, skipped: 0, errors: [] }
}
