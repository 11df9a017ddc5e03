import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import { linesOfSecret } from '#server/platform/crypto/installation-secret.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { type Finding, ill, messageOf, type Verdict, well } from './finding.ts'

/** The current secret and the earlier ones; empty: there is none. */
export const serverSecrets = ({ authSecret, previousSecrets, dataDir }: Config): string[] => {
  const path = join(dataDir, 'secret')
  if (authSecret !== undefined) return [authSecret, ...previousSecrets]
  return existsSync(path) ? linesOfSecret(readFileSync(path, 'utf8')) : []
}

const checkTimeoutMs = 10_000

/** Vital fields of webhooks that the number's app is not subscribed to. */
const unseenFields = async (
  keys: { accessToken: string; appSecret: string; phoneNumberId: string; wabaId: string },
  { graph }: Config,
): Promise<string[]> => {
  const { createStandingReader } = await import('#server/whatsapp/management/standing.ts')
  const { wantedFields } = await import('#server/wiring.ts')
  const reader = createStandingReader({
    ...keys,
    baseUrl: graph.url,
    version: graph.version,
    timeoutMs: checkTimeoutMs,
  })
  const { appId } = await reader.token()
  const webhook = appId === null ? null : await reader.appWebhook(appId)
  return wantedFields.vital.filter(field => !webhook?.fields.includes(field))
}

/** Checks each number: its secrets can be decrypted, the simulator is on, Meta accepts the token. */
export async function* examineNumbers(config: Config, databases: Databases, clock: Clock): AsyncGenerator<Finding> {
  const rows = await databases.read
    .selectFrom('wa_connection')
    .innerJoin('organization', 'organization.id', 'wa_connection.org_id')
    .select(['wa_connection.id', 'kind', 'phone', 'status', 'status_reason', 'organization.slug'])
    .where('disconnected_at', 'is', null)
    .orderBy('organization.slug')
    .limit(50)
    .execute()
  if (!rows.length) yield { name: 'WhatsApp', ...well('no number is connected yet') }
  const { createVault } = await import('#server/platform/crypto/secrets.ts')
  const { createKeyring } = await import('#server/identity/numbers/keyring.ts')
  const { createCloudNumber } = await import('#server/whatsapp/cloud.ts')
  const [secret, ...previous] = serverSecrets(config)
  const keyring = secret ? createKeyring({ databases, clock, vault: createVault(secret, previous) }) : undefined
  const examine = async ({
    id,
    kind,
    phone,
    status,
    status_reason: reason,
    slug,
  }: (typeof rows)[number]): Promise<Verdict> => {
    const reconnect = `connect the number again at /org/${slug}`
    try {
      const connection = (await keyring?.find({ id }))?.opened
      if (!connection)
        return ill(
          'the secret that its tokens are encrypted with is missing or has changed',
          `restore DATA_DIR/secret or AUTH_SECRET, or ${reconnect}`,
        )
      if (kind === 'sandbox')
        return config.sandbox
          ? well(`${phone}, simulated`)
          : ill('connected to the simulator, which is off', 'SANDBOX=on npm start')
      const { accessToken, appSecret, phoneNumberId, wabaId } = connection
      const number = createCloudNumber({
        baseUrl: config.graph.url,
        version: config.graph.version,
        phoneNumberId,
        wabaId,
        accessToken,
        appSecret,
        timeoutMs: checkTimeoutMs,
      })
      await number.check()
      const unseen = await unseenFields({ accessToken, appSecret, phoneNumberId, wabaId }, config)
      if (unseen.length)
        return ill(
          `${phone}: its app is not subscribed to ${unseen.join(', ')}, so what happens there is not seen`,
          'subscribe to these fields in Meta: your app › WhatsApp › Configuration › Webhook fields',
        )
      return status === 'connected'
        ? well(`${phone}, token accepted`)
        : ill(`${phone}: ${status} ${reason ?? ''}`.trim(), reconnect)
    } catch (error) {
      return ill(`${phone}: ${messageOf(error)}`, reconnect)
    }
  }
  for (const row of rows) yield { name: `WhatsApp ${row.slug}`, ...(await examine(row)) }
}
