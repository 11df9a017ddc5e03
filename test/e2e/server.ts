import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Databases } from '#server/platform/db/db.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import type { SandboxState } from '#shared/simulator/api.ts'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import { freePort, ServerProcess } from '#test/crash/server-process.ts'
import { type AMember, aMember, testSecret } from '#test/helpers/actors.ts'
import { startAdapter } from '#test/helpers/recado-adapter.ts'
import { codeIn } from '#test/helpers/sign-in.ts'
import { type Processes, TwoOnPostgres } from './processes.ts'

export type Customer = Awaited<ReturnType<Org['customer']>>

/** One process on SQLite, the usual installation, or two on PostgreSQL. */
export type Engine = 'sqlite' | 'postgres'

/** The product as shipped: a process of its own that serves the built pages, with its own installation. */
export class Site {
  readonly #process: Processes
  readonly #dataDir: string
  readonly #openDatabases: () => Databases
  #databases: Databases | undefined
  #behind: Behind | undefined
  private constructor(process: Processes, dataDir: string, openDatabases: () => Databases) {
    this.#process = process
    this.#dataDir = dataDir
    this.#openDatabases = openDatabases
  }

  /** A site in front of another, which has the conversations and the simulator. It has one organization. */
  static async startFront(): Promise<Site> {
    const behind = await Site.start()
    let frontUrl = ''
    const keys = new Map<string, string>()
    const adapter = await startAdapter({ behind: behind.url, keys, frontUrl: () => frontUrl })
    const front = await Site.start('sqlite', url => {
      frontUrl = url
      return { PRODUCT_API_URL: adapter.url, OUTBOUND_ALLOW: '127.0.0.1' }
    })
    front.#behind = { site: behind, keys, adapter: adapter.server }
    return front
  }

  /** @param more additional environment variables for a single-process site, given its address */
  static async start(engine: Engine = 'sqlite', more?: (url: string) => Record<string, string>): Promise<Site> {
    const dataDir = mkdtempSync(join(tmpdir(), 'recado-e2e-'))
    const env = { DATA_DIR: dataDir, AUTH_SECRET: testSecret, LOG_LEVEL: 'error' }
    if (engine === 'postgres') {
      const two = await TwoOnPostgres.make(env)
      await two.start()
      return new Site(two, dataDir, two.openDatabases)
    }
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const process = new ServerProcess(port, { ...env, PUBLIC_URL: url, ...more?.(url) })
    await process.start()
    return new Site(process, dataDir, () => openDatabase(join(dataDir, 'recado.db')))
  }

  get url(): string {
    return this.#process.url
  }

  /** The warnings and errors in the server's log. */
  get complaints(): string {
    return this.#process.output
      .split('\n')
      .filter(line => line.startsWith('{'))
      .join('\n')
  }

  /** Stops and starts again on the same data and address. */
  async restart(during: () => Promise<void> = async () => {}): Promise<void> {
    await this.#process.stop()
    await during()
    await this.#process.start()
  }

  async end(): Promise<void> {
    await this.#databases?.close()
    await this.#process.stop()
    this.#behind?.adapter.closeAllConnections()
    this.#behind?.adapter.close()
    await this.#behind?.site.end()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  /** A second connection to the same database, for states that no page can create. */
  get databases(): Databases {
    this.#databases ??= this.#openDatabases()
    return this.#databases
  }

  #letters(address: string): string[] {
    const folder = join(this.#dataDir, 'mail')
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter(name => name.endsWith('.eml'))
      .sort()
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .filter(letter => letter.includes(`To: ${address}`))
  }

  /** The code of the newest mail to an address; undefined if there is none. */
  mailedCode(address: string): string | undefined {
    const letters = this.#letters(address)
    // Mails about changes have no code and may be sent at any time.
    const letter = letters.findLast(one => /^\d{6}\r?$/m.test(one))
    return letter ? codeIn(letter) : undefined
  }

  /** The long code of the newest mail to an address. */
  mailedLongCode(address: string): string {
    const code = /^([a-z0-9]{5}-[a-z0-9]{5})\r?$/m.exec(this.#letters(address).at(-1) ?? '')?.[1]
    if (!code) throw new Error(`No long code was mailed to ${address}`)
    return code
  }

  /** The path linked by an invitation's newest mail. */
  mailedInvitation(address: string): string {
    const plain = (letter: string) =>
      letter
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    const links = this.#letters(address).flatMap(
      letter => plain(letter).match(/\/org\/[\w-]+\/invitation\?id=\w+/)?.[0] ?? [],
    )
    const newest = links.at(-1)
    if (!newest) throw new Error(`No invitation was mailed to ${address}`)
    return newest
  }

  /** The page that the newest report of statistics links to unsubscribe. */
  mailedUnsubscribe(address: string): string {
    const letter = this.#letters(address).at(-1) ?? ''
    const link = letter
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=')
      .match(/\/unsubscribe\/statistics\?token=[\w.-]+/)?.[0]
    if (!link) throw new Error(`No report was mailed to ${address}`)
    return link
  }

  /** An organization with its owner, connected to the simulator. */
  async org(options: { connected?: boolean; orgName?: string } = {}): Promise<Org> {
    const owner = await aMember({
      databases: this.databases,
      publicUrl: this.url,
      orgName: options.orgName ?? 'Panadería Don Luis',
    })
    if (this.#behind && options.connected !== false) return this.#orgInFront(owner, this.#behind)
    const org = new Org(this, owner)
    if (options.connected === false) return org
    await org.call('POST', '/whatsapp/connection/sandbox')
    // Customers of stories read faster than people do.
    await org.setSimulator({ statusDelayMs: 100 })
    return org
  }

  async #orgInFront(owner: AMember, { site, keys }: Behind): Promise<Org> {
    const behind = await site.org()
    const { key } = await behind.call<{ key: string }>('POST', '/auth/api-key/create', { name: 'Recado en frente' })
    keys.set(owner.org.id, key)
    const org = new Org(this, owner, behind)
    await org.until<{ stream: { state: string } | null }>(
      '/organization/upstream',
      ({ stream }) => stream?.state === 'open',
    )
    return org
  }
}

interface Behind {
  readonly site: Site
  /** API keys at the site behind, by the organization in front. */
  readonly keys: Map<string, string>
  readonly adapter: Server
}

/** One organization, and what its members and the simulator can do. */
export class Org {
  readonly owner: AMember
  readonly #site: Site
  readonly #behind: Org | undefined
  /** @param behind the organization that has the conversations, if another site does */
  constructor(site: Site, owner: AMember, behind?: Org) {
    this.#site = site
    this.owner = owner
    this.#behind = behind
  }

