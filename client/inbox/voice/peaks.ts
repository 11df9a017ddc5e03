import { download } from '#client/app/upload.ts'

/** So many bars a voice is drawn with. */
export const barCount = 44

/** Below it there is nothing to be heard, and nothing is made larger. */
const inaudible = 0.005

/** The loudest of each stretch, the loudest of all being 1: what was recorded softly is seen, too. */
export function peaksFrom(levels: ArrayLike<number>): number[] {
  if (!levels.length) return Array<number>(barCount).fill(0)
  const bars = Array.from({ length: barCount }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / barCount)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / barCount))
    let most = 0
    for (let i = from; i < to; i += 1) most = Math.max(most, Math.abs(levels[i] ?? 0))
    return most
  })
  const loudest = Math.max(...bars)
  return loudest > inaudible ? bars.map(bar => bar / loudest) : bars
}

const lowRate = 8000
/** What is longer is played without being drawn. */
const mostBytes = 1024 * 1024
const known = new Map<string, Promise<number[] | undefined>>()

const read = async (url: string): Promise<number[] | undefined> => {
  try {
    const bytes = await (await download(url)).arrayBuffer()
    const sound = await new OfflineAudioContext(1, 1, lowRate).decodeAudioData(bytes)
    return peaksFrom(sound.getChannelData(0))
  } catch {
    // Not every browser plays what WhatsApp keeps; then it is not drawn either.
    return undefined
  }
}

/** The peaks of a file of ours, once for each page; undefined: it cannot be drawn. */
export const peaksOf = (url: string, bytes: number | null): Promise<number[] | undefined> => {
  if (bytes === null || bytes > mostBytes || !url.startsWith('/')) return Promise.resolve(undefined)
  const found = known.get(url) ?? read(url)
  known.set(url, found)
  return found
}
