import type { ServiceOf } from '#shared/contract.ts'
import type { EventActor } from '#shared/events/actor.ts'
import type { DomainEvent } from '#shared/events/domain.ts'
import type { Language } from '#shared/language.ts'
import type { Connection, ConnectionStatus, numbersApi } from '#shared/numbers.ts'
import { displayPhone } from '#shared/phone-display.ts'
import type { OrgCaller } from '../actor.ts'
import { type Clock, isoNow } from '../clock.ts'
import type { Databases, Db } from '../db.ts'
import { actorOf, vendorActor } from '../events/actors.ts'
import type { OrgWrite, Writes } from '../events/writes.ts'
import type { Log } from '../log.ts'
import { randomToken } from '../random.ts'
import type { Vault } from '../secrets.ts'
import type { WebhookItem } from '../whatsapp/inbound.ts'
import type { WhatsAppNumber } from '../whatsapp/provider.ts'
import { numbersErrors } from './errors.ts'
import { type ConnectionFacts, createKeyring, type OpenConnection } from './keyring.ts'
import { refusal } from './refusals.ts'
import {
  deleteConnection,
  findConnection,
  findConnectionBy,
  putConnection,
  type StoredConnection,
  setConnectionStatus,
  touchConnection,
} from './store.ts'
import { unreadableKeys, unusableNumber } from './unusable-number.ts'

/** What the client needs to know of a number to speak with Graph for it. */
export interface ClientFacts {
  kind: 'cloud' | 'sandbox'
  phoneNumberId: string
  wabaId: string
  accessToken: string
  appSecret: string
}

export interface ProvisionedNumber {
  phoneNumberId: string
  wabaId: string
  phone: string
  verifiedName: string
  accessToken: string
  appSecret: string
  verifyToken: string
}

type NewNumber = Omit<ProvisionedNumber, 'verifyToken' | 'verifiedName'> & {
  verifyToken?: string
  verifiedName: string | null
}

export interface NumbersParts {
  databases: Databases
  clock: Clock
  ids: (at?: number) => string
  log: Log
  vault: Vault
  writes: Pick<Writes, 'run'>
  /** The Cloud API client on Meta's address or on the simulator's, whichever the kind says. */
  clientFor(facts: ClientFacts): WhatsAppNumber
  /** The simulator; undefined when it is switched off. */
  sandbox:
    | {
        provision(trx: Db, orgId: string): Promise<ProvisionedNumber>
        bind(orgId: string, connectionId: string): Promise<void>
      }
    | undefined
  /** Gives up what still waits to be sent through the number that goes. */
  failQueued(write: OrgWrite): Promise<void>
  /** The sentence for a code of failure, in the reader's language. */
  sayFailure(code: string, language: Language): string
}

export interface NumberClient {
  number: WhatsAppNumber
  connection: ConnectionFacts
}

export interface Numbers extends ServiceOf<typeof numbersApi, OrgCaller> {
  /**
   * The organization's number ready to use; undefined when none is connected. One whose secrets do not open is given,
   * too: waiting to be connected again, refusing every call.
   */
  clientOf(orgId: string): Promise<NumberClient | undefined>
  /** For webhooks: keys open, from memory. Undefined also when they do not open, so that Meta tries again. */
  findByConnectionId(id: string): Promise<OpenConnection | undefined>
  /** Connections changed past this room: what is in memory of them is asked again. */
  forget(): void
  routeOf(item: WebhookItem, connectionId: string | null): Promise<string | undefined>
  touchWebhook(trx: Db, connectionId: string, at: string): Promise<void>
  /** Meta refused the token: nothing is sent until it is replaced; owners and admins are told, once. */
  markReauthorise(orgId: string, reason: string): Promise<void>
  /** Meta blocked the account (reason: its code). Sending is still tried, and the first success lifts it. */
  markBlocked(orgId: string, reason: string): Promise<void>
  markWorking(orgId: string): Promise<void>
}

/**
 * The organization's WhatsApp number: connecting it only after Graph has accepted the token, keeping its secrets
 * sealed, letting it go. Emits `connection.changed`.
 */
