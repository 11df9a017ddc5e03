import type { Databases, DataVersion } from '#server/platform/db/db.ts'

/** Answers as they left, until the next commit of anybody. */
export interface Memo {
  /**
   * What `make` answered for this key, the very same object, if nobody has committed to the database since; else asks
   * `make`. Those who ask for the same at once share one asking. Refusals are passed on and never kept. Nobody may
   * change what they get: others get it too. `asOf`: what stood then, or stands since, is new enough, instead of now.
   */
  recall<T extends Remembered>(key: string, make: () => Promise<T>, asOf?: AsOf): Promise<T>
}

/** The database's version at one moment, however often it is asked. */
export type AsOf = () => DataVersion | Promise<DataVersion>

/**
 * The version that stood when it is asked for first: for a request, whose answers need be no newer than its coming. On an
 * engine that tells its version by a round trip, that is one for each request and not one for each answer.
 */
export const asOfFirstAsking = (version: AsOf): AsOf => {
  let asked: { readonly version: DataVersion | Promise<DataVersion> } | undefined
  return () => {
    asked ??= { version: version() }
    return asked.version
  }
}

/** What can be remembered: it knows how much it weighs. */
export interface Remembered {
  /** Bytes, roughly. */
  readonly length: number
}

export interface MemoParts {
  /** @see Databases.version */
  readonly version: AsOf
  readonly maxBytes?: number
  readonly maxAnswers?: number
}

/** About seven hundred pages of the list: a busy moment of a large installation, and little beside the process. */
const defaultMaxBytes = 16 * 1024 * 1024
const defaultMaxAnswers = 5_000
/** So many versions that stood are known as such: more than there are commits while a request lives, mostly. */
const mostStood = 256
/** What an entry weighs beside its answer, roughly. */
const entryBytes = 300

/**
 * Remembers answers by one law: they hold exactly until the next commit. The database is asked for its version at each
 * recall, or once for a request when it first asks, so an answer can be no older than one read from the tables at that
 * moment, whoever wrote: this process, a command beside it, or a person with `sqlite3`. What depends on anything but the database and the key
 * (the clock, chance, memory of the process) must not be put in here.
 */
export function createMemo({ version, maxBytes = defaultMaxBytes, maxAnswers = defaultMaxAnswers }: MemoParts): Memo {
  let standing: DataVersion
  let kept = new Map<string, Remembered | Promise<Remembered>>()
  let bytes = 0
  const stood = new Set<DataVersion>()

  const stands = (now: DataVersion) => {
    stood.add(standing).delete(now)
    if (stood.size > mostStood) stood.delete(stood.values().next().value)
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
      // Of a version that stood before, what stands now was made later.
      const isPast = asOf !== version && stood.has(now)
      if (now !== standing && !isPast) stands(now)
      const known = kept.get(key)
      if (known !== undefined) return known as T | Promise<T>
      const era = kept
      const asked = make()
      era.set(key, asked)
      try {
        const answer = await asked
        // Begun before a commit, it may be of before or of after: nobody who asks from now on gets it.
        if (era === kept && era.get(key) === asked) keep(key, answer)
        return answer
      } catch (error) {
        if (era.get(key) === asked) era.delete(key)
        throw error
      }
    },
  }
}

/** The same for who may ask: it holds until somebody changes that, past all other commits. @see Databases.accessOf */
export function createAccessMemo({ version, accessOf }: Pick<Databases, 'version' | 'accessOf'>): Memo {
  const narrowed =
    (asOf: AsOf): AsOf =>
    () => {
      const asked = asOf()
      return asked instanceof Promise ? asked.then(accessOf) : accessOf(asked)
    }
  const now = narrowed(version)
  const memo = createMemo({ version: now })
  return { recall: (key, make, asOf) => memo.recall(key, make, asOf ? narrowed(asOf) : now) }
}
