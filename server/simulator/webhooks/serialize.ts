import { createHmac } from 'node:crypto'

/**
 * Serializes as Meta does before signing: `/` as `\/`, and each non-ASCII character as `\u` and four hexadecimal digits
 * in lowercase.
 */
export const metaJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')

/** Value of `X-Hub-Signature-256` for exactly these bytes. */
export const signatureOf = (body: Buffer, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
