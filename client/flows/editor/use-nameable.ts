import { startTransition, useEffect, useMemo, useState } from 'react'
import { useFacts } from '#client/app/facts.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { Flow, FlowName, LiveFlowShown } from '#shared/flows/api.ts'
import { templateKey } from '#shared/flows/names.ts'
import { fieldValues } from '#shared/flows/variables.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortDate } from '#shared/kernel/time.ts'
import type { OrgMember, OrgTeam } from '#shared/orgs/members.ts'
import { isInnerAddress } from '#shared/outbound/address.ts'
import type { Tag } from '#shared/tags/api.ts'
import { findComponent } from '#shared/templates/components.ts'
import { approvedQuery, lastSendsQuery, secretsQuery } from '../queries.ts'
import { whenIdle } from './when-idle.ts'

/** Requested after this long, even if the page was never idle. */
const withinMs = 2000

/** True once the page has been idle. */
const useRested = (): boolean => {
  const [isRested, setRested] = useState(false)
  useEffect(() => whenIdle(() => startTransition(() => setRested(true)), withinMs), [])
  return isRested
}

interface Around {
  readonly flow: Pick<Flow, 'id' | 'graph'>
  readonly flows: readonly FlowName[]
  readonly live: readonly LiveFlowShown[]
  readonly tags: readonly Tag[]
  readonly teams: readonly OrgTeam[]
  readonly members: readonly OrgMember[]
  readonly isReadOnly: boolean
}

/** The objects that steps can refer to. Those not loaded with the page are requested once the flow is rendered. */
export function useNameable({ flow, flows, live, tags, teams, members, isReadOnly }: Around) {
  const { slug, role } = useOrg()
  const { timeZone, language, site } = useFacts()
  const { innerCalls } = site
  const isRested = useRested()
  const sends = useOptionalAnswer({
    ...lastSendsQuery(slug),
    enabled: isRested && roleCan(effectiveRole(role), 'bulk:send'),
  })
  const approved = useOptionalAnswer({ ...approvedQuery(slug), enabled: isRested })
  // Without a template step nothing renders again when the templates arrive.
  const templates = flow.graph.nodes.some(({ type }) => type === 'template') ? approved?.items : undefined
  const names = useMemo(
    () => ({
      templates: new Map(
        templates?.map(({ name, language, components }) => [
          templateKey({ template: name, language }),
          findComponent(components, 'BODY')?.text ?? name,
        ]),
      ),
      tags: new Map(tags.map(({ id, label }) => [id, label])),
      teams: new Map(teams.map(({ id, name }) => [id, name])),
      members: new Map(members.map(({ userId, name }) => [userId, name])),
      flows: new Map(flows.map(({ id, name }) => [id, name])),
      sends: new Map(
        sends?.items.map(({ id, template, createdAt }) => [
          id,
          `${template.name} · ${shortDate(createdAt, language, timeZone)}`,
        ]),
      ),
    }),
    [tags, teams, members, flows, sends, templates, language, timeZone],
  )
  const ownFields = useOptionalAnswer({ ...contactFieldsQuery(slug), enabled: isRested })
  const fields = useMemo(
    () => ownFields && Object.keys(fieldValues(ownFields.items.map(({ label }) => ({ label, value: null })))),
    [ownFields],
  )
  const secrets = useOptionalAnswer({ ...secretsQuery(slug), enabled: isRested && !isReadOnly })
  const hasOtherDefault = live.some(({ id, isDefault }) => isDefault && id !== flow.id)
  const facts = useMemo(
    () => ({
      tagIds: [...names.tags.keys()],
      teamIds: [...names.teams.keys()],
      memberIds: [...names.members.keys()],
      hasOtherDefault,
      fields,
      flowId: flow.id,
      secrets: secrets?.items,
      // The server knows which of them are allowed.
      ...(innerCalls ? { mayCall: isInnerAddress } : {}),
      sendIds: sends && !sends.hasMore ? [...names.sends.keys()] : undefined,
      flows: live,
      // With further pages not all are known here, but the server checks them.
      templates: approved && !approved.hasMore ? approved.items : undefined,
    }),
    [names, hasOtherDefault, fields, flow.id, secrets, innerCalls, sends, live, approved],
  )
  return { names, fields, secrets, facts }
}
