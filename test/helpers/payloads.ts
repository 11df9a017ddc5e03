import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../fixtures/whatsapp')

/** The bytes of a payload as Meta writes them: `payload('text')`, `payload('graph/send')`. Origins: `fixtures/README.md`. */
export const payload = (name: string): Buffer => readFileSync(join(folder, `${name}.json`))

/** The names of all webhooks, without answers of the Graph API. */
export const webhookNames = (): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .sort()
