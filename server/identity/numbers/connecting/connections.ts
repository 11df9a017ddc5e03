import { randomToken } from '#server/platform/crypto/random.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type ConnectionStatus, maxNumbers } from '#shared/numbers/api.ts'
import { numbersErrors } from '../errors.ts'
import type { ConnectionFacts, Keyring } from '../keyring.ts'
import {
  findConnection,
  findConnectionBy,
  findFormerConnection,
  listConnections,
  putConnection,
  releaseConnection,
  type StoredConnection,
  setConnectionStatus,
  updateListedNumbers,
} from '../store.ts'
import { unreadableKeys } from '../unusable-number.ts'

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

interface ConnectionParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly log: Log
  readonly writes: Pick<Writes, 'run'>
  readonly keyring: Keyring
  /** Drops cached connections. */
  forget(): void
  /** Fails the messages that are still queued for a number that is disconnected. */
  failQueued(write: OrgWrite, connectionId: string): Promise<void>
}

export const connectionChanged = (
  status: ConnectionStatus | null,
  phone: string | null,
  reason: string | null = null,
): DomainEvent => ({
  type: 'connection.changed',
  data: { status, phone, reason },
})

export const connectionRead = ({ status, phone }: { status: ConnectionStatus; phone: string }): DomainEvent => ({
  type: 'connection.read',
  data: { status, phone },
})

/** Writes the rows of an organization's numbers: connects and disconnects them, and sets their status. */
export function createConnections(parts: ConnectionParts) {
  const { databases, clock, ids, log, writes, keyring, forget, failQueued } = parts

  /** Drops the cache after each attempted change, even a failed one. */
  const change = <T>(orgId: string, by: EventActor, work: (write: OrgWrite) => Promise<T>): Promise<T> =>
    writes.run(orgId, by, work).finally(forget)

  const release = async (write: OrgWrite, connectionId: string) => {
    await failQueued(write, connectionId)
    await releaseConnection(write.db, write.orgId, connectionId, isoNow(clock))
  }

  /**
   * Stores a number, over the row it had if there is one. A real number replaces the simulator's, whose queued messages
   * fail.
   */
  const store = async (write: OrgWrite, next: NewNumber, kind: 'cloud' | 'sandbox') => {
    const { db, orgId } = write
    const holder = await findConnectionBy(db, { phoneNumberId: next.phoneNumberId })
    if (holder && holder.orgId !== orgId) throw numbersErrors.TAKEN()
    const connected = await listConnections(db, orgId)
    if (kind === 'sandbox' && connected.some(other => other.kind === 'cloud')) throw numbersErrors.CLOUD_CONNECTED()
    const old = await findFormerConnection(db, orgId, { kind, phoneNumberId: next.phoneNumberId })
    if (connected.length >= maxNumbers && !connected.some(other => other.id === old?.id))
      throw numbersErrors.TOO_MANY({ params: { max: maxNumbers } })
    if (kind === 'cloud') for (const other of connected) if (other.kind === 'sandbox') await release(write, other.id)
    const id = old?.id ?? ids()
    const now = isoNow(clock)
    // Meta has the old token of a real number; a new one would break its webhook.
    const verifyToken =
      next.verifyToken ??
      (old?.kind === 'cloud' && old.disconnectedAt === null ? keyring.open(old)?.verifyToken : undefined) ??
      randomToken(24)
    const stored: StoredConnection = {
      id,
      orgId,
      kind,
      phoneNumberId: next.phoneNumberId,
      wabaId: next.wabaId,
      phone: next.phone,
      verifiedName: next.verifiedName,
      label: old?.label ?? null,
      sealed: keyring.encrypt(id, { accessToken: next.accessToken, appSecret: next.appSecret, verifyToken }),
      status: 'connected',
      statusReason: null,
      lastWebhookAt: old?.lastWebhookAt ?? null,
      createdAt: old?.createdAt ?? now,
      updatedAt: laterThan(old?.updatedAt, now),
      disconnectedAt: null,
    }
    await putConnection(db, orgId, stored)
    await updateListedNumbers(db, orgId, kind)
    write.emit(connectionChanged('connected', stored.phone))
    return { ...stored, verifyToken }
  }

  const setStatus = async (orgId: string, id: string, status: ConnectionStatus, reason: string | null) => {
    const known = await findConnection(databases.read, orgId, id)
    if (!known || known.status === status) return
    await change(orgId, vendorActor, async ({ db, emit }) => {
      if (!(await setConnectionStatus(db, orgId, id, status, reason))) return
      log.warn({ orgId, status, reason }, 'the state of a WhatsApp connection changed')
      emit(connectionChanged(status, known.phone, reason))
    })
  }

  /**
   * Sets the status by whether the secrets can be decrypted: if not, the number must be connected again; if they can be
   * again, it is used again.
   */
  const updateReadableStatus = async (facts: ConnectionFacts, isReadable: boolean): Promise<ConnectionFacts> => {
    const { orgId, id, status, statusReason } = facts
    if (!isReadable && status !== 'reauthorise') await setStatus(orgId, id, 'reauthorise', unreadableKeys)
    if (!isReadable) return { ...facts, status: 'reauthorise', statusReason: unreadableKeys }
    if (status !== 'reauthorise' || statusReason !== unreadableKeys) return facts
    await setStatus(orgId, id, 'connected', null)
    return { ...facts, status: 'connected', statusReason: null }
  }

  return { change, store, release, setStatus, updateReadableStatus }
}

/** `updated_at` distinguishes versions of the secrets, so two within a millisecond must differ. */
const laterThan = (old: string | undefined, now: string): string =>
  old && old >= now ? new Date(Date.parse(old) + 1).toISOString() : now
