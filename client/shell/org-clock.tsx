import type { ReactNode } from 'react'
import { queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { MomentProvider } from '#client/ui/text/moment.tsx'
import { useOrg } from './viewer.ts'

export const orgClockQuery = (org: string) => queryFor(org, 'orgSettings.getSettings', {})

/** Shows all times inside in the organization's time zone. */
export function OrgClock({ children }: { children: ReactNode }) {
  const { timeZone } = useAnswer(orgClockQuery(useOrg().slug))
  return <MomentProvider timeZone={timeZone}>{children}</MomentProvider>
}
