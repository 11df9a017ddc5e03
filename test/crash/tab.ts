import { setTimeout as sleep } from 'node:timers/promises'

/** An open tab: collects its live events, over any number of streams. */
export class Tab {
  /** Event numbers in order of arrival. */
  readonly ids: number[] = []
  /** How often it was told to reload. */
  resyncs = 0
  #place: string | undefined
  readonly #end = new AbortController()
  readonly #urlOf: () => string
  readonly #headers: Record<string, string>
  /** @param urlOf the address of the next stream: any process continues where the last one stopped */
  constructor(urlOf: () => string, headers: Record<string, string>) {
    this.#urlOf = urlOf
    this.#headers = headers
    void this.#watch()
  }

  get last(): number {
    return Number(this.#place ?? 0)
  }

  close() {
    this.#end.abort()
  }

  #take(block: string) {
    const id = /^id: (\d+)$/m.exec(block)?.[1]
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data?.startsWith('{"event":"resync"')) this.resyncs += 1
    else if (data !== undefined && id !== undefined) this.ids.push(Number(id))
    if (id !== undefined) this.#place = id
  }

  async #watch() {
    const { signal } = this.#end
    while (!signal.aborted)
      try {
        const headers = { ...this.#headers, ...(this.#place === undefined ? {} : { 'last-event-id': this.#place }) }
        const response = await fetch(`${this.#urlOf()}/api/sse`, { headers, signal })
        let rest = ''
        for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const blocks = (rest + text).split('\n\n')
          rest = blocks.pop() ?? ''
          for (const block of blocks) this.#take(block)
        }
      } catch {
        // Refused, cut off or closed: it reconnects, unless the tab is closed.
        await sleep(50)
      }
  }
}
