import type { EachFileFault } from '#shared/bulk-sends.ts'
import type { MediaFormat } from '#shared/template-components.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { contentFormatOf } from '../templates/files.ts'

/** A plan is asked for while somebody waits: the first addresses tell whether the column is right. */
const mostProbed = 10
const probeMs = 4_000
const headBytes = 4_096

/**
 * Looks into the first files at addresses, whose bytes tell what they are. WhatsApp fetches all of them when they are sent;
 * what it does not get fails for that person, with its reason.
 */
export async function probeFiles(
  outbound: Pick<Outbound, 'call'>,
  addresses: readonly string[],
  format: MediaFormat,
): Promise<{ probed: number; faults: EachFileFault[] }> {
  const some = addresses.slice(0, mostProbed)
  const found = await Promise.all(
    some.map(async (value): Promise<EachFileFault[]> => {
      try {
        const call = { timeoutMs: probeMs, maxBytes: headBytes, isCut: true, maxRedirects: 3 }
        const { status, body } = await outbound.call(value, call)
        if (status !== 200) return [{ value, reason: 'fileUnreachable' }]
        return contentFormatOf(body) === format ? [] : [{ value, reason: 'fileKind' }]
      } catch {
        return [{ value, reason: 'fileUnreachable' }]
      }
    }),
  )
  return { probed: some.length, faults: found.flat() }
}
