import { createHmac } from 'node:crypto'

/** Non-ASCII characters as lowercase `\uXXXX`, and `/` as `\/`: the bytes that Meta signs and sends. */
export const metaJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')

/** Value of `X-Hub-Signature-256` for exactly these bytes. */
export const signatureOf = (body: Buffer, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
