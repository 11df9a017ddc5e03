/** How events are created, the same for the product and its peer. */
export interface Bell {
  readonly perSecond: number
  readonly seconds: number
  /** Characters of the message's text. */
  readonly padding: number
  /** User ids; absent: everybody. */
  readonly audience?: readonly string[]
}

/** A message's live event, with the time it was created. */
export const eventOf = (padding: number) => ({
  phone: '5491140000001',
  message: {
    id: '0199aa00-0000-7000-8000-000000000000',
    wamid: 'wamid.HBgNNTQ5MTE0MDAwMDAwMRUCABIYFjNFQjBDMUQyRTNGNA',
    direction: 'in',
    type: 'text',
    text: 'x'.repeat(padding),
    at: new Date().toISOString(),
    status: 'received',
  },
  sentAt: performance.timeOrigin + performance.now(),
})

/** Creates events at an even rate. Returns how many. */
export const ring = (
  { perSecond, seconds, padding }: Bell,
  make: (padding: number) => void | Promise<void>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const begin = performance.now()
    let made = 0
    const timer = setInterval(() => {
      const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - begin) * perSecond) / 1000))
      for (; made < due; made += 1)
        Promise.resolve(make(padding)).catch(error => {
          clearInterval(timer)
          reject(error)
        })
      if (made < perSecond * seconds) return
      clearInterval(timer)
      resolve(made)
    }, 2)
  })
