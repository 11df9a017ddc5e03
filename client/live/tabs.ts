import { type Arrival, type EndReason, type Entrances, openSource, type Source } from './source.ts'

/** What tabs say to each other. `join` asks the leader, everything else comes from it. */
export type TabWord =
  | { t: 'event'; event: Arrival }
  | { t: 'place'; id: number }
  | { t: 'open' }
  | { t: 'away' }
  | { t: 'beat' }
  | { t: 'end'; reason: EndReason }
  | { t: 'join'; from: string; since: number | undefined }
  /** `missed` is null when too much was missed to tell. */
  | { t: 'joined'; to: string; id: number; away: boolean; missed: Arrival[] | null }

export interface Channel {
  post(word: TabWord): void
  /** Set by the reader. */
  hear: (word: TabWord) => void
  close(): void
}

/** One of the tabs holds it. */
export interface Lock {
  /** Runs `lead` when the lock is ours, `yielded` when another took it. `steal`: now, whoever has it. */
  request(steal: boolean, lead: () => void, yielded: () => void): void
  release(): void
}

export interface TabsParts extends Entrances {
  readonly url: string
  /** This tab among the others. */
  readonly tab: string
  /** Where the page stands; undefined: from now on. */
  readonly since: number | undefined
  /** Undefined: the browser lacks something, and every tab has a stream of its own. */
  readonly channel: Channel | undefined
  readonly lock: Lock | undefined
  /** A leader that somebody looks at must not be frozen; asked before taking its place. */
  isVisible(): boolean
  deliver(event: Arrival): void
  onAway(away: boolean): void
  onEnd(reason: EndReason): void
}

export interface Tabs {
  /** The last id this tab had; a later `openTabs` goes on from it. */
  readonly place: number | undefined
  close(): void
  /** The network may be back. */
  retry(): void
}

/** Events a leader can tell again to a tab that opens a little behind it. */
const remembered = 300
const beatEveryMs = 10_000
const checkEveryMs = 20_000
/** A leader whose tab the browser froze says nothing; longer than its longest silence. */
const deadMs = 90_000

/**
 * One stream for all tabs of a browser: the tab that holds the lock reads it and tells the others. Each tab knows the
 * last id it had, so nothing is lost or doubled when the leader closes, and the next one goes on from its own place.
 */
export function openTabs(parts: TabsParts): Tabs {
  const { channel, lock, tab } = parts
  let last = parts.since
  let source: Source | undefined
  let away = false
  /** As a follower: in step with the leader; events wait until then. */
  let inStep = false
  let waiting: Arrival[] = []
  let heardAt = parts.now()
  let beatAt = 0
  let closed = false
  let uncheck = () => {}
  // As the leader: what came after `floor`.
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
    // Ours from here on: what waited for the old leader's answer comes again by itself.
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
          // What came before may be of what is not to be seen any more.
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
      // Asked for when nobody was there to answer.
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
