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
import type { WebhookItem } from '#server/whatsapp/inbound.ts'
import type { WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { EmbeddedSignup, NumberRegistrar } from '#server/whatsapp/registration.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { type Connection, maxNumbers, type numbersApi } from '#shared/numbers/api.ts'
import { createAdding } from './adding.ts'
import { oneOf, whichOf } from './chosen-number.ts'
import type { ClientFacts } from './client-facts.ts'
import { connectionChanged, connectionRead, createConnections, type ProvisionedNumber } from './connections.ts'
import { numbersErrors } from './errors.ts'
import { type ConnectionFacts, createKeyring, type OpenConnection } from './keyring.ts'
import { asked } from './refusals.ts'
import {
  findConnection,
  listConnections,
  listShownNumbers,
  noteNumbers,
  type StoredConnection,
  setLabel,
  setPlaces,
  touchConnection,
} from './store.ts'
import { unreadableKeys, unusableNumber } from './unusable-number.ts'

export interface NumbersParts {
  databases: Databases
  clock: Clock
  ids: (at?: number) => string
  log: Log
  vault: Vault
  writes: Pick<Writes, 'run'>
  /** The Cloud API client on Meta's address or on the simulator's, whichever the kind says. */
  clientFor(facts: ClientFacts): WhatsAppNumber
  /** The same for what an account's numbers need before they can be used. */
  registrarFor(facts: Omit<ClientFacts, 'phoneNumberId'>): NumberRegistrar
  /** Undefined: the installation has no app of its own at Meta. */
  signup: (EmbeddedSignup & { appSecret: string; verifyToken: string }) | undefined
  /** Digits of what somebody typed; undefined: no number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
  /** The simulator; undefined when it is switched off. */
  sandbox:
    | {
        provision(trx: Db, orgId: string): Promise<ProvisionedNumber>
        bind(orgId: string, connectionId: string): Promise<void>
      }
    | undefined
  /** Gives up what still waits to be sent through a number that goes. */
  failQueued(write: OrgWrite, connectionId: string): Promise<void>
  /** The sentence for a code of failure, in the reader's language. */
  sayFailure(code: string, language: Language): string
}

export interface NumberClient {
  number: WhatsAppNumber
  connection: ConnectionFacts
}

export interface WebhookRoute {
  readonly orgId: string
  readonly connectionId: string
}

export interface Numbers extends ServiceOf<typeof numbersApi, OrgCaller> {
  /**
   * A number of the organization ready to use, its first one unless said; undefined when it is not connected. One whose
   * secrets do not open is given, too: waiting to be connected again, refusing every call.
   */
  clientOf(orgId: string, connectionId?: string): Promise<NumberClient | undefined>
  /** For webhooks: keys open, from memory. Undefined also when they do not open, so that Meta tries again. */
  findByConnectionId(id: string): Promise<OpenConnection | undefined>
  /** Connections changed past this room: what is in memory of them is asked again. */
  forget(): void
  /** Whose an item of a webhook is, and of which of its numbers; undefined: nobody's here. */
  routeOf(item: WebhookItem, connectionId: string | null): Promise<WebhookRoute | undefined>
  touchWebhook(trx: Db, connectionId: string, at: string): Promise<void>
  /** Meta refused the token: nothing is sent until it is replaced; owners and admins are told, once. */
  markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
  /** Meta blocked the account (reason: its code). Sending is still tried, and the first success lifts it. */
  markBlocked(orgId: string, connectionId: string, reason: string): Promise<void>
  markWorking(orgId: string, connectionId: string): Promise<void>
}

/**
 * The organization's WhatsApp numbers: connecting one only after Graph has accepted the token, keeping its secrets
 * sealed, letting it go. The simulator's stands alone: a real number that comes takes its place. Emits `connection.changed`.
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
  const { change, store, release, setStatus, noteReadable } = connections

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
    statusReason: connection.statusReason && parts.sayFailure(connection.statusReason, language),
    lastWebhookAt: connection.lastWebhookAt,
    createdAt: connection.createdAt,
  })

  const presentStored = async (known: StoredConnection, language: Language): Promise<Connection> => {
    const opened = keyring.open(known)
    const facts = await noteReadable(known, opened !== undefined)
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

    async rename(member, { query, body }) {
      const label = body.label?.trim() || null
      const renamed = await change(member.orgId, actorOf(member), async write => {
        const known = oneOf(await listConnections(write.db, member.orgId), query)
        if (known.label === label) return known
        await setLabel(write.db, member.orgId, known.id, label)
        write.emit(connectionChanged(known.status, known.phone, known.statusReason))
        return { ...known, label }
      })
      return presentStored(renamed, member.language)
    },

    async orderNumbers(member, { body: { ids } }) {
      const { orgId } = member
      await change(orgId, actorOf(member), async write => {
        const connected = await listConnections(write.db, orgId)
        const [first] = ids.map(id => oneOf(connected, { id }))
        const rest = connected.filter(({ id }) => !ids.includes(id))
        await setPlaces(write.db, orgId, [...ids, ...rest.map(({ id }) => id)])
        if (!first) return
        // Templates are of the first one's account.
        const isNews = first.id !== connected[0]?.id && first.status === 'connected'
        write.emit(isNews ? connectionChanged('connected', first.phone) : connectionRead(first))
      })
      return { success: true }
    },

    async disconnect(member, { query }) {
      const released = await change(member.orgId, actorOf(member), async write => {
        const known = oneOf(await listConnections(write.db, member.orgId), query)
        await release(write, known.id)
        await noteNumbers(write.db, member.orgId)
        write.emit(connectionChanged(null, null))
        return known
      })
      log.info({ orgId: member.orgId, connectionId: released.id }, 'a WhatsApp number is disconnected')
      return { success: true }
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

    async clientOf(orgId, connectionId) {
      const stored = await findConnection(databases.read, orgId, connectionId)
      if (!stored) return undefined
      const opened = keyring.open(stored)
      const connection = await noteReadable(stored, opened !== undefined)
      if (!opened) return { number: unusableNumber(unreadableKeys), connection }
      const known = clients.get(connection.id)
      if (known?.updatedAt === connection.updatedAt) return { number: known.number, connection }
      const number = parts.clientFor(opened)
      clients.set(connection.id, { updatedAt: connection.updatedAt, number })
      return { number, connection }
    },

    async findByConnectionId(id) {
      const known = await keyring.find({ id })
      if (known) await noteReadable(known.facts, known.opened !== undefined)
      return known?.opened
    },

    /**
     * Whose an item is: the number it names decides. One that came through a connection may only be of that
     * connection, or of another one whose app signs with the same secret: else an organization could write into its
     * neighbour with its own keys.
     */
    async routeOf(item, connectionId) {
      const target = await keyring.find(
        item.phoneNumberId ? { phoneNumberId: item.phoneNumberId } : { wabaId: item.wabaId },
      )
      if (!target || connectionId === null || target.facts.id === connectionId) return routeTo(target?.facts)
      const via = await keyring.find({ id: connectionId })
      if (via && !item.phoneNumberId && via.facts.wabaId === item.wabaId) return routeTo(via.facts)
      if (!via?.opened || !target.opened) return undefined
      return via.opened.appSecret === target.opened.appSecret ? routeTo(target.facts) : undefined
    },

    forget,
    touchWebhook: touchConnection,
    markReauthorise: (orgId, connectionId, reason) => setStatus(orgId, connectionId, 'reauthorise', reason),
    markBlocked: (orgId, connectionId, reason) => setStatus(orgId, connectionId, 'blocked', reason),
    markWorking: (orgId, connectionId) => setStatus(orgId, connectionId, 'connected', null),
  }
}

const routeTo = (facts: ConnectionFacts | undefined): WebhookRoute | undefined =>
  facts && { orgId: facts.orgId, connectionId: facts.id }
