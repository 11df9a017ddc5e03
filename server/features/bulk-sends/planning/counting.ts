import type { AudienceCount } from '#shared/bulk-sends/counting.ts'
import { countedAtMost, previewsShown } from '#shared/bulk-sends/limits.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { OmissionReason } from '#shared/bulk-sends/states.ts'
import type { Planned } from './planner.ts'
import { recipientPreview } from './planning.ts'

/** The planner checks values last, so people omitted for these reasons passed all other checks. */
const reasonsOfValues: readonly OmissionReason[] = ['valueMissing', 'valueTooLong', 'valueNotOneLine']

/** Counts recipients and omitted people in batches. Stops after `countedAtMost` people. */
export async function countAudience(
  batches: AsyncIterable<Iterable<Planned>>,
  { values }: Pick<PlanInput, 'values'>,
): Promise<AudienceCount> {
  const groups = new Map<OmissionReason, number>()
  const previews: AudienceCount['previews'] = []
  let people = 0
  let planned = 0
  let hasMore = false
  for await (const batch of batches) {
    if (people >= countedAtMost) {
      hasMore = true
      break
    }
    for (const one of batch) {
      people += 1
      if (!('omitted' in one)) {
        planned += 1
        if (previews.length < previewsShown) previews.push(recipientPreview(one))
      } else if (values === undefined && reasonsOfValues.includes(one.omitted)) planned += 1
      else groups.set(one.omitted, (groups.get(one.omitted) ?? 0) + 1)
    }
  }
  return {
    people,
    planned,
    omitted: [...groups].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    previews,
    hasMore,
  }
}
