import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { EmbeddedSignup, NumberRegistrar } from '#server/whatsapp/management/registration.ts'
import type { WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { type Connection, maxNumbers, type numbersApi } from '#shared/numbers/api.ts'
import { whichOf } from './chosen-number.ts'
import type { ClientFacts } from './client-facts.ts'
import { createAdding } from './connecting/adding.ts'
import { createChanging } from './connecting/changing.ts'
import { createConnections, type ProvisionedNumber } from './connecting/connections.ts'
import { numbersErrors } from './errors.ts'
import { type ConnectionFacts, createKeyring, type OpenConnection } from './keyring.ts'
import { asked } from './refusals.ts'
import { routeOf, type WebhookRoute } from './routing.ts'
import { findConnection, listConnections, listShownNumbers, type StoredConnection, touchConnection } from './store.ts'
import { unreadableKeys, unusableNumber } from './unusable-number.ts'

export interface NumbersParts {
  databases: Databases
  clock: Clock
  ids: (at?: number) => string
  log: Log
  vault: Vault
  writes: Pick<Writes, 'run'>
  /** The Cloud API client, for Meta or for the simulator. */
  clientFor(facts: ClientFacts): WhatsAppNumber
  /** The client that registers an account's numbers, at Meta or at the simulator. */
  registrarFor(facts: Omit<ClientFacts, 'phoneNumberId'>): NumberRegistrar
  /** Undefined: the installation has no Meta app of its own. */
  signup: (EmbeddedSignup & { appSecret: string; verifyToken: string }) | undefined
  /** The digits of a typed number; undefined: not a number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
  /** The simulator; undefined if it is off. */
  sandbox:
    | {
        provision(trx: Db, orgId: string): Promise<ProvisionedNumber>
        bind(orgId: string, connectionId: string): Promise<void>
      }
    | undefined
  /** Fails the messages that are still queued for a number that is disconnected. */
  failQueued(write: OrgWrite, connectionId: string): Promise<void>
  /** The text for an error code, in the reader's language. */
  failureText(code: string, language: Language): string
}

export interface NumberClient {
  number: WhatsAppNumber
  connection: ConnectionFacts
}

export interface Numbers extends ServiceOf<typeof numbersApi, OrgCaller> {
  /**
   * A number of the organization, by default the first; undefined: not connected. A number whose secrets cannot be
   * decrypted is returned too, and refuses every call.
   */
  findClient(orgId: string, connectionId?: string): Promise<NumberClient | undefined>
  /**
   * The connection of a webhook, cached and decrypted. Also undefined if the secrets cannot be decrypted, so that Meta
   * tries again.
   */
  findByConnectionId(id: string): Promise<OpenConnection | undefined>
  /** Drops the cache, after other code changed connections. */
  forget(): void
  /** The organization and number that a webhook item belongs to; undefined: none here. */
  routeOf(
    item: Pick<WebhookItem, 'phoneNumberId' | 'wabaId'>,
    connectionId: string | null,
  ): Promise<WebhookRoute | undefined>
  touchWebhook(trx: Db, connectionId: string, at: string): Promise<void>
  /** Meta refused the token. Nothing is sent until it is replaced; owners and admins are notified once. */
  markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
  /** Meta blocked the account (`reason`: its code). Sends are still tried, and the first success clears the status. */
  markBlocked(orgId: string, connectionId: string, reason: string): Promise<void>
  markWorking(orgId: string, connectionId: string): Promise<void>
}

/**
 * An organization's WhatsApp numbers: connects one only after Graph accepted the token, stores its secrets encrypted,
 * disconnects it. The simulator's number is never connected beside a real one, which replaces it. Emits
 * `connection.changed`.
 */
export function createNumbers(parts: NumbersParts): Numbers {
  const { databases, log, sandbox } = parts
  const keyring = createKeyring(parts)
  const clients = new Map<string, { updatedAt: string; number: WhatsAppNumber }>()

  const forget = () => {
    keyring.forget()
    clients.clear()
  }

  const connections = createConnections({ ...parts, keyring, forget })
  const { change, store, setStatus, updateReadableStatus } = connections

  const present = (connection: ConnectionFacts & { verifyToken: string }, language: Language): Connection => ({
    id: connection.id,
    kind: connection.kind,
    webhookPath: `/webhooks/whatsapp/${connection.id}`,
    verifyToken: connection.verifyToken,
    phone: connection.phone,
    displayPhone: displayPhone(connection.phone),
    phoneNumberId: connection.phoneNumberId,
    wabaId: connection.wabaId,
    verifiedName: connection.verifiedName,
    label: connection.label,
    status: connection.status,
    statusReason: connection.statusReason && parts.failureText(connection.statusReason, language),
    lastWebhookAt: connection.lastWebhookAt,
    createdAt: connection.createdAt,
  })

  const presentStored = async (known: StoredConnection, language: Language): Promise<Connection> => {
    const opened = keyring.open(known)
    const facts = await updateReadableStatus(known, opened !== undefined)
    return present({ ...facts, verifyToken: opened?.verifyToken ?? '' }, language)
  }

  const adding = createAdding({
    ...parts,
    keyring,
    connections,
    present: (member, stored) => presentStored(stored, member.language),
  })

  return {
    ...adding,
    ...createChanging({ connections, log, presentStored }),

    async connect(member, { body }) {
      const number = parts.clientFor({ kind: 'cloud', ...body })
      const facts = await asked(number.check())
      await asked(number.subscribe())
      const connection = await change(member.orgId, actorOf(member), write =>
        store(write, { ...body, ...facts }, 'cloud'),
      )
      log.info(
        { orgId: member.orgId, connectionId: connection.id, phoneNumberId: connection.phoneNumberId },
        'a WhatsApp number is connected',
      )
      return present(connection, member.language)
    },

    async connectSandbox(member) {
      if (!sandbox) throw numbersErrors.SANDBOX_OFF()
      const { orgId } = member
      const known = await findConnection(databases.read, orgId)
      if (known?.kind === 'cloud') throw numbersErrors.CLOUD_CONNECTED()
      const opened = known && keyring.open(known)
      if (opened?.status === 'connected') {
        await sandbox.bind(orgId, opened.id)
        return present(opened, member.language)
      }
      const connection = await change(orgId, actorOf(member), async write =>
        store(write, await sandbox.provision(write.db, orgId), 'sandbox'),
      )
      await sandbox.bind(orgId, connection.id)
      log.info({ orgId, connectionId: connection.id }, 'the simulator is connected')
      return present(connection, member.language)
    },

    async getConnection(member, { query }) {
      const known = whichOf(await listConnections(databases.read, member.orgId), query)
      if (!known) throw numbersErrors.NOT_CONNECTED()
      return presentStored(known, member.language)
    },

    async listConnections(member) {
      const items: Connection[] = []
      for (const known of await listConnections(databases.read, member.orgId))
        items.push(await presentStored(known, member.language))
      return { items, page: 1, pageSize: maxNumbers, hasMore: false }
    },

    async getWaba(member) {
      const known = await findConnection(databases.read, member.orgId)
      const several = await listShownNumbers(databases.read, member.orgId)
      const numbers = several.map(row => ({
        id: row.id,
        phone: row.phone,
        displayPhone: displayPhone(row.phone),
        verifiedName: row.verified_name,
        label: row.label,
        status: row.disconnected_at === null ? row.status : null,
      }))
      return {
        phone: known?.phone ?? null,
        displayPhone: known ? displayPhone(known.phone) : '',
        verifiedName: known?.verifiedName ?? null,
        kind: known?.kind ?? null,
        status: known?.status ?? null,
        ...(numbers.length > 1 ? { numbers } : {}),
      }
    },

    async findClient(orgId, connectionId) {
      const stored = await findConnection(databases.read, orgId, connectionId)
      if (!stored) return undefined
      const opened = keyring.open(stored)
      const connection = await updateReadableStatus(stored, opened !== undefined)
      if (!opened) return { number: unusableNumber(unreadableKeys), connection }
      const known = clients.get(connection.id)
      if (known?.updatedAt === connection.updatedAt) return { number: known.number, connection }
      const number = parts.clientFor(opened)
      clients.set(connection.id, { updatedAt: connection.updatedAt, number })
      return { number, connection }
    },

    async findByConnectionId(id) {
      const known = await keyring.find({ id })
      if (known) await updateReadableStatus(known.facts, known.opened !== undefined)
      return known?.opened
    },

    routeOf: (item, connectionId) => routeOf(keyring, item, connectionId),
    forget,
    touchWebhook: touchConnection,
    markReauthorise: (orgId, connectionId, reason) => setStatus(orgId, connectionId, 'reauthorise', reason),
    markBlocked: (orgId, connectionId, reason) => setStatus(orgId, connectionId, 'blocked', reason),
    markWorking: (orgId, connectionId) => setStatus(orgId, connectionId, 'connected', null),
  }
}
