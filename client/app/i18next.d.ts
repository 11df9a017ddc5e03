import 'i18next'
import admin from '../../locales/es/admin.json' with { type: 'json' }
import apiCalls from '../../locales/es/api-calls.json' with { type: 'json' }
import audit from '../../locales/es/audit.json' with { type: 'json' }
import auth from '../../locales/es/auth.json' with { type: 'json' }
import bulkSends from '../../locales/es/bulk-sends.json' with { type: 'json' }
import common from '../../locales/es/common.json' with { type: 'json' }
import contacts from '../../locales/es/contacts.json' with { type: 'json' }
import deliveries from '../../locales/es/deliveries.json' with { type: 'json' }
import erasures from '../../locales/es/erasures.json' with { type: 'json' }
import flows from '../../locales/es/flows.json' with { type: 'json' }
import imports from '../../locales/es/imports.json' with { type: 'json' }
import inbox from '../../locales/es/inbox.json' with { type: 'json' }
import integrations from '../../locales/es/integrations.json' with { type: 'json' }
import loaderDark from '../../locales/es/loaderDark.json' with { type: 'json' }
import notifications from '../../locales/es/notifications.json' with { type: 'json' }
import orgSettings from '../../locales/es/org-settings.json' with { type: 'json' }
import orgs from '../../locales/es/orgs.json' with { type: 'json' }
import palette from '../../locales/es/palette.json' with { type: 'json' }
import programs from '../../locales/es/programs.json' with { type: 'json' }
import readyAnswers from '../../locales/es/ready-answers.json' with { type: 'json' }
import segments from '../../locales/es/segments.json' with { type: 'json' }
import settings from '../../locales/es/settings.json' with { type: 'json' }
import shell from '../../locales/es/shell.json' with { type: 'json' }
import simulator from '../../locales/es/simulator.json' with { type: 'json' }
import site from '../../locales/es/site.json' with { type: 'json' }
import stats from '../../locales/es/stats.json' with { type: 'json' }
import tags from '../../locales/es/tags.json' with { type: 'json' }
import templates from '../../locales/es/templates.json' with { type: 'json' }

declare module 'i18next' {
  /** `t` accepts the keys of the Spanish texts. */
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: {
      admin: typeof admin
      'ready-answers': typeof readyAnswers
      audit: typeof audit
      auth: typeof auth
      'bulk-sends': typeof bulkSends
      'api-calls': typeof apiCalls
      common: typeof common
      contacts: typeof contacts
      deliveries: typeof deliveries
      erasures: typeof erasures
      flows: typeof flows
      imports: typeof imports
      inbox: typeof inbox
      integrations: typeof integrations
      loaderDark: typeof loaderDark
      notifications: typeof notifications
      orgs: typeof orgs
      'org-settings': typeof orgSettings
      palette: typeof palette
      programs: typeof programs
      settings: typeof settings
      shell: typeof shell
      simulator: typeof simulator
      site: typeof site
      stats: typeof stats
      segments: typeof segments
      tags: typeof tags
      templates: typeof templates
    }
  }
}
