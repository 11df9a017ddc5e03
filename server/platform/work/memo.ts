import type { DataVersion } from '#server/platform/db/db.ts'

/** Caches answers until the next commit of any process. */
export interface Memo {
  /**
   * Returns the cached answer for this key (the same object) if nothing was committed since; otherwise calls `make`.
   * Concurrent callers share one `make`. Errors are passed on and not cached. Callers must not modify the answer.
   * `asOf`: an answer as new as this version is new enough.
   */
  recall<T extends Remembered>(key: string, make: () => Promise<T>, asOf?: AsOf): Promise<T>
}

/** The database's version, read once or each time. */
export type AsOf = () => DataVersion | Promise<DataVersion>

/**
 * Reads the version once, at the first call. For a request, whose answers need not be newer than its arrival: on
 * PostgreSQL this costs one round trip per request instead of one per answer.
 */
export const versionAtFirstCall = (version: AsOf): AsOf => {
  let asked: { readonly version: DataVersion | Promise<DataVersion> } | undefined
  return () => {
    asked ??= { version: version() }
    return asked.version
  }
}

/** A cacheable answer states its size. */
interface Remembered {
  /** Approximate bytes. */
  readonly length: number
}

interface MemoParts {
  /** @see Databases.version */
  readonly version: AsOf
  readonly maxBytes?: number
  readonly maxAnswers?: number
}

/**
 * About seven hundred pages of a list: enough for a busy moment of a large installation, and small beside the process.
 */
const defaultMaxBytes = 16 * 1024 * 1024
const defaultMaxAnswers = 5_000
/** This many earlier versions are remembered, usually more than there are commits during a request. */
const maxEarlierVersions = 256
/** Approximate size of an entry besides its answer. */
const entryBytes = 300

/**
 * Caches answers until the next commit. Each recall compares the database's version, so an answer is never older than
 * one read from the tables at that moment, no matter who wrote: this process, another command, or a person with
 * `sqlite3`. Never cache what depends on anything but the database and the key, such as clock, chance or process
 * memory.
 */
export function createMemo({ version, maxBytes = defaultMaxBytes, maxAnswers = defaultMaxAnswers }: MemoParts): Memo {
  let standing: DataVersion
  let kept = new Map<string, Remembered | Promise<Remembered>>()
  let bytes = 0
  const stood = new Set<DataVersion>()

  const stands = (now: DataVersion) => {
    stood.add(standing).delete(now)
    if (stood.size > maxEarlierVersions) stood.delete(stood.values().next().value)
    standing = now
    kept = new Map()
    bytes = 0
  }

  const weightOf = (key: string, answer: Remembered | Promise<Remembered>) =>
    answer instanceof Promise ? 0 : answer.length + 2 * key.length + entryBytes

  const drop = (key: string) => {
    const known = kept.get(key)
    if (known !== undefined) bytes -= weightOf(key, known)
    kept.delete(key)
  }

  const keep = (key: string, answer: Remembered) => {
    drop(key)
    const weight = weightOf(key, answer)
    if (weight > maxBytes) return
    kept.set(key, answer)
    bytes += weight
    while (bytes > maxBytes || kept.size > maxAnswers) drop(kept.keys().next().value as string)
  }

  return {
    async recall<T extends Remembered>(key: string, make: () => Promise<T>, asOf: AsOf = version): Promise<T> {
      const asking = asOf()
      const now = asking instanceof Promise ? await asking : asking
      if (now === undefined) return make()
      // For a version seen before, the current answers are newer.
      const isPast = asOf !== version && stood.has(now)
      if (now !== standing && !isPast) stands(now)
      const known = kept.get(key)
      if (known !== undefined) return known as T | Promise<T>
      const era = kept
      const asked = make()
      era.set(key, asked)
      try {
        const answer = await asked
        // If it began before a commit it may be older, so it is cached only if no commit came meanwhile.
        if (era === kept && era.get(key) === asked) keep(key, answer)
        return answer
      } catch (error) {
        if (era.get(key) === asked) era.delete(key)
        throw error
      }
    },
  }
}
