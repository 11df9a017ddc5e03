import { getOrganization } from '#server/identity/orgs/members/members.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createProfiles, mountPersonPictures, type Profiles } from './accounts/profile.ts'
import { type Auth, createAuth } from './auth.ts'
import { mountAuth } from './calls/routes.ts'
import { sealedSecondFactors } from './second-factor/second-factor-codes.ts'
import { createSessionList } from './sessions/session-list.ts'
import { createResolveTxt, type ResolveTxt } from './sso/domain.ts'
import { sealedClientSecrets } from './sso/provider-client.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    auth: Auth
    profiles: Profiles
  }
}

declare module '#server/platform/wiring/world.ts' {
  interface World {
    /** Looks up TXT records to verify domains. Absent: by this machine's DNS resolver. */
    readonly resolveTxt?: ResolveTxt
  }
}

/** The actor of changes to members. */
const memberActor = (by: Person | null) =>
  by ? ({ kind: 'person', id: by.userId, name: by.name } as const) : systemActor('members')

export const auth = defineFeature({
  name: 'auth',
  needs: ['audit', 'scopes', 'live', 'orgSettings', 'deletion', 'invitations'],
  later: ['releases'],
  encryptedColumns: [sealedSecondFactors, sealedClientSecrets],
  create(parts, later) {
    const { databases, world, secrets, storages, writes, audit, live, orgSettings, deletion, invitations } = parts
    const service = createAuth({
      ...parts,
      aroundAuthCall: audit.aroundAuthCall,
      onAccess: audit.recordAccess,
      onJoining: audit.recordJoining,
      onProgram: audit.recordProgram,
      resolveTxt: world.resolveTxt ?? createResolveTxt(),
      secret: secrets.secret,
      previousSecrets: secrets.previous,
      streams: live,
      findLanguage: orgId => orgSettings.findChosen(orgId, 'language'),
      removeOrganization: async (orgId, by) => {
        const org = await getOrganization(databases.read, orgId)
        const deletesAt = await deletion.request(orgId, memberActor(by))
        return org && { ...org, deletesAt }
      },
      listDeletions: orgIds => deletion.list(orgIds),
      onChanging: (orgId, change) => orgSettings.requireFreeChange(orgId, change),
      onChanged: (orgId, change, by) => orgSettings.announceChange(orgId, change, memberActor(by)),
      onLeaving: (...leaving) => later.releases.expect(...leaving),
      onLeft: (orgId, leaver, by) => later.releases.begin(orgId, leaver, memberActor(by)),
      onTeamMember: (orgId, { isIn, ...data }, by) =>
        writes.run(orgId, memberActor(by), async ({ emit }) =>
          emit({ type: isIn ? 'team.memberAdded' : 'team.memberRemoved', data }),
        ),
      onRoleChanged: (orgId, userId, by) =>
        writes.run(orgId, memberActor(by), async ({ emit }) => emit({ type: 'member.roleChanged', data: { userId } })),
      onJoined: (invitationId, newcomer) => invitations.announceAccepted(invitationId, newcomer),
    })
    const profiles = createProfiles({ ...parts, storage: storages.pictures })
    return {
      provides: { auth: service, profiles },
      services: {
        sessions: createSessionList({ ...parts, streams: live, onAccess: audit.recordAccess }),
        passwords: service.passwords,
        profile: profiles.service,
        secondFactor: service.secondFactor,
        emailChange: service.emailChange,
        sso: service.sso,
        programs: service.programs,
      },
      routes(app) {
        mountAuth(app, { auth: service, turn: databases.turn })
        service.mountPrograms(app)
        mountPersonPictures(app, { profiles })
      },
      chores: [
        { name: 'sign-in', run: now => service.prune(now) },
        { name: 'pictures of people', run: now => profiles.prunePictures(now) },
      ],
    }
  },
})
