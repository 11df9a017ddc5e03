import type { CountryCode } from 'libphonenumber-js/max'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { bulkSendsApi } from '#shared/bulk-sends/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { checkFile } from './audience/file-check.ts'
import { createSegments } from './audience/segments.ts'
import { createMaking, type MakingParts } from './making.ts'
import { createMoving, type MovingParts } from './moving.ts'
import { createRates } from './planning/rates.ts'
import { createReading, type ReadingParts } from './reports/read-calls.ts'
import { createSetPace, type SetPaceParts } from './sending/set-pace.ts'

export interface BulkSendParts extends MakingParts, MovingParts, ReadingParts, Pick<SetPaceParts, 'peopleLimit'> {
  readCountry(orgId: string): Promise<CountryCode>
}

export function createBulkSends(parts: BulkSendParts): ServiceOf<typeof bulkSendsApi, OrgCaller> {
  const { turn } = parts.databases
  return {
    ...createSetPace(parts),
    ...createRates(parts),
    ...createSegments(parts),
    ...createMaking(parts),
    ...createReading(parts),
    ...createMoving(parts),

    async checkFile({ orgId }, { body }) {
      const country = await parts.readCountry(orgId)
      const { csv, withNumbers = false } = body
      return checkFile(csv, { country, giveWay: () => turn.giveWay(), withNumbers })
    },
  }
}
