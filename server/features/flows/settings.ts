import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type FlowSettings, firstFlowSettings, type flowSettingsApi } from '#shared/flows/settings.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { findSettings, saveSettings } from './settings-store.ts'
import { wordTwice } from './step/words.ts'

interface SettingsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
}

/** The current settings for all flows of an organization. */
export const readFlowSettings = async (db: Db, orgId: string): Promise<FlowSettings> =>
  (await findSettings(db, orgId)) ?? firstFlowSettings

export function createFlowSettings({
  databases,
  clock,
  writes,
}: SettingsParts): ServiceOf<typeof flowSettingsApi, OrgCaller> {
  return {
    getSettings: ({ orgId }) => readFlowSettings(databases.read, orgId),

    /** @throws InvalidInput for a word that occurs twice */
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
