import type { Person } from '#server/platform/http/actor.ts'
import type { SecondStepWay } from '#shared/auth/second-factor.ts'
import type { AuthAnswers, AuthCall } from '../calls/call.ts'
import type { Forward } from '../calls/forward.ts'
import { twoFactorAnswer } from '../calls/replies.ts'
import type { OrganizationEffects } from '../organizations/organization-effects.ts'
import type { SecondStep } from '../second-factor/second-step.ts'

interface SessionCallParts extends Pick<OrganizationEffects, 'listDeletions'> {
  readonly forward: Forward
  readonly secondStep: Pick<SecondStep, 'waysOf'>
}

/** The names of better-auth's plugin. */
const methodOfWay: Readonly<Record<SecondStepWay, string>> = { app: 'totp', mail: 'otp', backup: 'backup' }

type LibrarySession = { user: Record<string, unknown>; session: Record<string, unknown> } | null

/** Answers who is signed in and which organizations the person has, as far as this session may see them. */
export function createSessionCalls({ forward, secondStep, listDeletions }: SessionCallParts): AuthAnswers {
  const activeSlug = async ({ person, member }: AuthCall): Promise<string | null> =>
    person?.activeOrgId ? ((await member(person.activeOrgId))?.orgSlug ?? null) : null

  /** A session made by an organization's provider has no site role and does not see the username. */
  const shownAs = ({ boundOrgId }: Person) => (boundOrgId === undefined ? {} : { role: 'user', username: null })

  return {
    '/get-session': async call => {
      const { person } = call
      if (person?.secondFactorMissing) {
        const ways = await secondStep.waysOf(person)
        return twoFactorAnswer(
          ways.map(way => methodOfWay[way]),
          { 'cache-control': 'no-store' },
        )
      }
      const reply = await forward(call)
      const found = (await reply.clone().json()) as LibrarySession
      if (!found || !person) return reply
      const slug = await activeSlug(call)
      const user = { ...found.user, ...shownAs(person) }
      return Response.json({ ...found, user, session: { ...found.session, slug }, slug }, reply)
    },

    '/organization/list': async call => {
      const reply = await forward(call)
      const boundOrgId = call.person?.boundOrgId
      const all = (await reply.clone().json()) as { id: string }[]
      const shown = all.filter(({ id }) => boundOrgId === undefined || id === boundOrgId)
      const ends = await listDeletions?.(shown.map(({ id }) => id))
      return Response.json(
        shown.map(org => (ends?.has(org.id) ? { ...org, deletesAt: ends.get(org.id) } : org)),
        reply,
      )
    },
  }
}
