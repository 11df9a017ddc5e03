import { createHmac } from 'node:crypto'
import { randomBytes } from '#server/platform/crypto/random.ts'

const prefix = 'whsec_'
const secretBytes = 32
/** Meta's app secrets have this length: 32 hexadecimal digits. */
const appSecretBytes = 16

/** A new secret, in the form in which it is pasted into programs. */
export const newSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** A new secret in the form of an app secret of Meta's. */
export const newAppSecret = (): string => randomBytes(appSecretBytes).toString('hex')

/** The headers with which Meta signs. @see Meta, "Webhooks › Validating payloads" */
export const metaHeaders = (appSecret: string, body: string): Record<string, string> => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
})

/**
 * The headers of one attempt. `secrets`: a signature by each, the current one first. `atSeconds`: Unix time of the
 * attempt. @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, atSeconds, body }: { readonly id: string; readonly atSeconds: number; readonly body: string },
): Record<string, string> {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${atSeconds}.${body}`).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