  get slug(): string {
    return this.owner.org.slug
  }

  /** Another member of the organization. */
  colleague(name: string, role = 'member'): Promise<AMember> {
    return aMember({ databases: this.#site.databases, publicUrl: this.#site.url, org: this.owner.org, name, role })
  }

  /** @throws for anything but success */
  async call<Reply = unknown>(
    method: string,
    path: string,
    body?: unknown,
    by: Pick<AMember, 'cookie'> = this.owner,
  ): Promise<Reply> {
    if (this.#behind && path.startsWith('/sandbox')) return this.#behind.call(method, path, body)
    const response = await fetch(`${this.#site.url}/api${path}`, {
      method,
      headers: {
        cookie: by.cookie,
        'x-organization': this.slug,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as Reply
  }

  /** The simulated customer number `n`; a different one for each `n`. */
  customer(n: number, name = `Cliente ${n}`) {
    return this.customerAt(`54911550${String(10_000 + n).slice(-5)}`, name)
  }

  customerAt(phone: string, name: string) {
    const act = async (inbound: Omit<SandboxInbound, 'from' | 'name'>): Promise<string> => {
      const { wamid, status } = await this.call<{ wamid: string | null; status: number }>('POST', '/sandbox/inbound', {
        from: phone,
        name,
        ...inbound,
      })
      if (status !== 200) throw new Error(`The webhook was answered ${status}`)
      return wamid ?? ''
    }
    let isKnown = false
    const says = async (text: string) => {
      const wamid = await act({ type: 'text', text })
      // A webhook is answered before it is processed; a new customer's conversation exists a moment later.
      if (!isKnown) await this.untilKnown(phone)
      isKnown = true
      return wamid
    }
    return { phone, name, does: act, says }
  }

  /** Some have no conversation on purpose: a story that waits for one says so itself. */
  async untilKnown(phone: string, longestMs = 5_000): Promise<void> {
    const headers = { cookie: this.owner.cookie, 'x-organization': this.slug }
    for (const until = Date.now() + longestMs; Date.now() < until; ) {
      const { ok } = await fetch(`${this.#site.url}/api/whatsapp/conversations/${phone}`, { headers })
      if (ok) return
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  /** Repeats the request until the condition holds. */
  async until<Reply>(path: string, holds: (reply: Reply) => boolean): Promise<Reply> {
    for (let until = Date.now() + 20_000; ; ) {
      const reply = await this.call<Reply>('GET', path)
      if (holds(reply)) return reply
      if (Date.now() > until)
        throw new Error(`${path} did not meet the condition within 20 s: ${JSON.stringify(reply).slice(0, 500)}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  setSimulator(behaviour: Partial<SandboxState['behaviour']>): Promise<unknown> {
    return this.call('PATCH', '/sandbox', behaviour)
  }

  failNext(code: string, count = 1): Promise<unknown> {
    return this.call('POST', '/sandbox/fail', { code, count })
  }

  letPass(hours: number): Promise<unknown> {
    return this.call('POST', '/sandbox/clock', { advanceMs: hours * 3_600_000 })
  }

  /** The texts that reached a customer, oldest first. */
  async received(phone: string): Promise<string[]> {
    const { items } = await this.call<{ items: { type: string; body: string }[] }>(
      'GET',
      `/sandbox/outbox?to=${phone}&limit=1000`,
    )
    return items
      .filter(({ type }) => type === 'text')
      .map(({ body }) => (JSON.parse(body) as { text: { body: string } }).text.body)
      .reverse()
  }
}
