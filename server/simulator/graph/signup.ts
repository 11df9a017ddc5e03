import { randomToken } from '#server/platform/crypto/random.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { asText, type Json } from '#server/whatsapp/scalars.ts'
import { GraphError } from '#server/whatsapp/serving/graph-error.ts'
import { sandboxErrors } from '../errors.ts'
import { newAccessToken, newAppSecret, tokenHash } from '../ids.ts'
import { newNumber } from '../numbers/new-number.ts'
import { findNumber, insertNumber, setSignupCode, takeSignupCode } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts, secretContext } from '../parts.ts'
import type { Write } from '../write-queue.ts'

/** The lifetime of a code, as at Meta. @see Meta, "Embedded Signup › Onboarding customers" */
const codeMs = 30_000

/** The code contains its organization, so that only that row is compared. */
const codeOf = (orgId: string) => `AQ${orgId}.${randomToken(48)}`
const orgOf = (code: string) => /^AQ([^.]+)\./.exec(code)?.[1]

/**
 * Lets an organization share its simulated account with the installation's app: the number it had, or a new one.
 * @throws SANDBOX_SIGNUP_OFF (409) if the app is at Meta, or is another one
 */
export async function signUp(
  parts: Pick<SandboxParts, 'databases' | 'clock' | 'vault' | 'app'>,
  orgId: string,
  appId: string,
) {
  if (parts.app?.appId !== appId) throw sandboxErrors.SIGNUP_OFF()
  const code = codeOf(orgId)
  return inTransaction(parts.databases, async trx => {
    let number: Awaited<ReturnType<typeof newNumber>> | undefined = await findNumber(trx, orgId)
    if (!number) {
      number = await newNumber(trx)
      // These secrets are never returned; exchanging the code sets new ones.
      const appSecretSealed = parts.vault.encrypt(newAppSecret(), secretContext(number.phoneNumberId))
      await insertNumber(trx, orgId, { ...number, tokenHash: tokenHash(newAccessToken()), appSecretSealed })
    }
    await setSignupCode(trx, orgId, { hash: tokenHash(code), ms: nowMs(parts.clock) })
    return { code, phoneNumberId: number.phoneNumberId, wabaId: number.wabaId }
  })
}

/** Accepts only the app token of the installation's own app. */
export const isAppToken = ({ app }: Pick<SandboxParts, 'app'>, token: string | undefined): boolean =>
  app !== undefined && token === `${app.appId}|${app.appSecret}`

/** `GET oauth/access_token`: exchanges the page's code for a token of the business. @throws GraphError like Meta */
export async function exchangeCode(
  parts: Pick<SandboxParts, 'databases' | 'clock' | 'vault' | 'app'> & { write: Write },
  query: Json,
): Promise<Json> {
  const [appId, secret, code = ''] = [asText(query.client_id), asText(query.client_secret), asText(query.code)]
  const { app } = parts
  if (!app || appId !== app.appId || secret !== app.appSecret)
    throw new GraphError({ code: 1, status: 400, message: 'Error validating client secret.' })
  const orgId = orgOf(code)
  const accessToken = newAccessToken()
  const isTaken =
    orgId !== undefined &&
    (await parts.write(async trx => {
      const number = await findNumber(trx, orgId)
      if (!number) return false
      return takeSignupCode(
        trx,
        orgId,
        { hash: tokenHash(code), sinceMs: nowMs(parts.clock) - codeMs },
        {
          tokenHash: tokenHash(accessToken),
          appSecretSealed: parts.vault.encrypt(app.appSecret, secretContext(number.phoneNumberId)),
        },
      )
    }))
  if (!isTaken)
    throw new GraphError({ code: 100, subcode: 36009, message: 'This authorization code has been used.', status: 400 })
  return { access_token: accessToken, token_type: 'bearer' }
}
