import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'

/** SHA-1 in hexadecimal, the format in which lists of leaked passwords are published. It protects nothing here. */
const hashChars = 40
const lineForm = /^[0-9A-Fa-f]{40}(?::\d+)?\r?$/
/** Longer than any line. */
const readBytes = 256

/** Leaked passwords, from a file that the operator provides. */
export interface LeakedPasswords {
  has(password: string): Promise<boolean>
}

const inFile = async <T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path, 'r')
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

const readAt = async (file: FileHandle, position: number): Promise<string> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(readBytes), 0, readBytes, position)
  return buffer.toString('latin1', 0, bytesRead)
}

/** The first line that begins at or after `from`, with its hash; undefined: there is none. */
const lineFrom = async (file: FileHandle, from: number): Promise<{ begin: number; hash: string } | undefined> => {
  if (from === 0) return { begin: 0, hash: (await readAt(file, 0)).slice(0, hashChars).toUpperCase() }
  const text = await readAt(file, from - 1)
  const end = text.indexOf('\n')
  if (end < 0) return undefined
  return { begin: from + end, hash: text.slice(end + 1, end + 1 + hashChars).toUpperCase() }
}

/** Binary search: about forty reads for a sorted file of any size. */
const isListed = async (file: FileHandle, wanted: string): Promise<boolean> => {
  let low = 0
  let high = (await file.stat()).size
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const line = await lineFrom(file, middle)
    if (line === undefined || line.begin >= high) high = middle
    else if (line.hash === wanted) return true
    else if (line.hash < wanted) low = line.begin + 1
    else high = middle
  }
  return false
}

/** Searches the file at `path`. No password leaves this machine. */
export const createLeakedPasswords = (path: string): LeakedPasswords => ({
  has: password =>
    inFile(path, file => isListed(file, createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase())),
})

/** @throws InstallationFault if the file is not such a list */
export async function requirePasswordList(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const fix = 'set PASSWORD_LIST to a file of SHA-1 hashes in order, one in each line, or unset it'
  const first = await inFile(path, file => readAt(file, 0)).catch((error: unknown) => {
    throw new InstallationFault(`PASSWORD_LIST=${path} cannot be read`, fix, error)
  })
  const [line = '', next = ''] = first.split('\n')
  const isList =
    lineForm.test(line) &&
    (next === '' || next.slice(0, hashChars).toUpperCase() > line.toUpperCase().slice(0, hashChars))
  if (!isList) throw new InstallationFault(`PASSWORD_LIST=${path} is not a list of hashes`, fix)
}
