import { download } from '#client/app/calls/upload.ts'

/** Number of bars. */
export const barCount = 44

/** Quieter recordings are not amplified. */
const inaudible = 0.005

/** The loudest value of each section, scaled so that the loudest of all is 1. */
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
/** Longer recordings are played without a waveform. */
const mostBytes = 1024 * 1024
const known = new Map<string, Promise<number[] | undefined>>()

const read = async (url: string): Promise<number[] | undefined> => {
  try {
    const bytes = await (await download(url)).arrayBuffer()
    const sound = await new OfflineAudioContext(1, 1, lowRate).decodeAudioData(bytes)
    return peaksFrom(sound.getChannelData(0))
  } catch {
    // Some browsers cannot decode WhatsApp's format; then there is no waveform.
    return undefined
  }
}

/** The peaks of a stored file, cached for the page. Undefined: they cannot be computed. */
export const peaksOf = (url: string, bytes: number | null): Promise<number[] | undefined> => {
  if (bytes === null || bytes > mostBytes || !url.startsWith('/')) return Promise.resolve(undefined)
  const found = known.get(url) ?? read(url)
  known.set(url, found)
  return found
}
