import { defineFeature } from '#server/platform/wiring/feature.ts'
import { readPhone } from '#shared/kernel/phone-reader.ts'
import { createInvitations, type Invitations } from './members/invitations.ts'
import { createInviterNotices } from './members/inviter-notices.ts'
import { createMembers } from './members/members.ts'
import { createOwnerLetters } from './ownership/letters.ts'
import { createOwnership } from './ownership/ownership.ts'
import { createDeletion, type Deletion } from './removal/deletion.ts'
import { createRemoval } from './removal/removal.ts'
import { mountLogos } from './routes.ts'
import { createOrgs, type Orgs } from './service.ts'
import { type BusinessHoursService, createBusinessHours } from './settings/business-hours.ts'
import { createRetention } from './settings/retention.ts'
import { createSecondFactorDemand } from './settings/second-factor-demand.ts'
import { createOrgSettings, type OrgSettingsService } from './settings/settings.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    orgs: Orgs
    orgSettings: OrgSettingsService
    businessHours: BusinessHoursService
    invitations: Invitations
    deletion: Deletion
    removal: ReturnType<typeof createRemoval>
    /** The digits of a typed number; undefined: not a number. */
    readOrgPhone(orgId: string, typed: string): Promise<string | undefined>
  }
}

export const orgs = defineFeature({
  name: 'orgs',
  needs: ['scopes', 'live', 'notifications'],
  later: ['numbers', 'media', 'oldMessages'],
  create(parts, later) {
    const { config, i18n, storages, live, notifications } = parts
    const letters = createOwnerLetters({
      ...parts,
      publicUrl: config.publicUrl,
      translator: i18n.translator,
      readLanguage: (orgId, db) => settings.read(orgId, 'language', db),
    })
    const settings = createOrgSettings({
      ...parts,
      storage: storages.logos,
      letters,
      maxFilesBytes: config.filesQuotaBytes,
    })
    const businessHours = createBusinessHours(parts)
    const service = createOrgs(parts)
    const secondFactorDemand = createSecondFactorDemand({ ...parts, dropMember: live.dropMember })
    const invitations = createInvitations(parts)
    const removal = createRemoval({
      ...parts,
      forgetNumbers: () => later.numbers.forget(),
      removeFiles: orgId => later.media.removeAll(orgId),
    })
    const deletion = createDeletion({ ...parts, letters, hide: orgId => removal.hide(orgId) })
    const oldMessages = {
      count: (...of: Parameters<typeof later.oldMessages.count>) => later.oldMessages.count(...of),
      remove: (...of: Parameters<typeof later.oldMessages.remove>) => later.oldMessages.remove(...of),
    }
    return {
      provides: {
        orgs: service,
        orgSettings: settings,
        businessHours,
        invitations,
        deletion,
        removal,
        readOrgPhone: async (orgId: string, typed: string) => readPhone(typed, await settings.readCountry(orgId)),
      },
      services: {
        orgs: service,
        members: createMembers(parts),
        orgOwnership: createOwnership({ ...parts, letters, deletion }),
        orgSettings: { ...settings, ...businessHours, ...secondFactorDemand },
        retention: createRetention({ ...parts, oldMessages }),
        invitations,
      },
      routes: app => mountLogos(app, { orgSettings: settings }),
      listeners: [createInviterNotices(notifications)],
      chores: [{ name: 'logos', run: now => settings.pruneLogos(now) }],
      start: () => void removal.start(),
    }
  },
})
