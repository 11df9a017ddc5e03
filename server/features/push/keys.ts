import webPush from 'web-push'
import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { deleteKeys, findKeys, insertKeys } from './store.ts'

export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

interface KeysParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly vault: Vault
}

const context = 'push_key.vapid.private_key'

export const sealedPushKeys: EncryptedColumn = {
  table: 'push_key',
  key: ['id'],
  column: 'private_key',
  contextOf: () => context,
}

/** The key pair in the database is encrypted with the installation's secret. */
export const hasOwnKeys = async (db: Db): Promise<boolean> => (await findKeys(db)) !== undefined

/**
 * The key pair that identifies this installation to push services: made once and stored encrypted, so that backups
 * contain it. A pair that cannot be decrypted (the secret was changed) is replaced, and browsers subscribe again.
 */
export async function openKeys({ databases, clock, log, vault }: KeysParts): Promise<VapidKeys> {
  return inTransaction(databases, async trx => {
    const stored = await findKeys(trx)
    if (stored)
      try {
        return { publicKey: stored.publicKey, privateKey: vault.decrypt(stored.privateKey, context) }
      } catch (error) {
        log.warn({ err: error }, 'the push keys cannot be read any more; browsers have to subscribe again')
        await deleteKeys(trx)
      }
    const made = webPush.generateVAPIDKeys()
    await insertKeys(
      trx,
      { publicKey: made.publicKey, privateKey: vault.encrypt(made.privateKey, context) },
      isoNow(clock),
    )
    return made
  })
}
