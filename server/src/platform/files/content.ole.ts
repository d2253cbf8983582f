import { open, type FileHandle } from 'node:fs/promises'
import { AppError } from '../http/errors.ts'

// The compound file of old Office formats ([MS-CFB]): a small file system of sectors, whose directory is a
// tree of 128-byte entries. Only the names on its top level are of interest here.

const HEADER = 512
const ENTRY = 128
const STREAM = 2
const NONE = 0xffffffff
const LAST_SECTOR = 0xfffffffa
const FAT_IN_HEADER = 109
/** 2,000 sectors of 512 bytes hold 8,000 names; a document has tens. */
const maxDirectorySectors = 2000

/**
 * The names of the streams on the top level of a compound file.
 * Errors: 415 `unsupported_type` where its structure does not hold.
 */
export async function oleStreams(path: string): Promise<ReadonlySet<string>> {
  await using file = await open(path)
  const header = await read(file, 0, HEADER)
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw broken()
  const disk: Disk = {
    file,
    size: 1 << shift,
    fat: await fatSectors(file, header, 1 << shift),
    cache: new Map(),
  }
  return topNames(await directory(disk, header.readUInt32LE(48)))
}

interface Disk {
  file: FileHandle
  /** Of a sector, in bytes. */
  size: number
  /** Where the sectors of the allocation table lie. */
  fat: number[]
  cache: Map<number, Buffer>
}

async function fatSectors(file: FileHandle, header: Buffer, size: number): Promise<number[]> {
  const found: number[] = []
  const take = (from: Buffer, at: number, count: number) => {
    for (let i = 0; i < count; i++) {
      const sector = from.readUInt32LE(at + i * 4)
      if (sector < LAST_SECTOR) found.push(sector)
    }
  }
  take(header, 76, FAT_IN_HEADER)
  let next = header.readUInt32LE(68)
  for (let i = 0; next < LAST_SECTOR; i++) {
    if (i > maxDirectorySectors) throw broken()
    const sector = await read(file, (next + 1) * size, size)
    take(sector, 0, size / 4 - 1)
    next = sector.readUInt32LE(size - 4)
  }
  return found
}

async function directory(disk: Disk, first: number): Promise<Buffer> {
  const sectors: Buffer[] = []
  for (let at = first; at < LAST_SECTOR; at = await following(disk, at)) {
    if (sectors.length > maxDirectorySectors) throw broken()
    sectors.push(await read(disk.file, (at + 1) * disk.size, disk.size))
  }
  return Buffer.concat(sectors)
}

async function following(disk: Disk, sector: number): Promise<number> {
  const each = disk.size / 4
  const place = disk.fat[Math.floor(sector / each)]
  if (place === undefined) throw broken()
  const table = disk.cache.get(place) ?? (await read(disk.file, (place + 1) * disk.size, disk.size))
  disk.cache.set(place, table)
  return table.readUInt32LE((sector % each) * 4)
}

/** The children of the root entry are a binary tree: left at 68, right at 72, own children at 76. */
function topNames(entries: Buffer): Set<string> {
  const names = new Set<string>()
  if (entries.length < ENTRY) throw broken()
  const seen = new Set<number>()
  const waiting = [entries.readUInt32LE(76)]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === NONE || seen.has(id)) continue
    seen.add(id)
    const at = id * ENTRY
    if (at + ENTRY > entries.length) throw broken()
    const length = Math.min(entries.readUInt16LE(at + 64), 64)
    if (entries[at + 66] === STREAM) names.add(entries.toString('utf16le', at, at + Math.max(length - 2, 0)))
    waiting.push(entries.readUInt32LE(at + 68), entries.readUInt32LE(at + 72))
  }
  return names
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw broken()
  return buffer
}

const broken = () => new AppError('unsupported_type', 'The file is damaged or not an office document.')
