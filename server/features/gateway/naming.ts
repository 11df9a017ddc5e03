import { findMessageIds } from '#server/messaging/messages/delivery/delivery.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Json } from '#server/whatsapp/scalars.ts'
import { namesIn, type ProgramMessage, renameForPrograms } from '#server/whatsapp/serving/program-names.ts'
import { findGatewayMessages } from './message-store.ts'

/** The ids by which programs know the messages that they sent, for webhooks of Meta's format. */
export interface ProgramNames {
  /** Reads the messages that these values of webhooks name, and returns how to rename them. */
  of(orgId: string, values: readonly Json[]): Promise<(value: Json) => Json>
}

export const createProgramNames = ({ databases }: { databases: Pick<Databases, 'read'> }): ProgramNames => ({
  async of(orgId, values) {
    const named = namesIn(values)
    if (!named.wamids.length) return value => value
    const ids = await findMessageIds(databases.read, orgId, named)
    // A reaction is no message; its own id is what comes back.
    const asked = [...new Set([...ids.values(), ...named.callbacks])]
    const rows = asked.length ? await findGatewayMessages(databases.read, asked, { orgId }) : []
    const known = new Map(
      rows.map(({ id, callback_data }): [string, ProgramMessage] => [id, { id, callbackData: callback_data }]),
    )
    const find = (name: string | undefined) => (name === undefined ? undefined : known.get(ids.get(name) ?? name))
    return value => renameForPrograms(value, ({ wamid, callback }) => find(callback) ?? find(wamid))
  },
})
