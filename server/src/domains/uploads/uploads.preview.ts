import { uploadExtensions, type OrderPreview } from '@karvon/contract/uploads/uploads.ts'
import { checkContent, getExtension } from '../../platform/files/content.check.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import { previewOrders } from '../parcels/parcels.preview.ts'

/** Reads the orders of a file and stores nothing. Errors: 415, 413 and 422 as for an upload; 503 without a scan. */
export async function previewUpload(
  requireClean: (path: string) => Promise<void>,
  file: ReceivedFile,
): Promise<OrderPreview> {
  const extension = getExtension(file.name, uploadExtensions)
  await checkContent(file.path, extension)
  await requireClean(file.path)
  if (extension === 'xlsx' || extension === 'xls') return previewOrders({ path: file.path, extension })
  return { recognised: [], unrecognised: [], rows: [], total: 0, skipped: 0, errors: [] }
}
