import { resolve } from 'node:path'
import type { EnvironmentReader } from './config.reader.ts'

/** A bucket for uploaded files, at AWS or at any store with the same protocol. */
export interface S3Settings {
  bucket: string
  /** The beginning of each key: empty, or names that end with a slash. */
  prefix: string
  region: string
  /** The address of a store other than AWS. Its buckets are in the path, because few stores have a host name for each. */
  endpoint: string | undefined
  /** Undefined: the AWS SDK finds them, for instance in its own files or in the metadata of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

const credentialNames = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const

/** KARVON_FILES names a bucket, or else a folder. A mistyped scheme is a mistake and no folder. */
const isBucket = (location: string | undefined) => location?.includes('://') === true
const locationPattern = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])((?:\/[\w.-]+)*)\/?$/

/** The absolute path of the folder that KARVON_FILES names. Undefined: files are in the data folder, or in a bucket. */
export function readFilesFolder(reader: EnvironmentReader): string | undefined {
  const location = reader.readText('KARVON_FILES')
  return location === undefined || isBucket(location) ? undefined : resolve(location)
}

/** The bucket of KARVON_FILES with the standard variables of AWS. Undefined: files are in a folder. */
export function readS3Settings(reader: EnvironmentReader): S3Settings | undefined {
  const location = isBucket(reader.readText('KARVON_FILES'))
    ? reader.readMatching('KARVON_FILES', {
        pattern: locationPattern,
        description: 'a folder, or a bucket such as s3://karvon-files or s3://company/karvon',
      })
    : undefined
  const endpoint = reader.readHttpUrl('AWS_ENDPOINT_URL_S3') ?? reader.readHttpUrl('AWS_ENDPOINT_URL')
  const accessKeyId = reader.readSecret(credentialNames[0], 256)
  const secretAccessKey = reader.readSecret(credentialNames[1], 256)
  if (location === undefined) return undefined
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    const [setting, missingSetting] =
      accessKeyId === undefined ? credentialNames.toReversed() : credentialNames
    reader.addProblem(`${setting} is set without ${missingSetting}: give both, or neither.`)
  }
  const [, bucket = '', path = ''] = locationPattern.exec(location) ?? []
  return {
    bucket,
    prefix: path === '' ? '' : `${path.slice(1)}/`,
    region: readRegion(reader, 'AWS_REGION') ?? readRegion(reader, 'AWS_DEFAULT_REGION') ?? 'us-east-1',
    endpoint,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
  }
}

const readRegion = (reader: EnvironmentReader, name: string) =>
  reader.readMatching(name, {
    // It becomes a part of a host name.
    pattern: /^[\w-]{1,63}$/,
    description: 'the name of a region, such as us-east-1',
  })