export function createNumbers(parts: NumbersParts): Numbers {
  const { databases, clock, ids, log, writes, sandbox } = parts
  const keyring = createKeyring(parts)
  const clients = new Map<string, { updatedAt: string; number: WhatsAppNumber }>()

  const forget = () => {
    keyring.forget()
    clients.clear()
  }

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
    status: connection.status,
    statusReason: connection.statusReason && parts.sayFailure(connection.statusReason, language),
    lastWebhookAt: connection.lastWebhookAt,
    createdAt: connection.createdAt,
  })

  /** What is in memory of a number is asked again after every try to change it. */
  const change = <T>(orgId: string, by: EventActor, work: (write: OrgWrite) => Promise<T>): Promise<T> =>
    writes.run(orgId, by, work).finally(forget)

  const changed = (
    status: ConnectionStatus | null,
    phone: string | null,
    reason: string | null = null,
  ): DomainEvent => ({
    type: 'connection.changed',
    data: { status, phone, reason },
  })

  const ask = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      throw refusal(error) ?? error
    }
  }

  /** Writes a number over whatever the organization had; what waits for another number is given up. */
  const store = async (write: OrgWrite, next: NewNumber, kind: 'cloud' | 'sandbox') => {
    const { db, orgId } = write
    const holder = await findConnectionBy(db, { phoneNumberId: next.phoneNumberId })
    if (holder && holder.orgId !== orgId) throw numbersErrors.TAKEN()
    const old = await findConnection(db, orgId)
    if (kind === 'sandbox' && old?.kind === 'cloud') throw numbersErrors.CLOUD_CONNECTED()
    if (old && old.phoneNumberId !== next.phoneNumberId) await parts.failQueued(write)
    const id = old?.id ?? ids()
    const now = isoNow(clock)
    // Meta already knows the old token of a real number; a new one would break its webhook.
    const verifyToken =
      next.verifyToken ?? (old?.kind === 'cloud' ? keyring.open(old)?.verifyToken : undefined) ?? randomToken(24)
    const stored: StoredConnection = {
      id,
      orgId,
      kind,
      phoneNumberId: next.phoneNumberId,
      wabaId: next.wabaId,
      phone: next.phone,
      verifiedName: next.verifiedName,
      sealed: keyring.seal(id, { accessToken: next.accessToken, appSecret: next.appSecret, verifyToken }),
      status: 'connected',
      statusReason: null,
      lastWebhookAt: old?.lastWebhookAt ?? null,
      createdAt: old?.createdAt ?? now,
      updatedAt: laterThan(old?.updatedAt, now),
    }
    await putConnection(db, orgId, stored)
    write.emit(changed('connected', stored.phone))
    return { ...stored, verifyToken }
  }

  const setStatus = async (orgId: string, status: ConnectionStatus, reason: string | null) => {
    const known = await findConnection(databases.read, orgId)
    if (!known || known.status === status) return
    await change(orgId, vendorActor, async ({ db, emit }) => {
      if (!(await setConnectionStatus(db, orgId, status, reason))) return
      log.warn({ orgId, status, reason }, 'the state of a WhatsApp connection changed')
      emit(changed(status, known.phone, reason))
    })
  }

  /** A connection whose secrets do not open waits to be connected again; one whose secrets open again is used again. */
  const noteReadable = async (facts: ConnectionFacts, isReadable: boolean): Promise<ConnectionFacts> => {
    const { orgId, status, statusReason } = facts
    if (!isReadable && status !== 'reauthorise') await setStatus(orgId, 'reauthorise', unreadableKeys)
    if (!isReadable) return { ...facts, status: 'reauthorise', statusReason: unreadableKeys }
    if (status !== 'reauthorise' || statusReason !== unreadableKeys) return facts
    await setStatus(orgId, 'connected', null)
    return { ...facts, status: 'connected', statusReason: null }
  }

  return {
    async connect(member, { body }) {
      const number = parts.clientFor({ kind: 'cloud', ...body })
      const facts = await ask(number.check())
      await ask(number.subscribe())
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

    async getConnection(member) {
      const known = await findConnection(databases.read, member.orgId)
      if (!known) throw numbersErrors.NOT_CONNECTED()
      const opened = keyring.open(known)
      const facts = await noteReadable(known, opened !== undefined)
      return present({ ...facts, verifyToken: opened?.verifyToken ?? '' }, member.language)
    },

    async disconnect(member) {
      await change(member.orgId, actorOf(member), async write => {
        await parts.failQueued(write)
        if (!(await deleteConnection(write.db, member.orgId))) throw numbersErrors.NOT_CONNECTED()
        write.emit(changed(null, null))
      })
      log.info({ orgId: member.orgId }, 'the WhatsApp number is disconnected')
      return { success: true }
    },

    async getWaba(member) {
      const known = await findConnection(databases.read, member.orgId)
      if (!known) return { phone: null, displayPhone: '', verifiedName: null, kind: null, status: null }
      const { phone, verifiedName, kind, status } = known
      return { phone, displayPhone: displayPhone(phone), verifiedName, kind, status }
    },

    async clientOf(orgId) {
      const stored = await findConnection(databases.read, orgId)
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
      if (!target || connectionId === null || target.facts.id === connectionId) return target?.facts.orgId
      const via = await keyring.find({ id: connectionId })
      if (via && !item.phoneNumberId && via.facts.wabaId === item.wabaId) return via.facts.orgId
      if (!via?.opened || !target.opened) return undefined
      return via.opened.appSecret === target.opened.appSecret ? target.facts.orgId : undefined
    },

    forget,
    touchWebhook: touchConnection,
    markReauthorise: (orgId, reason) => setStatus(orgId, 'reauthorise', reason),
    markBlocked: (orgId, reason) => setStatus(orgId, 'blocked', reason),
    markWorking: orgId => setStatus(orgId, 'connected', null),
  }
}

/** `updated_at` tells versions of the secrets apart, so two within a millisecond must differ. */
const laterThan = (old: string | undefined, now: string): string =>
  old && old >= now ? new Date(Date.parse(old) + 1).toISOString() : now
