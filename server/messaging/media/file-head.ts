import type { Outbound } from '#server/platform/outbound/outbound.ts'

const headBytes = 4_096
/** A person waits for it. */
const headMs = 4_000

/** The first bytes of the file at a public address. Undefined: they could not be read. */
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
