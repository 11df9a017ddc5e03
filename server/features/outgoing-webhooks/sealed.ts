import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import { readHeaders } from './custom-headers.ts'
import type { StoredWebhook } from './webhook-store.ts'

/** An encrypted value can only be decrypted in its own row and column. */
export const placeOf = {
  secret: (orgId: string, name: string) => `outgoing_webhook.sealed:${orgId}/${name}`,
  /** A replaced secret moves to another column of its row, as it is. */
  former: (orgId: string, name: string) => `outgoing_webhook.sealed:${orgId}/${name}`,
  headers: (orgId: string, name: string) => `outgoing_webhook.headers:${orgId}/${name}`,
  verifyToken: (orgId: string, name: string) => `outgoing_webhook.verify_token:${orgId}/${name}`,
}

const column = (name: string, place: (orgId: string, name: string) => string): EncryptedColumn => ({
  table: 'outgoing_webhook',
  key: ['org_id', 'name'],
  column: name,
  placeOf: place,
})

export const sealedWebhookColumns: readonly EncryptedColumn[] = [
  column('sealed', placeOf.secret),
  column('former_sealed', placeOf.former),
  column('headers', placeOf.headers),
  column('verify_token', placeOf.verifyToken),
]

type Encrypts = Pick<Vault, 'encrypt'>
type Decrypts = Pick<Vault, 'decrypt'>

/** The secrets that sign now. @throws if one cannot be decrypted */
export function webhookSecrets(vault: Decrypts, orgId: string, { name, sealed, former }: StoredWebhook, now: string) {
  const secret = vault.decrypt(sealed, placeOf.secret(orgId, name))
  return former && former.until > now ? [secret, vault.decrypt(former.sealed, placeOf.former(orgId, name))] : [secret]
}

/** @throws if they cannot be decrypted */
export const headersOf = (
  vault: Decrypts,
  orgId: string,
  { name, headers }: Pick<StoredWebhook, 'name' | 'headers'>,
): Record<string, string> => (headers === null ? {} : JSON.parse(vault.decrypt(headers, placeOf.headers(orgId, name))))

/** @throws if it cannot be decrypted */
export const verifyTokenOf = (
  vault: Decrypts,
  orgId: string,
  { name, verifyToken }: Pick<StoredWebhook, 'name' | 'verifyToken'>,
): string => (verifyToken === null ? '' : vault.decrypt(verifyToken, placeOf.verifyToken(orgId, name)))

/** Null: no headers. @throws InvalidInput naming a header that may not be set */
export function sealHeaders(
  vault: Encrypts,
  orgId: string,
  name: string,
  given: Readonly<Record<string, string>>,
): string | null {
  const headers = readHeaders(given)
  return Object.keys(headers).length ? vault.encrypt(JSON.stringify(headers), placeOf.headers(orgId, name)) : null
}

export const sealToken = (vault: Encrypts, orgId: string, name: string, token: string | null): string | null =>
  token === null ? null : vault.encrypt(token, placeOf.verifyToken(orgId, name))
