import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import { readHeaders } from './custom-headers.ts'
import type { StoredWebhook } from './webhook-store.ts'

/** An encrypted value can only be decrypted in its own row and column. */
export const sealContexts = {
  secret: (orgId: string, name: string) => `outgoing_webhook.sealed:${orgId}/${name}`,
  /** A replaced secret moves to another column of its row, as it is. */
  former: (orgId: string, name: string) => `outgoing_webhook.sealed:${orgId}/${name}`,
  headers: (orgId: string, name: string) => `outgoing_webhook.headers:${orgId}/${name}`,
  verifyToken: (orgId: string, name: string) => `outgoing_webhook.verify_token:${orgId}/${name}`,
}

const column = (name: string, context: (orgId: string, name: string) => string): EncryptedColumn => ({
  table: 'outgoing_webhook',
  key: ['org_id', 'name'],
  column: name,
  contextOf: context,
})

export const sealedWebhookColumns: readonly EncryptedColumn[] = [
  column('sealed', sealContexts.secret),
  column('former_sealed', sealContexts.former),
  column('headers', sealContexts.headers),
  column('verify_token', sealContexts.verifyToken),
]

type Encrypts = Pick<Vault, 'encrypt'>
type Decrypts = Pick<Vault, 'decrypt'>

/** The secrets that sign now. @throws if one cannot be decrypted */
export function webhookSecrets(vault: Decrypts, orgId: string, { name, sealed, former }: StoredWebhook, now: string) {
  const secret = vault.decrypt(sealed, sealContexts.secret(orgId, name))
  return former && former.until > now
    ? [secret, vault.decrypt(former.sealed, sealContexts.former(orgId, name))]
    : [secret]
}

/** @throws if they cannot be decrypted */
export const headersOf = (
  vault: Decrypts,
  orgId: string,
  { name, headers }: Pick<StoredWebhook, 'name' | 'headers'>,
): Record<string, string> =>
  headers === null ? {} : JSON.parse(vault.decrypt(headers, sealContexts.headers(orgId, name)))

/** @throws if it cannot be decrypted */
export const verifyTokenOf = (
  vault: Decrypts,
  orgId: string,
  { name, verifyToken }: Pick<StoredWebhook, 'name' | 'verifyToken'>,
): string => (verifyToken === null ? '' : vault.decrypt(verifyToken, sealContexts.verifyToken(orgId, name)))

/** Null: no headers. @throws InvalidInput naming a header that may not be set */
export function sealHeaders(
  vault: Encrypts,
  orgId: string,
  name: string,
  given: Readonly<Record<string, string>>,
): string | null {
  const headers = readHeaders(given)
  return Object.keys(headers).length ? vault.encrypt(JSON.stringify(headers), sealContexts.headers(orgId, name)) : null
}

export const sealToken = (vault: Encrypts, orgId: string, name: string, token: string | null): string | null =>
  token === null ? null : vault.encrypt(token, sealContexts.verifyToken(orgId, name))
