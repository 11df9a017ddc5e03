import type { Outbound } from '#server/platform/outbound/outbound.ts'

const headBytes = 4_096
/** Somebody waits for it. */
const headMs = 4_000

/** The first bytes of the file at an address, from the open internet only; undefined: it does not come from there. */
export const createFileHead =
  (outbound: Pick<Outbound, 'call'>) =>
  async (address: string): Promise<Buffer | undefined> => {
    try {
      const call = { timeoutMs: headMs, maxBytes: headBytes, isCut: true, maxRedirects: 3 }
      const { status, body } = await outbound.call(address, call)
      return status === 200 ? body : undefined
    } catch {
      return undefined
    }
  }
