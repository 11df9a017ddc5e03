import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../fixtures/whatsapp')

/** The bytes of a recorded payload as Meta writes them: `payload('text')`, `payload('graph/send')`. */
export const payload = (name: string): Buffer => readFileSync(join(folder, `${name}.json`))

/** The names of all recorded webhooks. */
export const webhookNames = (): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .sort()
