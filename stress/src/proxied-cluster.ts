import path from 'node:path'
import { buildClusterUrl, createCluster, type Cluster } from '../../server/test/cluster.ts'
import { startProxy, type Proxy } from './proxy.ts'

export interface ProxiedCluster {
  cluster: Cluster
  proxy: Proxy
  /** The environment of a product on the cluster. Several processes share one secret key. */
  env: Record<string, string>
}

/** Starts an external PostgreSQL in a folder, with a proxy in front of it. `cleanup` ends both. */
export async function startProxiedCluster(
  folder: string,
  cleanup: AsyncDisposableStack,
): Promise<ProxiedCluster> {
  const cluster = await createCluster(path.join(folder, 'node-0'))
  cleanup.defer(cluster.kill)
  await cluster.start()
  const proxy = await startProxy(cluster.port)
  cleanup.defer(proxy.close)
  const env = {
    DATABASE_URL: buildClusterUrl(proxy.port),
    KARVON_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    KARVON_LOG: 'error',
  }
  return { cluster, proxy, env }
}
