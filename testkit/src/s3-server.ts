import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { findFreePort } from './free-port.ts'

export interface S3Server {
  /** The settings of a product whose files are in the bucket. */
  env: Record<string, string>
  /** The objects are files below this folder. */
  folder: string
  /** Stops the server. `listen` starts it again at the same address. */
  stop(): Promise<void>
  listen(): Promise<void>
  close(): Promise<void>
}

const bucket = 'karvon-files'

/** Starts an S3 server on loopback with one bucket. It checks signatures and has one pair of credentials. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'karvon-s3-'))
  const port = await findFreePort()
  let running: S3rver
  const listen = async () => {
    const options = {
      port,
      address: '127.0.0.1',
      directory: folder,
      silent: true,
      configureBuckets: [{ name: bucket, configs: [] }],
    }
    running = new S3rver(options)
    await running.run()
  }
  const stop = async () => {
    // The package's types lack the server, whose open connections must end.
    const { httpServer } = running as unknown as { httpServer: Server }
    httpServer.closeAllConnections()
    await running.close()
  }
  await listen()
  return {
    env: {
      KARVON_FILES: `s3://${bucket}/desk`,
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    folder: join(folder, bucket, 'desk'),
    listen,
    stop,
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
