import { type Static, Type } from 'typebox'
import { countedAtMost } from './limits.ts'
import { BulkPlan } from './plan.ts'
import { omissionReasons } from './states.ts'

/** A count is a plan without prices, limits and times: it is requested after each change. */
export const AudienceCount = Type.Object({
  people: Type.Integer({ description: 'Number of people that were named, including those who are left out.' }),
  planned: Type.Integer({
    description: 'Number of recipients. Without `values`, people whose values are missing are counted too.',
  }),
  omitted: Type.Array(Type.Object({ reason: Type.Enum(omissionReasons), count: Type.Integer() })),
  previews: BulkPlan.properties.previews,
  hasMore: Type.Boolean({ description: `Counting ended after ${countedAtMost} people; there are more.` }),
})
export type AudienceCount = Static<typeof AudienceCount>
