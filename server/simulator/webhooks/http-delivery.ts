const answerWithinMs = 10_000

/**
 * Delivers webhooks to this server over HTTP, like Meta.
 * @param selfUrl this server's address on this machine; known once it listens
 * @returns a function that returns the status, and rejects without an answer in time
 */
export const createHttpDelivery =
  (selfUrl: () => string) =>
  async (path: string, body: Buffer, headers: Record<string, string>): Promise<number> => {
    const signal = AbortSignal.timeout(answerWithinMs)
    const response = await fetch(selfUrl() + path, { method: 'POST', headers, body: new Uint8Array(body), signal })
    await response.arrayBuffer()
    return response.status
  }
