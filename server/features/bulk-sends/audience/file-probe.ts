import type { EachFileFault } from '#shared/bulk-sends/api.ts'

/** A plan is asked for while somebody waits: the first addresses tell whether the column is right. */
export const mostProbed = 10

/**
 * Looks into the files at some addresses, whose bytes tell what they are. WhatsApp fetches all of them when they are sent;
 * what it does not get fails for that person, with its reason.
 */
export async function probeFiles(
  addresses: readonly string[],
  {
    headOf,
    isRightKind,
  }: { headOf(address: string): Promise<Buffer | undefined>; isRightKind(head: Buffer): Promise<boolean> },
): Promise<{ probed: number; faults: EachFileFault[] }> {
  const found = await Promise.all(
    addresses.map(async (value): Promise<EachFileFault[]> => {
      const head = await headOf(value)
      if (!head) return [{ value, reason: 'fileUnreachable' }]
      return (await isRightKind(head)) ? [] : [{ value, reason: 'fileKind' }]
    }),
  )
  return { probed: addresses.length, faults: found.flat() }
}
