import { type Arrival, type BrowserFunctions, type EndReason, openSource, type Source } from './source.ts'

/** Messages between tabs. `join` is sent to the leader, everything else comes from it. */
export type TabWord =
  | { t: 'event'; event: Arrival }
  | { t: 'place'; id: number }
  | { t: 'open' }
  | { t: 'away' }
  | { t: 'beat' }
  | { t: 'end'; reason: EndReason }
  | { t: 'join'; from: string; since: number | undefined }
  /** `missed` is null when too much was missed. */
  | { t: 'joined'; to: string; id: number; away: boolean; missed: Arrival[] | null }

export interface Channel {
  post(word: TabWord): void
  /** Set by the reader. */
  hear: (word: TabWord) => void
  close(): void
}

/** Held by one tab. */
export interface Lock {
  /** Runs `lead` when this tab gets the lock, `yielded` when another takes it. `steal`: takes it from its holder. */
  request(steal: boolean, lead: () => void, yielded: () => void): void
  release(): void
}

interface TabsParts extends BrowserFunctions {
  readonly url: string
  /** Id of this tab. */
  readonly tab: string
  /** The page's position. Undefined: start now. */
  readonly since: number | undefined
  /** Undefined: the browser lacks the API, so every tab has its own stream. */
  readonly channel: Channel | undefined
  readonly lock: Lock | undefined
  /** Checked before taking the lock: a visible tab cannot be frozen. */
  isVisible(): boolean
  deliver(event: Arrival): void
  onAway(away: boolean): void
  onEnd(reason: EndReason): void
}

interface Tabs {
  /** The last id this tab received. A later `openTabs` continues from it. */
  readonly place: number | undefined
  close(): void
  /** The network may be back. */
  retry(): void
}

/** Events a leader keeps for tabs that open slightly behind it. */
const remembered = 300
const beatEveryMs = 10_000
const checkEveryMs = 20_000
/** A leader whose tab was frozen sends nothing. Longer than its longest regular silence. */
const deadMs = 90_000

/**
 * One stream for all tabs of a browser: the tab that holds the lock reads it and forwards the events. Each tab knows
 * its last id, so nothing is lost or duplicated when the leader closes and the next one continues.
 */
export function openTabs(parts: TabsParts): Tabs {
  const { channel, lock, tab } = parts
  let last = parts.since
  let source: Source | undefined
  let away = false
  /** True if this follower is in step with the leader. Events wait until then. */
  let inStep = false
  let waiting: Arrival[] = []
  let heardAt = parts.now()
  let beatAt = 0
  let closed = false
  let uncheck = () => {}
  // As the leader: events after `floor`.
  let recent: Arrival[] = []
  let floor: number | undefined

  const tell = (word: TabWord) => channel?.post(word)
  const setAway = (now: boolean) => {
    if (away === now) return
    away = now
    parts.onAway(now)
  }
  const take = (event: Arrival) => {
    if (event.id !== undefined) {
      if (last !== undefined && event.id <= last) return
      last = event.id
    }
    parts.deliver(event)
  }
  const stop = (reason: EndReason) => {
    close()
    parts.onEnd(reason)
  }

  const lead = () => {
    if (closed || source) return
    // This tab leads now: what waited for the old leader's answer is received again.
    waiting = []
    inStep = true
    recent = []
    floor = last
    source = openSource({
      ...parts,
      last: () => last,
      onEvent(event) {
        if (event.event === 'resync') recent = []
        if (event.event === 'visibility') {
          // Earlier events may be about conversations that may no longer be seen.
          recent = []
          floor = event.id
        } else if (event.id !== undefined) {
          recent.push(event)
          if (recent.length > remembered) floor = recent.shift()?.id
        }
        take(event)
        tell({ t: 'event', event })
      },
      onPlace(id) {
        last = id
        floor = id
        recent = []
        tell({ t: 'place', id })
      },
      onOpen() {
        setAway(false)
        tell({ t: 'open' })
      },
      onAway() {
        setAway(true)
        tell({ t: 'away' })
      },
      onBeat() {
        const now = parts.now()
        if (now - beatAt < beatEveryMs) return
        beatAt = now
        tell({ t: 'beat' })
      },
      onEnd(reason) {
        tell({ t: 'end', reason })
        stop(reason)
      },
    })
  }
  const follow = () => {
    source?.close()
    source = undefined
    inStep = false
    if (closed) return
    join()
    compete(false)
  }
  const compete = (steal: boolean) => lock?.request(steal, lead, follow)
  const join = () => {
    inStep = false
    waiting = []
    tell({ t: 'join', from: tab, since: last })
  }

  const answer = (from: string, since: number | undefined) => {
    if (last === undefined) return
    const known = since === undefined || (floor !== undefined && since >= floor)
    const missed = known ? recent.filter(({ id }) => since !== undefined && id !== undefined && id > since) : null
    tell({ t: 'joined', to: from, id: last, away, missed })
  }
  const hear = (word: TabWord) => {
    if (closed) return
    if (word.t === 'join') {
      if (source) answer(word.from, word.since)
      return
    }
    if (source) return
    heardAt = parts.now()
    if (word.t === 'open') join()
    else if (word.t === 'beat') {
      // The earlier request may have had no leader to answer it.
      if (!inStep) join()
    } else if (word.t === 'away') setAway(true)
    else if (word.t === 'end') stop(word.reason)
    else if (word.t === 'place') {
      if (inStep) last = word.id
      else join()
    } else if (word.t === 'event') {
      if (inStep) take(word.event)
      else if (waiting.push(word.event) > remembered) join()
    } else if (word.t === 'joined' && word.to === tab && !inStep) {
      if (word.missed === null) {
        last = undefined
        parts.deliver({ event: 'resync', data: {} })
      }
      const early = waiting
      waiting = []
      for (const event of [...(word.missed ?? []), ...early]) take(event)
      last = Math.max(last ?? 0, word.id)
      inStep = true
      setAway(word.away)
    }
  }

  const check = () => {
    uncheck = parts.after(checkEveryMs, check)
    if (source || !parts.isVisible() || parts.now() - heardAt < deadMs) return
    heardAt = parts.now()
    compete(true)
  }
  const close = () => {
    closed = true
    uncheck()
    source?.close()
    source = undefined
    lock?.release()
    channel?.close()
  }

  if (channel && lock) {
    channel.hear = hear
    join()
    compete(false)
    uncheck = parts.after(checkEveryMs, check)
  } else lead()

  return {
    get place() {
      return last
    },
    close,
    retry: () => source?.retry(),
  }
}
