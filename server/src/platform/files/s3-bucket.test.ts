import { startS3Server } from '@karvon/testkit/s3-server.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openS3Bucket } from './s3-bucket.ts'

test('a bucket is used after an attempt to open its client that failed', async () => {
  const server = await startS3Server()
  onTestFinished(() => server.close())
  const { s3 } = readConfig(server.env)
  if (s3 === undefined) throw new Error('The settings name no bucket')
  let failures = 1
  const bucket = openS3Bucket({
    ...s3,
    get region() {
      failures -= 1
      if (failures >= 0) throw new Error('The client cannot be loaded')
      return s3.region
    },
  })
  await expect(bucket.getText('mark', 10)).rejects.toMatchObject({ code: 'file_store_unavailable' })
  await bucket.putText('mark', 'text')
  expect(await bucket.getText('mark', 10)).toBe('text')
})
