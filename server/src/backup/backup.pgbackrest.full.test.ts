import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callApi, createTestAppOn, signInAdmin, testKey, type Session } from '../../test/app.ts'
import { buildClusterUrl } from '../../test/cluster.ts'
import { TEST_TIMEZONE } from '../../test/database.ts'
import { createTemporaryFolder } from '../../test/folder.ts'
import { createRow } from '../../test/people.ts'
import { createArchivedCluster, missingPgbackrest, type ArchivedCluster } from '../../test/pgbackrest.ts'
import { checkInstallation } from '../app/check.ts'
import { changeFolderOwner } from '../platform/database/embedded.cluster.ts'
import { migrate } from '../platform/database/migrate.ts'
import { createEncryption } from '../platform/security/encryption.ts'

type App = Awaited<ReturnType<typeof createTestAppOn>>

const sources = '/api/admin/cpa-sources/'
const createSource = ({ app }: App, admin: Session, name: string) =>
  createRow(app, admin, sources, { name, url: 'https://network.example' })

async function listSources({ app }: App, admin: Session): Promise<string[]> {
  const answer = await callApi(app, admin, 'GET', sources)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ items: { name: string }[] }>().items.map(({ name }) => name)
}

async function readClock(cluster: ArchivedCluster): Promise<string> {
  const [row] = await cluster.execute<{ now: string }>('select clock_timestamp()::text as now')
  return row?.now ?? ''
}

/** kill -9, and a disk without the data directory. */
async function destroy({ kill, paths, programs }: ArchivedCluster): Promise<void> {
  await kill()
  rmSync(paths.cluster, { recursive: true })
  mkdirSync(paths.cluster, { mode: 0o700 })
  changeFolderOwner(paths.cluster, programs.account)
}

test('pgBackRest restores a destroyed cluster to a moment: the product has all that was written before it', async ({
  skip,
}) => {
  skip(missingPgbackrest !== undefined, missingPgbackrest)
  const folder = createTemporaryFolder()
  const cluster = await createArchivedCluster(join(folder, 'primary'))
  const url = buildClusterUrl(cluster.port)
  const env = { KARVON_DATA: join(folder, 'data') }
  try {
    await cluster.start()
    await migrate(url, { timezone: TEST_TIMEZONE })
    await cluster.pgbackrest('stanza-create')
    await cluster.pgbackrest('--type=full', 'backup')

    const before = await createTestAppOn(url, env)
    const early = await signInAdmin(before.app)
    await createSource(before, early, 'Before the moment')
    const moment = await readClock(cluster)
    const late = await signInAdmin(before.app)
    await createSource(before, late, 'After the moment')
    await cluster.archive()
    await before.close()
    await destroy(cluster)

    await cluster.pgbackrest('--type=time', `--target=${moment}`, '--target-action=promote', 'restore')
    await cluster.start()
    await expect
      .poll(() => cluster.execute('select pg_is_in_recovery() as is_standby'))
      .toEqual([{ is_standby: false }])
    const after = await createTestAppOn(url, env)
    expect(await listSources(after, early)).toEqual(['Before the moment'])
    expect((await callApi(after.app, late, 'GET', sources)).statusCode).toBe(401)
    await createSource(after, early, 'After the restore')
    const encryption = createEncryption([testKey])
    const { lines, faults } = await checkInstallation({
      url,
      timeZone: TEST_TIMEZONE,
      files: after.deps.files,
      encryption,
    })
    expect(faults, lines.join('\n')).toBe(0)
    // The restored cluster archives too.
    await cluster.archive()
    await after.close()
  } finally {
    await cluster.kill()
    rmSync(folder, { recursive: true, force: true })
  }
})
