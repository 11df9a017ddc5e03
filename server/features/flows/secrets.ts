import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { type FlowSecret, type flowSecretsApi, maxFlowSecrets } from '#shared/flows/http/secrets.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from './errors.ts'
import { deleteSecret, hasSecrets, listSecrets, listSecretUses, type StoredSecret, saveSecret } from './secret-store.ts'

interface SecretParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly vault: Vault
  readonly writes: Pick<Writes, 'run'>
  readonly outbound: Pick<Outbound, 'mayCall'>
}

/** Flow addresses, which are encrypted with the installation's secret too, do not count: they can be replaced. */
export const keepsSecrets = (db: Db): Promise<boolean> => hasSecrets(db)

/** The encryption is bound to row and host: copied elsewhere it cannot be decrypted. */
const contextOf = (orgId: string, { name, host }: Pick<StoredSecret, 'name' | 'host'>) =>
  `flow_secret.sealed:${orgId}/${name}/${host}`

export const sealedFlowSecrets: EncryptedColumn = {
  table: 'flow_secret',
  key: ['org_id', 'name', 'host'],
  column: 'sealed',
  contextOf: (orgId = '', name = '', host = '') => contextOf(orgId, { name, host }),
}

/** The host in the form of URLs. @throws InvalidInput for a host that may not be called */
const hostIn = (typed: string, { mayCall }: Pick<Outbound, 'mayCall'>): string => {
  const address = `https://${typed.trim()}/`
  if (!mayCall(address) || new URL(address).pathname !== '/' || new URL(address).search)
    throw new InvalidInput([{ field: 'body.host', code: 'invalid', params: {} }])
  return new URL(address).hostname
}

/** Secrets that steps use to call services: stored encrypted, decrypted only for requests. */
export function createFlowSecrets({ databases, clock, vault, writes, outbound }: SecretParts) {
  const present = async (db: Db, orgId: string, secrets: readonly StoredSecret[]): Promise<FlowSecret[]> => {
    const uses = await listSecretUses(db, orgId)
    return secrets.map(({ name, host, changedAt, changedBy }) => ({
      name,
      host,
      changedAt,
      changedBy,
      usedBy: uses.flatMap(({ flowId, name: flow, drawn, published }) =>
        drawn.includes(name) || published.includes(name)
          ? [{ flowId, name: flow, isPublished: published.includes(name) }]
          : [],
      ),
    }))
  }
  const presentOne = async ({ db, orgId }: OrgWrite, secret: StoredSecret): Promise<FlowSecret> => {
    const [shown] = await present(db, orgId, [secret])
    return shown as FlowSecret
  }
  const secretOf = (
    orgId: string,
    { name, value, ...typed }: { name: string; host: string; value: string },
    changedBy: string,
  ): StoredSecret => {
    const host = hostIn(typed.host, outbound)
    const sealed = vault.encrypt(value, contextOf(orgId, { name, host }))
    return { name, host, sealed, changedAt: isoNow(clock), changedBy }
  }

  const service: ServiceOf<typeof flowSecretsApi, OrgCaller> = {
    async listSecrets({ orgId }) {
      return { items: await present(databases.read, orgId, await listSecrets(databases.read, orgId)) }
    },

    createSecret: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const known = await listSecrets(db, orgId)
        if (known.some(({ name }) => name === body.name))
          throw flowErrors.SECRET_TAKEN({ fields: ['body.name'], params: { name: body.name } })
        if (known.length >= maxFlowSecrets) throw flowErrors.TOO_MANY_SECRETS({ params: { limit: maxFlowSecrets } })
        const secret = secretOf(orgId, body, caller.name)
        await saveSecret(db, orgId, secret)
        return presentOne(write, secret)
      }),

    replaceSecret: (caller, { params: { name }, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        if (!(await listSecrets(db, orgId)).some(one => one.name === name)) throw flowErrors.SECRET_NOT_FOUND()
        const secret = secretOf(orgId, { name, ...body }, caller.name)
        await saveSecret(db, orgId, secret)
        return presentOne(write, secret)
      }),

    deleteSecret: (caller, { params: { name } }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        if (!(await listSecrets(db, orgId)).some(one => one.name === name)) throw flowErrors.SECRET_NOT_FOUND()
        const uses = await listSecretUses(db, orgId)
        const user = uses.find(({ published }) => published.includes(name))
        if (user) throw flowErrors.SECRET_IN_USE({ params: { name: user.name } })
        await deleteSecret(db, orgId, name)
        return { success: true }
      }),
  }

  return {
    service,
    /** The secrets a flow may use; undefined if it makes no calls. */
    async listFor(db: Db, orgId: string, { nodes }: FlowGraph) {
      if (!nodes.some(({ type }) => type === 'http')) return undefined
      return (await listSecrets(db, orgId)).map(({ name, host }) => ({ name, host }))
    },
    /** Decrypts the secrets for one host; undefined if one is missing, is for another host, or cannot be decrypted. */
    async open(
      orgId: string,
      names: readonly string[],
      host: string,
    ): Promise<ReadonlyMap<string, string> | undefined> {
      if (!names.length) return new Map()
      const known = await listSecrets(databases.read, orgId)
      const opened = new Map<string, string>()
      for (const name of names) {
        const secret = known.find(one => one.name === name)
        if (secret?.host !== host) return undefined
        try {
          opened.set(name, vault.decrypt(secret.sealed, contextOf(orgId, secret)))
        } catch {
          return undefined
        }
      }
      return opened
    },
  }
}
export type FlowSecrets = ReturnType<typeof createFlowSecrets>
