import type { ServiceOf } from '#shared/contract.ts'
import type { mediaApi } from '#shared/media.ts'
import type { OrgCaller } from '../actor.ts'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import type { Databases } from '../db.ts'
import { actorOf, systemActor } from '../events/actors.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { OrgWrite, Writes } from '../events/writes.ts'
import type { Log } from '../log.ts'
import type { Viewer } from '../visibility/scope.ts'
import { WhatsAppError, type WhatsAppNumber } from '../whatsapp/provider.ts'
import { mediaErrors } from './errors.ts'
import { createMediaFolder, type StoredFile } from './folder.ts'
import { servedType } from './kind.ts'
import {
  changeMedia,
  type DueMedia,
  findMedia,
  findMediaOrganization,
  listDueMedia,
  type MediaFacts,
  makeDue,
  nextMediaDueAt,
  oldestMediaDueAt,
} from './store.ts'

export interface MediaParts {
  databases: Databases
  clock: Clock
  log: Log
  writes: Pick<Writes, 'run'>
  numbers: {
    clientOf(
      orgId: string,
      connectionId: string,
    ): Promise<{ number: WhatsAppNumber; connection: { status: string } } | undefined>
    markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
  }
  /** Says that messages look different now. */
  emitChanges(write: OrgWrite, messageIds: readonly string[]): Promise<void>
  dataDir: string
}

export interface MediaRoom {
  service: ServiceOf<typeof mediaApi, OrgCaller>
  /** Files that waited for their number go on in the commit that connects it. */
  listener: TransactionListener<'connection.changed'>
  /** Whose a file is: an address without an organization names it by its id alone. Undefined: there is none. */
  organizationOf(id: string): Promise<string | undefined>
  /** A file this viewer sees. Undefined also for that of a message that was taken back. */
  find(viewer: Viewer, id: string): Promise<MediaFacts | undefined>
  /** Where a stored file lies on disk. */
  pathOf(path: string): string
  /** Removes every file of an organization. */
  removeAll(orgId: string): Promise<void>
  /** Since when the file that waits longest is due; undefined: none is. For health. */
  oldestDue(): Promise<string | undefined>
  /** Files were announced. */
  wake(): void
  start(): void
  /** Ends what is being fetched; it is fetched again at the next start. */
  stop(): Promise<void>
  /** Resolves when nothing is due and nothing under way. For tests. */
  idle(): Promise<void>
}

const maxMediaBytes = 100 * 1024 * 1024
const fetchesAtOnce = 4
const maxTries = 6
/** Pauses after each try; together some hours, well within the week an id lives. */
const pausesMs = [10_000, 60_000, 600_000, 3_600_000, 4 * 3_600_000]
/** While a file is fetched its row is due only after this, so that a crash loses time and not the file. */
const leaseMs = 15 * 60 * 1000
const fetchMs = 10 * 60 * 1000
/** Meta keeps what customers send for seven days. */
const idLifeMs = 7 * 24 * 60 * 60 * 1000
const longestSleepMs = 60_000
const troubleMs = 1000

/** A file that waits for its number is asked for again when that is connected; else so often, to see it expire. */
const notConnected = 'NOT_CONNECTED'
const notConnectedMs = 4 * 3_600_000

