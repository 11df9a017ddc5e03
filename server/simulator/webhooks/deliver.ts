import type { SandboxNumber } from '../numbers/number-store.ts'
import { type SandboxParts, secretContext } from '../parts.ts'
import { signatureOf } from './serialize.ts'

type DeliverParts = Pick<SandboxParts, 'log' | 'vault' | 'deliver'>

/**
 * Delivers a webhook: exactly these bytes, signed with the receiving app's secret. Returns the HTTP status; 0: no
 * answer.
 */
export async function deliverOnce(parts: DeliverParts, number: SandboxNumber, body: string): Promise<number> {
  const bytes = Buffer.from(body)
  const headers = {
    'content-type': 'application/json',
    accept: '*/*',
    'user-agent': 'facebookexternalua',
    'x-hub-signature-256': signatureOf(
      bytes,
      parts.vault.decrypt(number.appSecretSealed, secretContext(number.phoneNumberId)),
    ),
  }
  try {
    const own = number.connectionId === null ? '' : `/${number.connectionId}`
    return await parts.deliver(`/webhooks/whatsapp${own}`, bytes, headers)
  } catch (error) {
    parts.log.warn({ err: error, orgId: number.orgId }, 'a simulated webhook could not be delivered')
    return 0
  }
}
