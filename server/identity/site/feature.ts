import { join } from 'node:path'
import { createSiteSessions } from '#server/identity/auth/sessions/session-list.ts'
import { snapshotLetter } from '#server/identity/mail/letters.ts'
import type { Config } from '#server/platform/config/config.ts'
import { createSnapshots } from '#server/platform/snapshots/snapshots.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { dialogOf } from '#server/whatsapp/management/meta-app.ts'
import { languages } from '#shared/kernel/language.ts'
import { createSite } from './service.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Public facts about this installation. */
    site(): Promise<{
      readonly empty: boolean
      readonly signup: Config['signup']
      readonly sandbox: boolean
      readonly innerCalls: boolean
      readonly writesMail: boolean
      readonly facebook: ReturnType<typeof dialogOf>
    }>
    snapshots: ReturnType<typeof createSnapshots>
  }
}

export const site = defineFeature({
  name: 'site',
  needs: ['auth', 'audit', 'live'],
  create(parts) {
    const { config, i18n, world, auth, audit, live } = parts
    const snapshots = createSnapshots({
      ...parts,
      folder: join(config.dataDir, 'snapshots'),
      keep: world.takeSnapshot ? config.snapshots : 0,
      take: world.takeSnapshot ?? (async () => ({ fault: 'failed', reason: 'nobody makes any here' })),
      listAdmins: auth.listSiteAdmins,
      letterOf: (to, failure, lastGood) =>
        snapshotLetter(languages.map(i18n.translator), { to, failure, lastGood, site: config.publicUrl }),
    })
    // Once a person has an account, there is always one.
    let isEmpty = true
    return {
      provides: {
        async site() {
          if (isEmpty) isEmpty = !(await auth.hasUsers())
          const innerCalls = config.outboundAllow.length > 0
          const { signup, sandbox } = config
          const writesMail = config.mail.smtpUrl === undefined
          return { empty: isEmpty, signup, sandbox, innerCalls, writesMail, facebook: dialogOf(config) }
        },
        snapshots,
      },
      services: {
        site: createSite({
          ...parts,
          sessions: createSiteSessions({ ...parts, streams: live, onSiteAct: audit.recordSiteAct }),
          listEntries: audit.listSiteEntries,
        }),
      },
      chores: [{ name: 'backups of past nights', run: now => snapshots.prune(now) }],
      start: () => void snapshots.start(),
    }
  },
})
