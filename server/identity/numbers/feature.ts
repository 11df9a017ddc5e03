import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createCloudNumber } from '#server/whatsapp/cloud.ts'
import { failureText } from '#server/whatsapp/errors/errors.ts'
import { messagingLimitFields } from '#server/whatsapp/fields/messaging-limit.ts'
import { createCloudAccount } from '#server/whatsapp/management/account.ts'
import { createProfileKeeper } from '#server/whatsapp/management/business-profile.ts'
import { signupOf } from '#server/whatsapp/management/meta-app.ts'
import { createRegistrar } from '#server/whatsapp/management/registration.ts'
import { createStandingReader } from '#server/whatsapp/management/standing.ts'
import type { WantedFields } from '#server/whatsapp/webhooks/subscriptions.ts'
import { createConnectionNotices } from './connecting/notices.ts'
import { hasSealedKeys, sealedConnectionKeys } from './keyring.ts'
import { createMessagingLimits } from './messaging-limits.ts'
import { createNumbers, type Numbers } from './service.ts'
import { createReach } from './standing/reach.ts'
import { createStanding } from './standing/standing.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Computed from the fields that all features subscribe to. */
    wantedFields: WantedFields
    numbers: Numbers
    standing: ReturnType<typeof createStanding>
  }
}

export const numbers = defineFeature({
  name: 'numbers',
  needs: ['graphOf', 'sandbox', 'notifications', 'orgSettings', 'readOrgPhone'],
  later: ['outbox', 'bulkSends', 'templateSync', 'findEarlyStatus', 'wantedFields'],
  encryptedColumns: sealedConnectionKeys,
  subscribesTo: {
    useful: [
      ...messagingLimitFields,
      'phone_number_name_update',
      'account_update',
      'account_review_update',
      'account_alerts',
      'account_settings_update',
      'payment_configuration_update',
      'security',
    ],
  },
  hasSealedRows: hasSealedKeys,
  create(parts, later) {
    const { config, translate, outbound, graphOf, notifications, orgSettings } = parts
    const readPhone = parts.readOrgPhone
    const service = createNumbers({
      ...parts,
      sandbox: config.sandbox ? parts.sandbox : undefined,
      clientFor: facts => createCloudNumber({ ...facts, ...graphOf(facts.kind) }),
      registrarFor: facts => createRegistrar({ ...facts, ...graphOf(facts.kind) }),
      signup: signupOf(config.meta, () => graphOf('cloud')),
      readPhone,
      failQueued: (write, connectionId) => later.outbox.failQueued(write, connectionId),
      failureText: (code, language) => failureText((key, params) => translate(language, key, params), code),
    })
    const messagingLimits = createMessagingLimits({ ...parts, numbers: service })
    const standing = createStanding({
      ...parts,
      numbers: service,
      readerFor: opened => createStandingReader({ ...opened, ...graphOf(opened.kind) }),
      profileFor: opened => createProfileKeeper({ ...opened, ...graphOf(opened.kind) }),
      accountFor: opened => createCloudAccount({ ...opened, ...graphOf(opened.kind) }),
      findEarlyStatus: (...of) => later.findEarlyStatus(...of),
      readPhone,
      wantedFields: () => later.wantedFields,
      reach: createReach({ publicUrl: config.publicUrl, outbound }),
      webhookAddressesOf: id =>
        [`/webhooks/whatsapp/${id}`, ...(config.meta.verifyToken ? ['/webhooks/whatsapp'] : [])].map(
          path => new URL(path, config.publicUrl).href,
        ),
      countOpened: orgId => later.bulkSends.countOpened(orgId),
      templatesOf: orgId => later.templateSync.stateOf(orgId),
      readTimeZone: orgId => orgSettings.read(orgId, 'timeZone'),
      notifyRoles: notifications.notifyRoles,
    })
    return {
      provides: { numbers: service, standing },
      services: { numbers: service, numberStanding: standing.service },
      listeners: [createConnectionNotices(notifications), messagingLimits.listener, standing.listener],
      takers: [messagingLimits.taker, standing.taker],
    }
  },
})
