const answerWithinMs = 10_000

/**
 * Brings the simulator's webhooks to this server the way Meta's come: over HTTP.
 * @param selfUrl where this server answers on this machine; known once it listens
 * @returns answers the status; rejects when nobody answers in time
 */
export const createHttpDelivery =
  (selfUrl: () => string) =>
  async (path: string, body: Buffer, headers: Record<string, string>): Promise<number> => {
    const signal = AbortSignal.timeout(answerWithinMs)
    const response = await fetch(selfUrl() + path, { method: 'POST', headers, body: new Uint8Array(body), signal })
    await response.arrayBuffer()
    return response.status
  }
