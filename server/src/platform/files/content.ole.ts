import { open, type FileHandle } from 'node:fs/promises'
import { AppError } from '../http/errors.ts'

// The compound file of old Office formats ([MS-CFB]) is a small file system of sectors. Its directory is a tree of
// 128-byte entries. Only streams of the top level are read.

const headerSize = 512
const entrySize = 128
const streamType = 2
const noEntry = 0xffffffff
const endOfSectors = 0xfffffffa
const headerSectorCount = 109
/** 2,000 sectors of 512 bytes hold 8,000 names; a document has tens. */
const maxDirectorySectors = 2000

/** The names of the top-level streams of a compound file. Errors: 415 for a damaged file. */
export async function listOleStreams(path: string): Promise<ReadonlySet<string>> {
  await using file = await open(path)
  const { streams } = await openDisk(file)
  return new Set(streams.keys())
}

/**
 * The first bytes of a top-level stream, `maxBytes` or a few more; null without this stream. Errors: 415 for a damaged
 * file.
 */
export async function readOleStreamStart(
  path: string,
  name: string,
  maxBytes: number,
): Promise<Buffer | null> {
  await using file = await open(path)
  const { disk, streams } = await openDisk(file)
  const start = streams.get(name)
  if (start === undefined) return null
  const sectors: Buffer[] = []
  for (let at = start; at < endOfSectors; at = await getNextSector(disk, at)) {
    if (sectors.length * disk.size >= maxBytes) break
    sectors.push(await readBytes(file, (at + 1) * disk.size, disk.size))
  }
  return Buffer.concat(sectors)
}

async function openDisk(file: FileHandle): Promise<{ disk: Disk; streams: Map<string, number> }> {
  const header = await readBytes(file, 0, headerSize)
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw new AppError('file_damaged')
  const disk: Disk = {
    file,
    size: 1 << shift,
    fat: await readFatSectors(file, header, 1 << shift),
    cache: new Map(),
  }
  return { disk, streams: listTopStreams(await readDirectory(disk, header.readUInt32LE(48))) }
}

interface Disk {
  file: FileHandle
  /** Bytes of a sector. */
  size: number
  /** The sectors of the allocation table. */
  fat: number[]
  cache: Map<number, Buffer>
}

async function readFatSectors(file: FileHandle, header: Buffer, size: number): Promise<number[]> {
  const sectors: number[] = []
  const collectSectors = (from: Buffer, at: number, count: number) => {
    for (let i = 0; i < count; i++) {
      const sector = from.readUInt32LE(at + i * 4)
      if (sector < endOfSectors) sectors.push(sector)
    }
  }
  collectSectors(header, 76, headerSectorCount)
  let next = header.readUInt32LE(68)
  for (let i = 0; next < endOfSectors; i++) {
    if (i > maxDirectorySectors) throw new AppError('file_damaged')
    const sector = await readBytes(file, (next + 1) * size, size)
    collectSectors(sector, 0, size / 4 - 1)
    next = sector.readUInt32LE(size - 4)
  }
  return sectors
}

async function readDirectory(disk: Disk, first: number): Promise<Buffer> {
  const sectors: Buffer[] = []
  for (let at = first; at < endOfSectors; at = await getNextSector(disk, at)) {
    if (sectors.length > maxDirectorySectors) throw new AppError('file_damaged')
    sectors.push(await readBytes(disk.file, (at + 1) * disk.size, disk.size))
  }
  return Buffer.concat(sectors)
}

async function getNextSector(disk: Disk, sector: number): Promise<number> {
  const entriesPerSector = disk.size / 4
  const fatSector = disk.fat[Math.floor(sector / entriesPerSector)]
  if (fatSector === undefined) throw new AppError('file_damaged')
  const table =
    disk.cache.get(fatSector) ?? (await readBytes(disk.file, (fatSector + 1) * disk.size, disk.size))
  disk.cache.set(fatSector, table)
  return table.readUInt32LE((sector % entriesPerSector) * 4)
}

/**
 * The names of the top-level streams with their first sectors. The children of the root entry are a binary tree. An entry
 * has its left at byte 68, its right at 72, its children at 76, its first sector at 116.
 */
function listTopStreams(entries: Buffer): Map<string, number> {
  const streams = new Map<string, number>()
  if (entries.length < entrySize) throw new AppError('file_damaged')
  const visitedIds = new Set<number>()
  const pendingIds = [entries.readUInt32LE(76)]
  for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
    if (id === noEntry || visitedIds.has(id)) continue
    visitedIds.add(id)
    const at = id * entrySize
    if (at + entrySize > entries.length) throw new AppError('file_damaged')
    const length = Math.min(entries.readUInt16LE(at + 64), 64)
    const name = entries.toString('utf16le', at, at + Math.max(length - 2, 0))
    if (entries[at + 66] === streamType) streams.set(name, entries.readUInt32LE(at + 116))
    pendingIds.push(entries.readUInt32LE(at + 68), entries.readUInt32LE(at + 72))
  }
  return streams
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new AppError('file_damaged')
  return buffer
}
