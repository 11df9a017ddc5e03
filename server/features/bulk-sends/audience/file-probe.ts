import type { EachFileFault } from '#shared/bulk-sends/plan.ts'

/** A person waits for the plan, and the first addresses show whether the column is right. */
export const maxProbed = 10

/**
 * Downloads the beginning of some files and detects their types. WhatsApp downloads them all when they are sent; a file
 * it cannot get fails for that recipient, with its reason.
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
