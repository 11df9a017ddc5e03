import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { Connection, numbersApi } from '#shared/numbers/api.ts'
import { getChosenNumber } from '../chosen-number.ts'
import { listConnections, type StoredConnection, setLabel, setPlaces, updateListedNumbers } from '../store.ts'
import { connectionChanged, connectionRead, type createConnections } from './connections.ts'

interface ChangingParts {
  readonly connections: Pick<ReturnType<typeof createConnections>, 'change' | 'release'>
  readonly log: Log
  presentStored(known: StoredConnection, language: Language): Promise<Connection>
}

/** Renames, orders and disconnects an organization's numbers. */
export function createChanging({
  connections: { change, release },
  log,
  presentStored,
}: ChangingParts): Pick<ServiceOf<typeof numbersApi, OrgCaller>, 'rename' | 'orderNumbers' | 'disconnect'> {
  return {
    async rename(member, { query, body }) {
      const label = body.label?.trim() || null
      const renamed = await change(member.orgId, actorOf(member), async write => {
        const known = getChosenNumber(await listConnections(write.db, member.orgId), query)
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
        const [first] = ids.map(id => getChosenNumber(connected, { id }))
        const rest = connected.filter(({ id }) => !ids.includes(id))
        await setPlaces(write.db, orgId, [...ids, ...rest.map(({ id }) => id)])
        if (!first) return
        // Templates belong to the first number's account.
        const isNews = first.id !== connected[0]?.id && first.status === 'connected'
        write.emit(isNews ? connectionChanged('connected', first.phone) : connectionRead(first))
      })
      return { success: true }
    },

    async disconnect(member, { query }) {
      const released = await change(member.orgId, actorOf(member), async write => {
        const known = getChosenNumber(await listConnections(write.db, member.orgId), query)
        await release(write, known.id)
        await updateListedNumbers(write.db, member.orgId)
        write.emit(connectionChanged(null, null))
        return known
      })
      log.info({ orgId: member.orgId, connectionId: released.id }, 'a WhatsApp number is disconnected')
      return { success: true }
    },
  }
}