/** Why a file was not stored; the code stands in its row. */
class MediaFault extends Error {
  override readonly name = 'MediaFault'
  readonly code: string
  constructor(code: string, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

const checkFile = (file: StoredFile, expected: { size: number | null; hashes: readonly (string | null)[] }) => {
  if (expected.size !== null && file.size !== expected.size) throw new MediaFault('SIZE_MISMATCH')
  for (const hash of expected.hashes) if (hash && hash !== file.sha256) throw new MediaFault('HASH_MISMATCH')
}

const codeOf = (error: unknown): string =>
  error instanceof WhatsAppError || error instanceof MediaFault ? error.code : 'STORAGE'

/**
 * Copies what customers send from Meta to our disk, by rows that are due: a failed try is repeated for hours, a
 * crash repeats it, and the message is there whatever becomes of its file.
 */
export function createMediaFetcher(parts: MediaParts): MediaRoom {
  const { databases, clock, log, writes, numbers } = parts
  const folder = createMediaFolder(parts.dataDir)
  const active = new Map<string, Promise<void>>()
  const aborter = new AbortController()
  let ready: Promise<void> | undefined
  let running: Promise<void> | undefined
  let again = false
  let started = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  /** The row's new state and the message as it looks now, in one commit. */
  const settle = async (
    media: { id: string; orgId: string; messageId: string },
    from: 'pending' | 'failed',
    change: Parameters<typeof changeMedia>[4],
    by = systemActor('media'),
  ) => {
    return writes.run(media.orgId, by, async write => {
      const isDone = await changeMedia(write.db, media.orgId, media.id, from, change)
      if (isDone) await parts.emitChanges(write, [media.messageId])
      return isDone
    })
  }

  const download = async (media: DueMedia): Promise<StoredFile & { mime: string }> => {
    if (clock.now().getTime() - Date.parse(media.createdAt) > idLifeMs) throw new MediaFault('EXPIRED')
    const client = await numbers.clientOf(media.orgId, media.connectionId)
    if (!client || client.connection.status === 'reauthorise') throw new MediaFault(notConnected)
    const signal = AbortSignal.any([aborter.signal, AbortSignal.timeout(fetchMs)])
    const file = await client.number.fetchMedia(media.providerId, { maxBytes: maxMediaBytes, signal })
    const stored = await folder.store(media.orgId, media.id, file.body, written =>
      checkFile(written, { size: file.size, hashes: [media.sha256, file.sha256] }),
    )
    return { ...stored, mime: servedType(media.mime || file.mime, stored.head) }
  }

  const fetchOne = async (media: DueMedia) => {
    try {
      const { path, size, sha256, mime } = await download(media)
      await settle(media, 'pending', { state: 'stored', path, size, sha256, mime, next_attempt_at: null, error: null })
    } catch (error) {
      if (stopping) return
      await giveUpOrWait(media, error)
    }
  }

  /** The number is at fault and not the file: the try does not count. */
  const waitForNumber = async (media: DueMedia) => {
    await changeMedia(databases.write, media.orgId, media.id, 'pending', {
      attempts: media.attempts,
      next_attempt_at: isoIn(clock, notConnectedMs),
      error: notConnected,
    })
  }

  const giveUpOrWait = async (media: DueMedia, error: unknown) => {
    const code = codeOf(error)
    const isRefused = error instanceof WhatsAppError && error.retry === 'credentials'
    if (isRefused) await numbers.markReauthorise(media.orgId, media.connectionId, code)
    if (isRefused || code === notConnected) {
      log.warn({ orgId: media.orgId, mediaId: media.id, code }, 'a file waits for its number')
      return waitForNumber(media)
    }
    const tries = media.attempts + 1
    const isFinal =
      (error instanceof WhatsAppError && error.retry === 'never') || code === 'EXPIRED' || tries >= maxTries
    const facts = { orgId: media.orgId, mediaId: media.id, code, tries }
    if (code === 'STORAGE') log.error({ ...facts, err: error }, 'a file could not be stored')
    else log.warn(facts, isFinal ? 'a file could not be fetched and is given up' : 'a file could not be fetched yet')
    if (isFinal) await settle(media, 'pending', { state: 'failed', next_attempt_at: null, error: code })
    else {
      const askedMs = error instanceof WhatsAppError ? (error.retryAfterMs ?? 0) : 0
      const pauseMs = Math.max(askedMs, pausesMs[tries - 1] ?? (pausesMs.at(-1) as number))
      await changeMedia(databases.write, media.orgId, media.id, 'pending', {
        next_attempt_at: isoIn(clock, pauseMs),
        error: code,
      })
    }
  }

  /** Takes files while there is room; true when one was taken. */
  const claim = async (): Promise<boolean> => {
    const room = fetchesAtOnce - active.size
    const due = room > 0 ? await listDueMedia(databases.read, isoNow(clock), [...active.keys()], room) : []
    for (const media of due) {
      await changeMedia(databases.write, media.orgId, media.id, 'pending', {
        attempts: media.attempts + 1,
        next_attempt_at: isoIn(clock, leaseMs),
      })
      const work = fetchOne(media)
        .catch(error => log.error({ err: error, mediaId: media.id }, 'the state of a file could not be stored'))
        .finally(() => {
          active.delete(media.id)
          kick()
        })
      active.set(media.id, work)
    }
    return due.length > 0
  }

  const loop = async () => {
    try {
      // What falls due while this turn works must count as next, so the look ahead begins where the turn did.
      let lookedAt = isoNow(clock)
      do {
        again = false
        lookedAt = isoNow(clock)
        while (!stopping && (await claim())) await new Promise(resolve => setImmediate(resolve))
      } while (again && !stopping)
      const due = await nextMediaDueAt(databases.read, lookedAt)
      if (due) sleep(Date.parse(due) - clock.now().getTime())
    } catch (error) {
      log.error({ err: error }, 'files wait for the database')
      sleep(troubleMs)
    }
  }

  const sleep = (ms: number) => {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(kick, Math.max(1, Math.min(longestSleepMs, ms)))
    timer.unref()
  }

  const kick = () => {
    again = true
    if (!started || stopping || running) return
    running = new Promise<void>(resolve => setImmediate(resolve)).then(loop).finally(() => {
      running = undefined
      if (again) kick()
    })
  }

  const settled = async () => {
    while (running || active.size) {
      await running
      await Promise.all(active.values())
    }
  }

  return {
    service: {
      async retryMedia(member, { params }) {
        const media = await findMedia(databases.read, member, params.id)
        if (!media) throw mediaErrors.NOT_FOUND()
        const again = { state: 'pending', attempts: 0, next_attempt_at: isoNow(clock), error: null } as const
        const isAgain = await settle(media, 'failed', again, actorOf(member))
        if (!isAgain) throw mediaErrors.NOT_FAILED()
        kick()
        return { success: true }
      },
    },
    listener: {
      name: 'media',
      on: ['connection.changed'],
      async handle({ db, orgId, afterCommit }, events) {
        if (!events.some(({ data }) => data.status === 'connected')) return
        if (await makeDue(db, orgId, notConnected, isoNow(clock))) afterCommit(kick)
      },
    },
    organizationOf: id => findMediaOrganization(databases.read, id),
    find: (viewer, id) => findMedia(databases.read, viewer, id),
    pathOf: folder.pathOf,
    removeAll: folder.removeAll,
    oldestDue: () => oldestMediaDueAt(databases.read, isoNow(clock)),
    wake: kick,
    start() {
      ready = folder.sweep().then(
        () => {
          started = true
          kick()
        },
        error => log.error({ err: error }, 'the media folder cannot be written: check DATA_DIR and its owner'),
      )
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      aborter.abort(new Error('shutting down'))
      await ready
      await settled()
    },
    async idle() {
      await ready
      kick()
      await settled()
    },
  }
}
