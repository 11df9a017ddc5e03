import type { ServiceOf } from '#shared/contract.ts'
import { type FlowSettings, firstFlowSettings, type flowSettingsApi } from '#shared/flow-settings.ts'
import { wordTwice } from '#shared/flow-words.ts'
import type { OrgCaller } from '../actor.ts'
import { type Clock, isoNow } from '../clock.ts'
import type { Databases, Db } from '../db.ts'
import { actorOf } from '../events/actors.ts'
import type { Writes } from '../events/writes.ts'
import { InvalidInput } from '../validate.ts'
import { findSettings, saveSettings } from './settings-store.ts'

interface SettingsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
}

/** What holds for all flows of an organization, as it is now. */
export const flowSettingsOf = async (db: Db, orgId: string): Promise<FlowSettings> =>
  (await findSettings(db, orgId)) ?? firstFlowSettings

export function createFlowSettings({
  databases,
  clock,
  writes,
}: SettingsParts): ServiceOf<typeof flowSettingsApi, OrgCaller> {
  return {
    getSettings: ({ orgId }) => flowSettingsOf(databases.read, orgId),

    /** @throws InvalidInput for a word that stands there twice */
    async setSettings(caller, { body }) {
      const twice = wordTwice(body)
      if (twice) {
        const { field, word } = twice
        throw new InvalidInput([
          { field: `body.${field}`, code: 'wordTwice', text: 'flows:settings.twice', params: { word } },
        ])
      }
      return writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
        await saveSettings(db, orgId, body, isoNow(clock))
        emit({ type: 'organization.changed', data: {} })
        return body
      })
    },
  }
}
